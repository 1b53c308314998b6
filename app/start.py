"""What the start is spared: collections that find nothing, PySide's look into the source of every module, and a window
that waits for what other threads import.
"""

import builtins
import gc
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

PLAIN = "__orig_import__"
"""Under this name PySide keeps Python's own import when it puts its own in the place of that."""
EVERY_S, PAUSE_S = 0.004, 0.0003
"""So often a thread that imports pauses, and for so long."""


@contextmanager
def lasting() -> Iterator[None]:
    """What is imported and made meanwhile stays as long as the program, so no collection looks at it, now or later."""
    by_itself = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if by_itself:
            gc.enable()


def import_plainly() -> None:
    """Call this when PySide is there, and before the modules that are many.

    For its `__feature__`, which nobody here asks for, PySide reads the source of each module that is imported after it,
    mlx_lm's and transformers' hundreds too: a tenth of the time that they take.
    """
    plain = getattr(builtins, PLAIN, None)
    if plain is not None:
        vars(builtins)["__import__"] = plain


class ImportPauses:
    """Finds nothing: it is asked before each import, and has any thread but the window's pause now and then.

    An import asks the disk for something many times in a millisecond, letting go of the interpreter for some
    microseconds each time. The window's thread wakes up too late for any of them: for up to a tenth of a second.
    """

    def __init__(self) -> None:
        self._due = 0.0

    def find_spec(self, _name: str, _path: Sequence[str] | None, _target: object = None) -> None:
        if threading.get_ident() != threading.main_thread().ident and time.monotonic() >= self._due:
            time.sleep(PAUSE_S)
            self._due = time.monotonic() + EVERY_S


PAUSES = ImportPauses()


def pause_imports() -> None:
    """Call this on the window's thread. The list is replaced, since another thread may be going through it."""
    if PAUSES not in sys.meta_path:
        sys.meta_path = [PAUSES, *sys.meta_path]
