"""What Linux needs before the program starts: the system's OpenBLAS, since mlx's own is many times slower; a screen.

And a C library that keeps few heaps.
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from pathlib import Path
from types import MappingProxyType

from app.files.regular_files import at_home

FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib")
# Fedora's plain one has a single thread, and a name of its own for the one with more.
NAMES = ("libopenblasp.so.0", "libopenblas.so.0")

PRELOAD = "LD_PRELOAD"
# Tells the program that it was started over: it ends the loop.
GUARD = "SLUICE_STARTED_OVER"
# With this switch, and the language to speak behind it, the program is the child process that downloads a model.
FETCH_SWITCH = "--fetch-model"
# With this one, and a command of mlx-lm's or mlx's behind it, it is the child process that serves a model.
SERVE_SWITCH = "--serve-model"
# With this one it is the child process that renders strangers' chat templates.
TEMPLATE_SWITCH = "--render-templates"
# With this one it is the child process that quantises a model and weighs what that costs.
QUANTISE_SWITCH = "--quantise-model"

M_ARENA_MAX, HEAPS = -8, 2

STARTER = "_PYI_"
LIBRARY_PATHS = ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH")


def begin(arguments: Sequence[str]) -> None:
    """Call this before the program's own imports: those made until it starts over are made twice."""
    if arguments[:1] not in ([FETCH_SWITCH], [TEMPLATE_SWITCH]):  # these don't calculate
        preload_blas()


def preload_blas(folders: Iterable[str] = FOLDERS) -> None:
    """Call this first of all, before any thread runs: where OpenBLAS is found, it starts the process over, once.

    The second time, and where `packaging/linux/preload.sh` spared it the first, it takes its traces out again, so that
    child processes start as the user would start them. How many threads OpenBLAS uses is decided with each model that
    is opened.
    """
    if GUARD in os.environ:
        _forget_traces()
        return
    library = find_openblas(folders)
    if sys.platform == "linux" and library is not None and "openblas" not in os.environ.get(PRELOAD, ""):
        _start_over(library)


def keep_few_heaps() -> None:
    """Call this before any thread runs. glibc gives each thread a heap of its own, up to eight for each processor, and
    what one has let go of serves no other: in ten minutes of a random user 150 MB became 200, with two they stay 150.
    """
    import ctypes  # which the first of two starts would import in vain

    choose = getattr(ctypes.CDLL(None), "mallopt", None)
    if choose is not None:
        choose(M_ARENA_MAX, HEAPS)


def tell_nobody(environment: MutableMapping[str, str]) -> None:
    """The hub's library tells the hub what else is installed here, unless this is set before it is imported."""
    environment["HF_HUB_DISABLE_TELEMETRY"] = "1"


def forget_bundle(environment: MutableMapping[str, str], bundle: str) -> None:
    """Take out what the frozen program's starter and Qt set for themselves, once both have read it.

    Other programs, such as the browser that opens a link, would load the bundle's libraries instead of their own.
    """
    for name in [name for name in environment if name.startswith(STARTER)]:
        del environment[name]
    for name in LIBRARY_PATHS:
        before = environment.pop(f"{name}_ORIG", None)
        if environment.get(name, "").startswith(bundle):
            del environment[name]
            if before:
                environment[name] = before


def has_screen(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be opened: without a display Qt would abort the process instead of saying so."""
    named = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    return platform != "linux" or any(environment.get(name) for name in named)


def find_openblas(folders: Iterable[str]) -> Path | None:
    """The system's OpenBLAS, if it is installed."""
    places = (Path(folder) / name for folder in folders for name in NAMES)
    return next((place for place in places if place.is_file()), None)


def start_again(
    but: Path | None = None,
    environment: Mapping[str, str | None] = MappingProxyType({}),
    platform: str = sys.platform,
    execute: Callable[[str, list[str]], object] = os.execv,
    start: Callable[[list[str]], object] | None = None,
) -> None:
    """The last act: the same program with the same arguments, without a file that it has opened already.

    `environment` has what was changed in it since the start, as it was. A Mac wants a new process for a new window.
    """
    for name, value in environment.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    same = [each for each in sys.orig_argv[1:] if but is None or at_home(each).absolute() != but]
    if platform == "darwin":
        (start or _spawn)([sys.executable, *same])
    else:
        execute(sys.executable, [sys.executable, *same])


def child_command(switch: str) -> list[str]:
    """What starts this program as a child of its own: where it is frozen there is no other Python to call."""
    return [sys.executable, *(() if getattr(sys, "frozen", False) else ("-m", "app")), switch]


def child_environment(given: Mapping[str, str]) -> dict[str, str]:
    """In which the child finds this program."""
    root = str(Path(__file__).parents[2])
    return {**given, "PYTHONPATH": os.pathsep.join(filter(None, (root, given.get("PYTHONPATH"))))}


def _spawn(command: list[str]) -> None:
    import subprocess  # not needed by anything else before the first paint

    subprocess.Popen(command, start_new_session=True)


def _start_over(library: Path) -> None:
    libraries = filter(None, (str(library), os.environ.get(PRELOAD)))
    os.environ |= {PRELOAD: ":".join(libraries), GUARD: "1"}
    try:
        # Frozen or not, the interpreter's own arguments follow its name: `-m app …`, or the program's alone.
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except OSError:
        _forget_traces()


def _forget_traces() -> None:
    del os.environ[GUARD]
    _, _, others = os.environ.pop(PRELOAD, "").partition(":")
    if others:
        os.environ[PRELOAD] = others
