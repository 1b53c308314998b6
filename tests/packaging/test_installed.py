import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app import __version__
from app.platform import single_instance
from tests.conftest import CACHE
from tests.patience import WAIT_MS

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2]
UV = shutil.which("uv")
PATIENCE_S = 300
SCRIPTS = ("sluice", "sluice-lm")
NEEDED = {"models/demo/model.safetensors", "languages/sluice_ko.qm", "sets/sums.jsonl", "help/en.html"}


def run(*command: str | Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SLUICE_STARTED_OVER": "1", **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)


def fetch(*command: str | Path, folder: Path, **variables: str) -> str:
    """Run a command that needs the package index; skip the test where there is none. Return its output."""
    done = run(*command, folder=folder, UV_CACHE_DIR=str(CACHE / "uv"), **variables)
    if done.returncode and ("Failed to fetch" in done.stderr or "No matching distribution" in done.stderr):
        pytest.skip(f"the package index can't be reached: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution if uv is installed."""
    folder = tmp_path_factory.mktemp("dist")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, PROJECT)
    fetch(*((UV, "build", "--quiet", "--out-dir", folder, PROJECT) if UV else pip), folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which another program's package `app` lies."""
    (tmp_path / "work" / "app").mkdir(parents=True)
    for name in ("__init__.py", "__main__.py"):
        (tmp_path / "work" / "app" / name).write_text("raise SystemExit('the wrong app')")
    return tmp_path / "work"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The variables of a user whose home is empty."""
    place = tmp_path / "home"
    place.mkdir()
    folders = {f"XDG_{kind}_HOME": str(place / kind.lower()) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    return {"HOME": str(place), "UV_TOOL_BIN_DIR": str(place / "bin"), **folders}


def install_with_venv(wheel: Path, home: Mapping[str, str]) -> Path:
    """Install into a virtual environment that takes the dependencies from the one of these tests."""
    environment = Path(home["HOME"], "venv")
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = environment / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True)
    (installed,) = environment.glob("lib/python*/site-packages")
    (installed / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin"


def install_with_uv(wheel: Path, home: Mapping[str, str]) -> Path:
    if UV is None:
        pytest.skip("uv is not installed")
    fetch(UV, "tool", "install", "--quiet", "--python", sys.executable, f"{wheel}[cpu]", folder=wheel.parent, **home)
    return Path(home["UV_TOOL_BIN_DIR"])


@pytest.mark.parametrize("install", [install_with_venv, install_with_uv])
def test_installed_program_answers_passes_its_self_test_and_opens_once(
    install: object, wheel: Path, folder: Path, home: dict[str, str], qtbot: QtBot
) -> None:
    assert callable(install)
    scripts: Path = install(wheel, home)
    for name in SCRIPTS:
        written = run(scripts / name, "--version", folder=folder, **home).stdout
        assert written.startswith(f"Sluice {__version__} (MLX ") and written.endswith(", CPU)\n")
    sluice = scripts / SCRIPTS[0]
    answer = run(sluice, "ask", "hi", folder=folder, **home)
    assert (answer.returncode, answer.stderr) == (0, "") and answer.stdout.strip()
    tested = run(sluice, "--self-test", folder / "report", folder=folder, **home, LANG="ko_KR.UTF-8")
    assert tested.returncode == 0, (folder / "report" / "report.json").read_text("utf-8")
    data = folder / "data"
    first = subprocess.Popen([sluice, "--data-dir", data], cwd=folder, env=os.environ | home)
    try:
        message = single_instance.message_of(None)
        qtbot.waitUntil(lambda: single_instance.send_to_first(data, message), timeout=WAIT_MS)
        second = run(sluice, "--data-dir", data, folder=folder, **home)
        assert second.stdout.startswith("Sluice is already running")
    finally:
        first.terminate()
        assert first.wait() == 0


def test_wheel_has_the_resources_and_source_distribution_what_builds_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"app/resources/{name}" for name in NEEDED} | {"app/LICENSE"} <= names
    assert not [name for name in names if not name.startswith(("app/", f"sluice_lm-{__version__}.dist-info/"))]
    assert not [name for name in names if "pictures" in name or name.endswith(".ts")]
    if UV is not None:
        (source,) = wheel.parent.glob("*.tar.gz")
        assert wheel.stat().st_size < 6_000_000 and source.stat().st_size < 6_000_000
        with tarfile.open(source) as files:
            assert f"sluice_lm-{__version__}/packaging/compile_translations.py" in files.getnames()


def test_uvx_runs_the_program_from_the_repository(folder: Path, home: dict[str, str]) -> None:
    if UV is None:
        pytest.skip("uv is not installed")
    requirement = f"sluice-lm[cpu] @ git+file://{PROJECT}"
    said = fetch(
        *(UV, "tool", "run", "--quiet", "--python", sys.executable, "--from", requirement, "sluice", "ask", "hi"),
        folder=folder,
        **home,
    )
    assert said.strip()
