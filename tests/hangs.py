"""Ends a hanging process and writes its stack past pytest's capture, which would be lost."""

import faulthandler
import os

_log = [2]
"""File descriptor of stderr before pytest captures it."""


def keep_log() -> None:
    """Save stderr before pytest captures it."""
    _log[:] = [os.dup(2)]


def end_after(seconds: float) -> None:
    """End the process after this time, unless this is called again or cancelled."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=_log[0])


def call_off() -> None:
    faulthandler.cancel_dump_traceback_later()
