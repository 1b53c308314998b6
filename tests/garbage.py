"""Keeps garbage collections short: objects from before a test module are frozen.

The libraries create almost a million objects; a full collection of them takes 0.25 s, and the tests request thousands.
"""

import gc

_freeze = gc.freeze


def keep_aside() -> None:
    """Freeze the libraries' objects once, as the program does after its imports.

    Objects that the program would freeze can still be collected, and found, by every test.
    """
    gc.freeze = gc.unfreeze = _leave_be


def set_aside() -> None:
    """Freeze all live objects: libraries, pytest and session fixtures."""
    gc.collect()
    _freeze()


def _leave_be() -> None:
    pass
