import configparser
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from identity import BUNDLE_ID, PROGRAM, SESSION_SUFFIX

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


def test_metainfo_describes_the_program() -> None:
    root = ElementTree.parse(LINUX / f"{BUNDLE_ID}.metainfo.xml").getroot()
    assert (root.findtext("id"), root.findtext("launchable")) == (BUNDLE_ID, "sluice.desktop")
    assert root.findtext("provides/mediatype") == MIME_TYPE


def test_flatpak_manifest_has_the_required_keys_and_sources_that_exist() -> None:
    text = (LINUX / f"{BUNDLE_ID}.yml").read_text("utf-8")
    assert "has never been built" in text
    manifest = yaml.safe_load(text)
    assert (manifest["id"], manifest["command"]) == (BUNDLE_ID, PROGRAM)
    assert {"runtime", "runtime-version", "sdk", "finish-args"} <= manifest.keys()
    for module in manifest["modules"]:
        assert {"name", "buildsystem", "build-commands"} <= module.keys()
        for source in module["sources"]:
            assert "url" not in source or "sha256" in source
            exists = (LINUX / source.get("path", "")).exists()
            assert exists or source["path"] == "../../dist/sluice"  # which `make app` makes


@pytest.mark.parametrize(
    "command",
    [
        ("desktop-file-validate", LINUX / "sluice.desktop"),
        ("appstreamcli", "validate", "--no-net", LINUX / f"{BUNDLE_ID}.metainfo.xml"),
        ("flatpak-builder", "--show-manifest", LINUX / f"{BUNDLE_ID}.yml"),
        ("ruby", "-c", LINUX.parent / "homebrew" / "sluice.rb"),
    ],
    ids=lambda command: command[0],
)
def test_description_passes_its_linter(tmp_path: Path, command: tuple[str, ...]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stdout + done.stderr
    if command[0] == "desktop-file-validate":  # it also ends with 0 after a warning
        assert not done.stdout


def test_mime_database_takes_the_session_type(tmp_path: Path) -> None:
    if shutil.which("update-mime-database") is None:
        pytest.skip("update-mime-database is not installed")
    (tmp_path / "packages").mkdir()
    shutil.copy(LINUX / "sluice.xml", tmp_path / "packages")
    # It also ends with 0 after an error.
    subprocess.run(["update-mime-database", tmp_path], capture_output=True, check=True)
    assert f"50:{MIME_TYPE}:*.{SESSION_SUFFIX}\n" in (tmp_path / "globs2").read_text("utf-8")
    assert (tmp_path / "subclasses").read_text("utf-8") == f"{MIME_TYPE} application/json\n"


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
