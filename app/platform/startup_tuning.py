"""What the start is spared: collections that find nothing, and PySide's look into the source of every module."""

import builtins
import gc
from collections.abc import Iterator
from contextlib import contextmanager

PLAIN = "__orig_import__"
"""Under this name PySide keeps Python's own import when it puts its own in the place of that."""


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
