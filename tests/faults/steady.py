"""Steady: the whole suite, twenty times in a row, every second time beside a busy program for each processor.

`make faults POINTS=steady/late` runs it with threads put off instead, each step by up to so many milliseconds.
`SLUICE_STEADY_TIMES` says how often.
"""

import os
from contextlib import nullcontext
from unittest import mock

from tests.busy import busy
from tests.faults import by_pytest
from tests.faults.table import Row

POINT = "steady"
TIMES = 20
LATE_MS = 300
AS_IN_MAKE_TEST = ("--numprocesses", "3", "--dist", "loadfile", "--no-loadscope-reorder")


def rows(*parts: str, what: tuple[str, ...] = AS_IN_MAKE_TEST) -> list[Row]:
    """One for each run."""
    times = int(os.environ.get("SLUICE_STEADY_TIMES", TIMES))
    ways = parts or ("alone", "busy")
    return [run(ways[number % len(ways)], number + 1, what) for number in range(times)]


def run(way: str, number: int, what: tuple[str, ...]) -> Row:
    """The suite once: alone, busy or late."""
    beside = busy(os.cpu_count() or 1) if way == "busy" else nullcontext()
    late = str(LATE_MS) if way == "late" else "0"
    # The same examples each time: others are tried by a point of their own.
    with beside, mock.patch.dict(os.environ, SLUICE_EXAMPLES="same", SLUICE_LATE_MS=late):
        tests = by_pytest.run(POINT, *what)
    lost = tuple(f"{each.tried}: {told}" for each in tests for told in each.lost)
    return Row(POINT, f"run {number}, {way}: {len(tests):,} tests", 1, lost)
