"""What a Linux desktop is told of the program, and the script that tells it."""

import configparser
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from identity import PROGRAM, SESSION_SUFFIX

LINUX = Path(__file__).parents[2] / "packaging" / "linux"
MIME_TYPE = "application/x-sluice-session"
NAMESPACE = {"mime": "http://www.freedesktop.org/standards/shared-mime-info"}


@pytest.fixture
def entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(LINUX / "sluice.desktop", "utf-8")
    return parser["Desktop Entry"]


def test_desktop_entry_claims_the_session_type(entry: configparser.SectionProxy) -> None:
    assert (entry["Exec"], entry["Icon"], entry["Terminal"]) == (f"{PROGRAM} %f", PROGRAM, "false")
    assert entry["MimeType"] == f"{MIME_TYPE};"


def test_mime_type_has_the_session_suffix() -> None:
    root = ElementTree.parse(LINUX / "sluice.xml").getroot()
    (kind,) = root.findall("mime:mime-type", NAMESPACE)
    (glob,) = kind.findall("mime:glob", NAMESPACE)
    assert (kind.get("type"), glob.get("pattern")) == (MIME_TYPE, f"*.{SESSION_SUFFIX}")


def test_desktop_entry_passes_desktop_file_validate() -> None:
    check = shutil.which("desktop-file-validate")
    if check is None:
        pytest.skip("desktop-file-validate is not here: sudo apt-get install desktop-file-utils")
    done = subprocess.run([check, str(LINUX / "sluice.desktop")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["a sluice", "R&D | 100% #1 (a)"])
def test_install_and_uninstall_add_and_remove_the_menu_entry(tmp_path: Path, folder: str) -> None:
    program, home = tmp_path / folder, tmp_path / "home"
    (program / "share").mkdir(parents=True)
    (program / "_internal" / "resources" / "icons").mkdir(parents=True)
    (program / "_internal" / "resources" / "icons" / "sluice-32.png").write_bytes(b"png")
    for name in ("sluice.desktop", "sluice.xml"):
        shutil.copy(LINUX / name, program / "share")
    shutil.copy(LINUX / "install.sh", program)
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    command = ["/bin/bash", str(program / "install.sh")]
    subprocess.run(command, env=environment, check=True)
    data = home / ".local" / "share"
    told = (data / "applications" / "sluice.desktop").read_text("utf-8")
    written = str(program).replace("%", "%%")  # a single one is a field of the entry, as %f is
    assert f'\nExec="{written}/share/preload.sh" "{written}/sluice" %f\n' in told
    assert f"\nTryExec={program}/sluice\n" in told
    assert (data / "icons" / "hicolor" / "32x32" / "apps" / "sluice.png").is_file()
    assert (home / ".local" / "bin" / "sluice").readlink() == program / "sluice"
    subprocess.run([*command, "--remove"], env=environment, check=True)
    left = [file for file in home.rglob("*") if file.is_file() and "sluice" in file.name]
    assert left == []
