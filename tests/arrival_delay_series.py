"""Delays threads at random, to find tests that rely on a fast thread."""

import os
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

LONGEST_S = float(os.environ.get("SLUICE_LATE_MS", "0")) / 1000
"""Maximum delay; 0 means none."""


def put_off(patch: pytest.MonkeyPatch) -> None:
    """Delay thread calls that are awaited, and each step of the session database."""
    if LONGEST_S:
        from app.bridge.tasks import _Threads
        from app.records.writer import JournalWriter

        patch.setattr(_Threads, "_work", _late(_Threads._work))
        patch.setattr(JournalWriter, "_collect", _late(JournalWriter._collect))


def _late(step: Callable[..., Any]) -> Callable[..., Any]:
    def late(*given: Any) -> Any:
        time.sleep(random.random() * LONGEST_S)
        return step(*given)

    return late
