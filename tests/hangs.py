"""Ends a process that hangs, with where it hangs written past whatever keeps what tests say: that would go with it."""

import faulthandler
import os

_log = [2]
"""Where errors go, as pytest was started."""


def keep_log() -> None:
    """Before anything is kept back."""
    _log[:] = [os.dup(2)]


def end_after(seconds: float) -> None:
    """From now, unless it is asked again or called off by then."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=_log[0])


def call_off() -> None:
    faulthandler.cancel_dump_traceback_later()
