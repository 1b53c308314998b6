"""Preparation of the process: OpenBLAS and malloc on Linux, a check for a display, quick imports, restarts.

The BLAS of mlx on Linux is many times slower than OpenBLAS.
"""

import builtins
import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from app.files.regular_files import expand_home

FOLDERS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib")
# On Fedora libopenblas has one thread, and libopenblasp has many.
NAMES = ("libopenblasp.so.0", "libopenblas.so.0")

PRELOAD = "LD_PRELOAD"
# Marks the restarted process, so that it doesn't restart again.
GUARD = "SLUICE_STARTED_OVER"
# Followed by the language: the child process that downloads a model.
FETCH_SWITCH = "--fetch-model"
# Followed by a command of mlx-lm or mlx: the child process that serves a model.
SERVE_SWITCH = "--serve-model"
# The child process that renders untrusted chat templates.
TEMPLATE_SWITCH = "--render-templates"
# The child process that quantizes a model and measures its perplexity.
QUANTISE_SWITCH = "--quantise-model"

M_ARENA_MAX, HEAPS = -8, 2

STARTER = "_PYI_"
LIBRARY_PATHS = ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH")


def begin(arguments: Sequence[str]) -> None:
    """Prepare the process. Call it before other imports: a restart repeats them."""
    if arguments[:1] not in ([FETCH_SWITCH], [TEMPLATE_SWITCH]):  # these processes don't compute
        preload_blas()


def preload_blas(folders: Iterable[str] = FOLDERS) -> None:
    """Restart the process once with OpenBLAS preloaded. Call it first, before any thread runs.

    A restarted process, or one that `packaging/linux/preload.sh` started, instead restores the environment for child
    processes. The number of OpenBLAS threads is set when a model is opened.
    """
    if GUARD in os.environ:
        _forget_traces()
        return
    library = find_openblas(folders)
    if sys.platform == "linux" and library is not None and "openblas" not in os.environ.get(PRELOAD, ""):
        _start_over(library)


def limit_malloc_arenas() -> None:
    """Limit glibc to two malloc arenas. Call it before any thread runs.

    By default there are up to eight per processor, and memory freed in one isn't used by another: ten minutes of random
    use took 200 MB instead of 150.
    """
    import ctypes  # not needed before the restart

    choose = getattr(ctypes.CDLL(None), "mallopt", None)
    if choose is not None:
        choose(M_ARENA_MAX, HEAPS)


def disable_telemetry(environment: MutableMapping[str, str]) -> None:
    """Turn off huggingface_hub's telemetry, before it is imported."""
    environment["HF_HUB_DISABLE_TELEMETRY"] = "1"


def use_full_float32(environment: MutableMapping[str, str]) -> None:
    """Turn off TF32 unless the environment allows it. MLX reads this at its first operation.

    MLX's default rounds float32 operations on CUDA and on an M5's matrix units, so results depend on the batch.
    """
    environment.setdefault("MLX_ENABLE_TF32", "0")


def restore_environment(environment: MutableMapping[str, str], bundle: str) -> None:
    """Remove the variables of PyInstaller and Qt from the environment, once both have read them.

    Otherwise other programs, such as the browser, load the bundle's libraries.
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
    """Return whether there is a display. Without one, Qt aborts the process."""
    named = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
    return platform != "linux" or any(environment.get(name) for name in named)


def find_openblas(folders: Iterable[str]) -> Path | None:
    """Return the path of the system's OpenBLAS; None if it isn't installed."""
    files = (Path(folder) / name for folder in folders for name in NAMES)
    return next((file for file in files if file.is_file()), None)


def restart(
    but: Path | None = None,
    environment: Mapping[str, str | None] = MappingProxyType({}),
    platform: str = sys.platform,
    execute: Callable[[str, list[str]], object] = os.execv,
    start: Callable[[list[str]], object] | None = None,
) -> None:
    """Restart the program with the same arguments, except a file that is already open.

    `environment`: original values of changed variables. macOS needs a new process for a new window.
    """
    for name, value in environment.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    same = [each for each in sys.orig_argv[1:] if but is None or expand_home(each).absolute() != but]
    if platform == "darwin":
        (start or _spawn)([sys.executable, *same])
    else:
        execute(sys.executable, [sys.executable, *same])


def child_command(switch: str) -> list[str]:
    """Return the command of a child process of this program; a frozen program contains no other Python."""
    return [sys.executable, *(() if getattr(sys, "frozen", False) else ("-m", "app")), switch]


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which the child process finds this program's modules.

    Without PYTHONSAFEPATH, Python would prefer a package `app` in the current folder.
    """
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH"))))
    return {**environment, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


def _spawn(command: list[str]) -> None:
    import subprocess  # not needed by anything else before the first paint

    subprocess.Popen(command, start_new_session=True)


def _start_over(library: Path) -> None:
    libraries = filter(None, (str(library), os.environ.get(PRELOAD)))
    os.environ |= {PRELOAD: ":".join(libraries), GUARD: "1"}
    try:
        # Arguments after the interpreter's name: `-m app …`, or in the frozen program only its own.
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except OSError:
        _forget_traces()


def _forget_traces() -> None:
    del os.environ[GUARD]
    _, _, others = os.environ.pop(PRELOAD, "").partition(":")
    if others:
        os.environ[PRELOAD] = others


PLAIN = "__orig_import__"
"""PySide's name for Python's original import function."""


@contextmanager
def freeze_gc() -> Iterator[None]:
    """Exclude all objects created inside from garbage collection, now and later."""
    by_itself = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if by_itself:
            gc.enable()


def bypass_pyside_import() -> None:
    """Restore Python's import function. Call it after importing PySide, before other imports.

    For its `__feature__`, which isn't used here, PySide reads the source of each module imported after it: 10 % of the
    import time.
    """
    plain = getattr(builtins, PLAIN, None)
    if plain is not None:
        vars(builtins)["__import__"] = plain
