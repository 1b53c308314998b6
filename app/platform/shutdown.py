"""Deadlines of the shutdown, which takes at most five seconds."""

import sys
import threading
import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

SHUTDOWN_S = 5.0
WAITS_S = 4.5
"""Seconds for running work and writes."""
JOURNAL_S = 1.0
"""Seconds of WAITS_S that are reserved for the journal."""
SETTINGS_S = 0.25
"""Seconds for the settings, even after the deadline."""


def deadline(seconds: float | None = None) -> float:
    """Return a deadline in monotonic seconds; by default that of the shutdown."""
    return time.monotonic() + (WAITS_S if seconds is None else seconds)


def engine_deadline(until: float) -> float:
    """Return the deadline for the engine and for readers, which end before the journal."""
    return until - JOURNAL_S


def seconds_left(until: float) -> float:
    return max(0.0, until - time.monotonic())


def guarded(act: Callable[[], Value], instead: Value) -> Value:
    """Return `act()`; if it raises an error, report it and return `instead`."""
    try:
        return act()
    except Exception:
        sys.excepthook(*sys.exc_info())
        return instead


def end_in_time(end: Callable[[], object], seconds: float = SHUTDOWN_S) -> None:
    """Call `end` on another thread after these seconds, if the process still runs."""
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
