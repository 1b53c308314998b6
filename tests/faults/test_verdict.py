"""What many seeds of the random user come to: a late loop and whatever stays behind are faults."""

from dataclasses import replace

import pytest

from tests.faults.soak.holdings import Holdings, holdings
from tests.faults.soak.report import Report
from tests.faults.soak.verdict import FLAT_KB, LATE_MS, WARM_LIVES, Verdict

FLAT = Holdings(memory_kb=200_000, threads=1, handles=10, in_use_kb=40_000, blocks=700_000)
IN_TIME = [1.0] * 1000


def faults(late_ms: list[float], *after: Holdings) -> list[str]:
    verdict = Verdict()
    verdict.add(Report(1, late_ms=late_ms, lives=[Holdings(60_000, 1, 7)] * WARM_LIVES))
    verdict.add(Report(2, late_ms=IN_TIME, lives=[FLAT, *after]))
    return verdict.faults()


def test_what_is_flat_and_in_time_has_no_fault() -> None:
    assert faults(IN_TIME, replace(FLAT, memory_kb=260_000, in_use_kb=FLAT.in_use_kb + FLAT_KB)) == []


def test_one_round_in_a_hundred_may_be_late() -> None:
    assert faults([LATE_MS + 1.0] * 19 + IN_TIME) == []
    assert faults([LATE_MS + 1.0] * 25 + IN_TIME) == [f"the event loop is late: p99 51 ms, at most {LATE_MS}"]


@pytest.mark.parametrize(
    "grown",
    [
        replace(FLAT, threads=2),
        replace(FLAT, handles=11),
        replace(FLAT, in_use_kb=FLAT.in_use_kb + FLAT_KB + 1),
        replace(FLAT, blocks=800_000),
    ],
)
def test_what_stays_behind_is_a_fault(grown: Holdings) -> None:
    assert len(faults(IN_TIME, FLAT, grown)) == 1


def test_what_is_held_is_seen() -> None:
    """Four megabytes in small pieces and in a large one, and many small objects of Python's."""
    before = holdings()
    if before is None or not before.in_use_kb:
        pytest.skip("the system does not tell")
    kept = [bytearray(1000) for _ in range(2000)], bytearray(2_000_000)
    after = holdings()
    assert after is not None and len(kept) == 2
    assert 3_800 < after.in_use_kb - before.in_use_kb < 6_000
    assert after.blocks - before.blocks >= 2000
