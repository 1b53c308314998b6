"""The start-over with OpenBLAS: once, with the same arguments, and with nothing left for child processes."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.platform import bootstrap

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="OpenBLAS is preloaded on Linux alone")

# Started as the program is: the call first, then what the process has become.
PROGRAM = """
import json, os, sys
from app.platform import bootstrap
bootstrap.preload_blas([{folder!r}])
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
from app.platform import bootstrap
print(os.environ[bootstrap.PRELOAD])
bootstrap.preload_blas()
print(os.environ[bootstrap.PRELOAD])
"""

HEAPS = """
import ctypes, threading
from app.platform import bootstrap
bootstrap.keep_few_heaps()
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
    clean = {name: value for name, value in os.environ.items() if name != bootstrap.PRELOAD}
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
def test_start_over_keeps_process_and_arguments_and_leaves_children_nothing(library: Path) -> None:
    became = run(library)
    assert became["preloaded"]
    assert became["arguments"] == ["--model", "a folder"]
    assert not {bootstrap.PRELOAD, bootstrap.GUARD} & set(became["environment"])


@linux_only
@pytest.mark.parametrize("same", [False, True], ids=["another library", "OpenBLAS itself"])
def test_start_over_keeps_what_the_user_preloads(library: Path, tmp_path: Path, same: bool) -> None:
    other = library if same else tmp_path / "other.so"
    if not same:
        other.write_bytes(library.read_bytes())
    became = run(library, LD_PRELOAD=str(other))
    assert became["preloaded"]
    assert became["environment"][bootstrap.PRELOAD] == str(other)


@linux_only
def test_start_without_openblas_is_not_started_over(tmp_path: Path) -> None:
    assert not run(tmp_path / "absent" / "libopenblas.so.0")["preloaded"]


@linux_only
def test_what_the_start_over_comes_before_is_imported_once() -> None:
    if bootstrap.find_openblas(bootstrap.FOLDERS) is None:
        pytest.skip("the system's OpenBLAS is not installed")
    command = [sys.executable, "-X", "importtime", "-m", "app", "--version"]
    environment = {
        name: value for name, value in os.environ.items() if name not in (bootstrap.PRELOAD, bootstrap.GUARD)
    }
    told = subprocess.run(command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True)
    imported = [line.rpartition("|")[2].strip() for line in told.stderr.splitlines()]
    assert (imported.count("app.platform.bootstrap"), imported.count("app.cli.arguments")) == (2, 1)


@linux_only
def test_the_launchers_give_what_it_would_start_over_with() -> None:
    """A Mac's `make run` has nothing to give either: there it only starts."""
    root = Path(__file__).parents[2]
    assert "packaging/linux/preload.sh $(PYTHON) -m app\n" in (root / "Makefile").read_text("utf-8")
    script = (root / "packaging" / "linux" / "preload.sh").read_text("utf-8")
    assert f"in {' '.join(bootstrap.FOLDERS)}; do" in script
    assert f"in {' '.join(bootstrap.NAMES)}; do" in script
    if (library := bootstrap.find_openblas(bootstrap.FOLDERS)) is None:
        pytest.skip("the system's OpenBLAS is not installed")
    environment = {"PATH": os.environ["PATH"], bootstrap.PRELOAD: "/absent.so"}
    command = [str(root / "packaging" / "linux" / "preload.sh"), sys.executable, "-c", LAUNCHED]
    told = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split() == [f"{library}:/absent.so", "/absent.so"]


@pytest.mark.parametrize("switch", [bootstrap.FETCH_SWITCH, bootstrap.TEMPLATE_SWITCH])
def test_children_that_calculate_nothing_are_not_started_over(switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "preload_blas", pytest.fail)
    bootstrap.begin([switch])


def test_one_with_threads_is_preferred(library: Path) -> None:
    threaded = library.with_name("libopenblasp.so.0")
    threaded.write_bytes(b"")
    assert bootstrap.find_openblas((str(library.parent),)) == threaded


def test_other_systems_are_left_alone(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os, "execv", pytest.fail)
    bootstrap.preload_blas([str(library.parent)])
    assert bootstrap.GUARD not in os.environ


@linux_only
def test_threads_share_two_heaps() -> None:
    told = subprocess.run(
        [sys.executable, "-c", HEAPS], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=30
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.count("<heap nr=") == bootstrap.HEAPS


def test_a_start_over_that_fails_leaves_everything_as_it_was(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(program: str, arguments: list[str]) -> None:
        raise OSError("no")

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "execv", refuse)
    monkeypatch.delenv(bootstrap.PRELOAD, raising=False)
    before = dict(os.environ)
    bootstrap.preload_blas([str(library.parent)])
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
def test_a_screen(environment: dict[str, str], platform: str, there: bool) -> None:
    assert bootstrap.has_screen(environment, platform) is there


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
def test_children_of_the_frozen_program_find_their_own_libraries(given: dict[str, str], left: dict[str, str]) -> None:
    bootstrap.forget_bundle(given, "/app/_internal")
    assert given == left


def test_it_starts_again_as_it_was_started_but_for_the_file_that_is_open(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[list[str]] = []
    monkeypatch.setenv("CHANGED", "now")
    monkeypatch.delenv("ADDED", raising=False)
    monkeypatch.setenv("ADDED", "now")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "app", "--engine", "echo", "a.sluice"])
    again = partial(bootstrap.start_again, tmp_path / "a.sluice", {"CHANGED": "before", "ADDED": None})
    again("linux", lambda program, command: started.append([program, *command]))
    assert started == [[sys.executable, sys.executable, "-m", "app", "--engine", "echo"]]
    assert (os.environ["CHANGED"], os.environ.get("ADDED")) == ("before", None)
    again("darwin", start=started.append)
    assert started[1] == [sys.executable, "-m", "app", "--engine", "echo"]
    bootstrap.start_again(None, platform="darwin", start=started.append)
    assert started[2][-1] == "a.sluice"
