"""A stranger's chat template that runs in here gets so much of the processor's time, and no more."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

TEMPLATE_S = 1.0
"""Of the processor. Real templates take a thousandth of a second, the longest conversations some hundredths."""

LONGEST_TEMPLATE = 300_000
"""Characters; the longest that is known has a tenth of it. More takes seconds to compile."""

_own = threading.local()


class TimeLimitError(BaseException):
    """It had its time. No `Exception`: nobody who tries another way, and another, is to go on after it."""


@contextmanager
def time_limit(seconds: float = TEMPLATE_S) -> Iterator[None]:
    """Within it `go_on` ends what takes longer; within another one, the shorter counts."""
    before = getattr(_own, "end", float("inf"))
    _own.end = min(before, time.thread_time() + seconds)
    try:
        yield
    finally:
        _own.end = before


def go_on() -> None:
    """Asked at every turn of a stranger's loops. Python's hook for debuggers needs no asking, and costs fifteenfold."""
    if time.thread_time() > getattr(_own, "end", float("inf")):
        raise TimeLimitError
