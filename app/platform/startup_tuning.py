"""Startup optimizations: no garbage collection, and no source scan by PySide."""

import builtins
import gc
from collections.abc import Iterator
from contextlib import contextmanager

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
