import builtins
import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.platform import startup
from app.platform.startup import PLAIN, bypass_pyside_import, freeze_gc

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="OpenBLAS is preloaded on Linux alone")

# Started as the program is: the call first, then what the process has become.
PROGRAM = """
import json, os, sys
from app.platform import startup
startup.preload_blas([{folder!r}])
maps = open("/proc/self/maps").read()
print(json.dumps(dict(
    arguments=sys.argv[1:],
    preloaded={library!r} in maps,
    environment=dict(os.environ),
    pid=os.getpid(),
)))
"""

LAUNCHED = """
import os
from app.platform import startup
print(os.environ[startup.PRELOAD])
startup.preload_blas()
print(os.environ[startup.PRELOAD])
"""

HEAPS = """
import ctypes, threading
from app.platform import startup
startup.limit_malloc_arenas()
barrier = threading.Barrier(8)
def take():
    bytearray(10_000)
    barrier.wait()
threads = [threading.Thread(target=take) for _ in range(8)]
[each.start() for each in threads]
[each.join() for each in threads]
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A stand-in for OpenBLAS: any shared library can be preloaded."""
    import _ctypes

    library = tmp_path / "lib" / "libopenblas.so.0"
    library.parent.mkdir()
    library.write_bytes(Path(_ctypes.__file__).read_bytes())
    return library


def run(library: Path, **environment: str) -> dict[str, Any]:
    script = PROGRAM.format(folder=str(library.parent), library=str(library))
    clean = {name: value for name, value in os.environ.items() if name != startup.PRELOAD}
    process = subprocess.Popen(
        [sys.executable, "-c", script, "--model", "a folder"],
        env=clean | environment,
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    out, errors = process.communicate()
    assert errors == ""
    became: dict[str, Any] = json.loads(out)
    assert became["pid"] == process.pid
    return became


@linux_only
def test_preload_restarts_once_and_restores_the_environment(library: Path) -> None:
    became = run(library)
    assert became["preloaded"]
    assert became["arguments"] == ["--model", "a folder"]
    assert not {startup.PRELOAD, startup.GUARD} & set(became["environment"])


@linux_only
@pytest.mark.parametrize("same", [False, True], ids=["another library", "OpenBLAS itself"])
def test_preload_keeps_the_users_preloads(library: Path, tmp_path: Path, same: bool) -> None:
    other = library if same else tmp_path / "other.so"
    if not same:
        other.write_bytes(library.read_bytes())
    became = run(library, LD_PRELOAD=str(other))
    assert became["preloaded"]
    assert became["environment"][startup.PRELOAD] == str(other)


@linux_only
def test_preload_without_openblas_does_not_restart(tmp_path: Path) -> None:
    assert not run(tmp_path / "absent" / "libopenblas.so.0")["preloaded"]


@linux_only
def test_preload_restart_imports_little_before() -> None:
    if startup.find_openblas(startup.FOLDERS) is None:
        pytest.skip("the system's OpenBLAS is not installed")
    command = [sys.executable, "-X", "importtime", "-m", "app", "--version"]
    environment = {name: value for name, value in os.environ.items() if name not in (startup.PRELOAD, startup.GUARD)}
    told = subprocess.run(command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True)
    imported = [line.rpartition("|")[2].strip() for line in told.stderr.splitlines()]
    assert (imported.count("app.platform.startup"), imported.count("app.cli.arguments")) == (2, 1)


@linux_only
def test_launchers_preload_the_same_library() -> None:
    """A Mac's `make run` has nothing to give either: there it only starts."""
    root = Path(__file__).parents[2]
    assert "packaging/linux/preload.sh $(PYTHON) -m app\n" in (root / "Makefile").read_text("utf-8")
    script = (root / "packaging" / "linux" / "preload.sh").read_text("utf-8")
    assert f"in {' '.join(startup.FOLDERS)}; do" in script
    assert f"in {' '.join(startup.NAMES)}; do" in script
    if (library := startup.find_openblas(startup.FOLDERS)) is None:
        pytest.skip("the system's OpenBLAS is not installed")
    environment = {"PATH": os.environ["PATH"], startup.PRELOAD: "/absent.so"}
    command = [str(root / "packaging" / "linux" / "preload.sh"), sys.executable, "-c", LAUNCHED]
    told = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split() == [f"{library}:/absent.so", "/absent.so"]


@pytest.mark.parametrize("switch", [startup.FETCH_SWITCH, startup.TEMPLATE_SWITCH])
def test_preload_for_fetching_children_does_nothing(switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "preload_blas", pytest.fail)
    startup.begin([switch])


def test_find_openblas_prefers_threads(library: Path) -> None:
    threaded = library.with_name("libopenblasp.so.0")
    threaded.write_bytes(b"")
    assert startup.find_openblas((str(library.parent),)) == threaded


def test_preload_on_other_systems_does_nothing(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os, "execv", pytest.fail)
    startup.preload_blas([str(library.parent)])
    assert startup.GUARD not in os.environ


@linux_only
def test_malloc_arenas_are_two() -> None:
    told = subprocess.run(
        [sys.executable, "-c", HEAPS], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=30
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.count("<heap nr=") == startup.HEAPS


def test_preload_failed_restart_changes_nothing(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(program: str, arguments: list[str]) -> None:
        raise OSError("no")

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "execv", refuse)
    monkeypatch.delenv(startup.PRELOAD, raising=False)
    before = dict(os.environ)
    startup.preload_blas([str(library.parent)])
    assert dict(os.environ) == before


@pytest.mark.parametrize(
    ("environment", "platform", "there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "darwin", True),
    ],
)
def test_has_screen_checks_the_display(environment: dict[str, str], platform: str, there: bool) -> None:
    assert startup.has_screen(environment, platform) is there


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"_PYI_ARCHIVE_FILE": "/app/sluice", "HOME": "/h"}, {"HOME": "/h"}),
        ({"LD_LIBRARY_PATH": "/app/_internal", "QT_PLUGIN_PATH": "/app/_internal/plugins"}, {}),
        ({"LD_LIBRARY_PATH": "/app/_internal", "LD_LIBRARY_PATH_ORIG": "/opt/lib"}, {"LD_LIBRARY_PATH": "/opt/lib"}),
        ({"LD_LIBRARY_PATH": "/app/_internal:/opt/lib", "LD_LIBRARY_PATH_ORIG": ""}, {}),
        ({"QT_PLUGIN_PATH": "/opt/plugins"}, {"QT_PLUGIN_PATH": "/opt/plugins"}),
    ],
)
def test_frozen_children_get_the_original_library_paths(given: dict[str, str], left: dict[str, str]) -> None:
    startup.restore_environment(given, "/app/_internal")
    assert given == left


def test_child_process_ignores_a_package_app_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__main__.py").write_text("raise SystemExit('the wrong app')")
    environment = startup.child_environment(os.environ | {startup.GUARD: "1"})
    command = startup.child_command("--version")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("Sluice "), done.stderr


def test_restart_repeats_arguments_without_the_open_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[list[str]] = []
    monkeypatch.setenv("CHANGED", "now")
    monkeypatch.delenv("ADDED", raising=False)
    monkeypatch.setenv("ADDED", "now")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "app", "--engine", "echo", "a.sluice"])
    again = partial(startup.restart, tmp_path / "a.sluice", {"CHANGED": "before", "ADDED": None})
    again("linux", lambda program, command: started.append([program, *command]))
    assert started == [[sys.executable, sys.executable, "-m", "app", "--engine", "echo"]]
    assert (os.environ["CHANGED"], os.environ.get("ADDED")) == ("before", None)
    again("darwin", start=started.append)
    assert started[1] == [sys.executable, "-m", "app", "--engine", "echo"]
    startup.restart(None, platform="darwin", start=started.append)
    assert started[2][-1] == "a.sluice"


AFTER_QT = f"""
import builtins, linecache, sys
from PySide6 import QtCore
from app.platform.startup import bypass_pyside_import
assert builtins.__import__ is not builtins.{PLAIN}, "PySide does without by itself: app.platform.startup may go"
bypass_pyside_import()
import wave
assert wave.__file__ not in linecache.cache
QtCore.QObject().objectName()
"""

LATER = {
    "mlx",
    "transformers",
    "pyqtgraph",
    "httpx2",
    "asyncio",
    "qasync",
    "app.roofline.measurement_store",
    "app.engine.prompt_parts",
    "app.experiments.run",
    "app.library.download_queue",
    "app.ui.interpretability.lens_cells",
    "app.ui.picker.dialog",
    "app.ui.runs.window",
    "app.ui.serving.dialog",
    "app.ui.settings.window",
    "app.engine.script",
    "app.ui.experiments.window",
    "app.ui.study_window",
}
"""Modules that a newly opened window doesn't need yet."""
BUILT = f"""
import sys
from app.__main__ import build
window = build(["--data-dir", sys.argv[1], "--engine", "echo"])
print(*sorted({LATER!r} & set(sys.modules)))
"""


@pytest.fixture(autouse=True)
def collecting_again() -> Iterator[None]:
    by_itself = gc.isenabled()
    yield
    gc.enable() if by_itself else gc.disable()


def test_freeze_gc_excludes_what_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen: list[bool] = []
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(gc.isenabled()))
    gc.enable()
    with freeze_gc():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert frozen == [False], "the first collection would look at all of it"


def test_freeze_gc_failing_start_restores_collection() -> None:
    gc.disable()
    with freeze_gc():
        pass
    assert not gc.isenabled()
    gc.enable()
    with pytest.raises(LookupError), freeze_gc():
        raise LookupError
    assert gc.isenabled()


def test_bypass_pyside_import_reads_no_source() -> None:
    done = subprocess.run([sys.executable, "-c", AFTER_QT], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_start_before_first_paint_imports_little(tmp_path: Path) -> None:
    command = [sys.executable, "-c", BUILT, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr


def test_bypass_pyside_import_without_pyside_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(builtins, PLAIN, raising=False)
    before = builtins.__import__
    bypass_pyside_import()
    assert builtins.__import__ is before
