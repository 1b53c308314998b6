"""Keeps collections short: what a module of tests finds in memory is set aside, and looked at by none of its own.

The libraries make most of a million objects; a full collection among them takes a quarter of a second, and the tests
ask for thousands.
"""

import gc

_freeze = gc.freeze


def keep_aside() -> None:
    """The program freezes what its imports have made; here that is done once, and for the libraries alone.

    Nothing is weakened by it: what the program would freeze can be collected, and found, by every test.
    """
    gc.freeze = gc.unfreeze = _leave_be


def set_aside() -> None:
    """All that is not garbage belongs to the libraries, to pytest, or to fixtures of the whole session."""
    gc.collect()
    _freeze()


def _leave_be() -> None:
    pass
