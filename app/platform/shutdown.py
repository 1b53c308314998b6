"""Leaving takes five seconds at the most, whatever hangs by then."""

import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

LEAVING_S = 5.0
WAITS_S = 4.5
"""What is still going on or being written has so long; the rest is for what comes after it."""
JOURNAL_S = 1.0
"""The last of these is the journal's, whatever hangs before it: what was said last is still to be written."""
SETTINGS_S = 0.25
"""They come last and are small: they have so long even where all else has used up its time."""


def moment(seconds: float | None = None) -> float:
    """Until when is waited, by the monotonic clock: so long from now or, where nothing is said, as whoever leaves."""
    return time.monotonic() + (WAITS_S if seconds is None else seconds)


def before_journal(until: float) -> float:
    """Until when is waited for what the journal is closed after: the engine, and whoever reads it."""
    return until - JOURNAL_S


def left(until: float) -> float:
    """How long is still to be waited."""
    return max(0.0, until - time.monotonic())


def guarded(act: Callable[[], Value], instead: Value) -> Value:
    """What it returns; an error in it is told as any other is, and holds up nothing that comes after it."""
    try:
        return act()
    except Exception:
        sys.excepthook(*sys.exc_info())
        return instead


def end_in_time(end: Callable[[], object], seconds: float = LEAVING_S) -> None:
    """Call this when leaving begins: after so long `end` is called on another thread, if anything is left by then."""
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
