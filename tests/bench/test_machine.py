"""When a measurement says more about the machine than about the program."""

import mmap
import os
import subprocess
import sys
import threading

import pytest

from tests.bench.machine import Delays, Others, all_threads, is_disturbed, resident_bytes

HELD_BYTES = 100_000_000


@pytest.mark.parametrize(
    ("milliseconds", "delayed_ms", "disturbed"),
    [(0.0, 0.9, False), (0.0, 1.1, True), (4.0, 1.1, True), (50.0, 9.0, False), (50.0, 11.0, True)],
)
def test_a_long_measurement_bears_more_waiting_than_a_short_one(
    milliseconds: float, delayed_ms: float, disturbed: bool
) -> None:
    assert is_disturbed(milliseconds, 7.0, 7.0 + delayed_ms / 1000) is disturbed


def test_where_delays_are_not_told_nothing_counts_as_disturbed() -> None:
    assert not is_disturbed(10.0, None, None)
    assert Delays().seconds() is None


def test_delays_of_a_thread_only_grow() -> None:
    delays = Delays(threading.get_native_id())
    before = delays.seconds()
    if before is None:
        pytest.skip("this system does not tell how long a thread waited for a processor")
    after = delays.seconds()
    assert after is not None
    assert after >= before


def test_what_another_process_takes_is_counted() -> None:
    others = Others()
    before = others.seconds()
    if before is None:
        pytest.skip("this system does not tell how busy its processors were")
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    subprocess.run([sys.executable, "-c", busy], check=True)
    after = others.seconds()
    assert after is not None
    assert after - before > 0.3


def test_this_thread_is_among_all() -> None:
    assert not all_threads() or threading.get_native_id() in all_threads()


def test_memory_held_grows_with_what_is_held() -> None:
    """A mapping of its own, since memory that Python has freed may be used again; other parts may shrink meanwhile."""
    before = resident_bytes()
    with mmap.mmap(-1, HELD_BYTES) as held:
        held.write(os.urandom(HELD_BYTES))
        assert resident_bytes() - before > HELD_BYTES / 2
