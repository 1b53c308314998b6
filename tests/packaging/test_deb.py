import os
import platform
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import __version__
from tests.conftest import CACHE

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
PATIENCE_S = 300
DAYS_IN_CACHE = 30
SECONDS_PER_DAY = 86_400
# Starts a command whose mounts and processes end with it.
ISOLATED = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
ENVIRONMENT = {"HOME": "/srv", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"}
ENVIRONMENT["DEBIAN_FRONTEND"] = "noninteractive"
WINDOW_SYSTEMS = "/usr/lib/sluice/_internal/PySide6/Qt/plugins/platforms"
ICON = "/usr/share/icons/hicolor/32x32/apps/sluice.png"


def run(*command: str | Path) -> str:
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


def fetch(*command: str | Path) -> None:
    """Run a command that needs Debian's archive; skip the test if it fails."""
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_S)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"{error} {str(error.stdout)[-300:]} {str(error.stderr)[-300:]}")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (PROJECT / "dist" / "sluice" / "sluice").is_file():
        pytest.skip("there is no dist/sluice: run make app")
    if shutil.which("dpkg-deb") is None:
        pytest.skip("dpkg-deb is not installed")
    folder = tmp_path_factory.mktemp("deb")
    run("packaging/linux/deb.sh", folder)
    (made,) = folder.iterdir()
    if made.name != f"sluice_{__version__}_amd64.deb":
        pytest.skip(f"dist/sluice has another version, {made.name}: run make app")
    return made


class MinimalDebian:
    """A minimal Debian in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str) -> str:
        return run(*self.inside(*command))

    def inside(self, *command: str) -> tuple[str, ...]:
        variables = (f"{name}={value}" for name, value in ENVIRONMENT.items())
        return (*ISOLATED, f"--root={self.root}", "/usr/bin/env", "-i", *variables, *command)

    def files(self, name: str) -> set[str]:
        """The files and folders with this name in their path, except in the home and in the logs."""
        left_out = ("(", "-path", "/proc", "-o", "-path", "/srv", "-o", "-path", "/var/log", ")", "-prune")
        return set(self.run("find", "/", *left_out, "-o", "-path", f"*{name}*", "-print").splitlines())


@pytest.fixture
def debian() -> Iterator[MinimalDebian]:
    """A copy of a minimal Debian of this computer's release, since the package needs the same glibc or a newer one."""
    release = platform.freedesktop_os_release()
    if release["ID"] != "debian":
        pytest.skip(f"the package is installed in Debian only; this is {release['ID']}")
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("debootstrap is not installed, or the user isn't root")
    with tempfile.TemporaryDirectory() as folder:
        minimal = MinimalDebian(Path(folder, "debian"))
        run("cp", "-a", bootstrapped(release["VERSION_CODENAME"]), minimal.root)
        fetch(*minimal.inside("apt-get", "update", "--error-on=any"))
        yield minimal


def bootstrapped(suite: str) -> Path:
    """The minimal Debian in the user's cache, which is made if it is missing or old."""
    made = CACHE / "sluice-tests" / f"debian-{suite}"
    if not made.exists() or time.time() - made.stat().st_ctime > DAYS_IN_CACHE * SECONDS_PER_DAY:
        part = made.with_suffix(".part")
        for folder in (made, part):
            shutil.rmtree(folder, ignore_errors=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        fetch(*ISOLATED, "debootstrap", "--variant=minbase", suite, part)
        part.rename(made)
    return made


def test_package_has_the_version_and_the_descriptions(package: Path) -> None:
    fields = dict(line.split(": ", 1) for line in run("dpkg-deb", "--field", package).splitlines() if ": " in line)
    assert (fields["Package"], fields["Version"], fields["Architecture"]) == ("sluice", __version__, "amd64")
    assert "libc6 (>= " in fields["Depends"] and fields["Recommends"] == "libopenblas0-pthread"
    listed = [line.split() for line in run("dpkg-deb", "--contents", package).splitlines()]
    assert {owner for _, owner, *_ in listed} == {"root/root"}
    assert not [mode for mode, *_ in listed if mode[0] != "l" and "w" in mode[4:]]
    names = {path[5].removeprefix(".") for path in listed}
    descriptions = ("applications/sluice.desktop", "mime/packages/sluice.xml", "doc/sluice/copyright")
    assert {"/usr/bin/sluice", ICON, *(f"/usr/share/{name}" for name in descriptions)} <= names
    assert "/usr/lib/sluice/install.sh" not in names


def test_package_in_a_minimal_debian_answers_and_leaves_no_file(package: Path, debian: MinimalDebian) -> None:
    shutil.copy(package, debian.root / "package.deb")
    before = debian.files("sluice")
    debian.run("apt-get", "install", "--yes", "--no-install-recommends", "/package.deb")
    assert debian.run("sluice", "--version") == f"Sluice {__version__}\n"
    assert debian.run("sluice", "ask", "hi").strip()
    assert "not found" not in debian.run("sh", "-c", f"ldd {WINDOW_SYSTEMS}/*.so")
    added = debian.files("sluice") - before
    assert {ICON, "/usr/share/mime/application/x-sluice-session.xml"} <= added  # shared-mime-info makes the second one
    debian.run("apt-get", "remove", "--yes", "sluice")
    assert debian.files("sluice") - before == set()
