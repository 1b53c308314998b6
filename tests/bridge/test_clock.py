import math
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.bridge import clock
from app.bridge.clock import FRAME_MS, LONGEST_MS, QUIET_MS, SHARE, FrameClock
from app.bridge.mailbox import Mailbox
from app.engine.types import Loading


class Times:
    """The clocks of the module `time`, in ms."""

    def __init__(self) -> None:
        self.now_ms = 1_000.0
        self.used_ms = 0.0

    def monotonic(self) -> float:
        return self.now_ms / 1_000

    def thread_time(self) -> float:
        return self.used_ms / 1_000


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    times = Times()
    monkeypatch.setattr(clock, "time", times)
    return times


@pytest.fixture
def ticks(qapp: object) -> list[None]:
    return []


@pytest.fixture
def frames(ticks: list[None]) -> Iterator[FrameClock]:
    clock = FrameClock()
    clock.ticked.connect(lambda: ticks.append(None))
    yield clock
    clock.stop()


def timer_of(frames: FrameClock) -> QTimer:
    timer = frames.findChild(QTimer)
    assert timer is not None
    return timer


def test_clock_ticks_only_between_start_and_stop(frames: FrameClock, ticks: list[None], qtbot: QtBot) -> None:
    frames.request()
    assert not ticks and not timer_of(frames).isActive()
    frames.start()
    qtbot.waitUntil(lambda: len(ticks) >= 2)
    assert timer_of(frames).interval() == QUIET_MS
    frames.stop()
    assert not timer_of(frames).isActive()


@pytest.mark.parametrize("frame_ms", [FRAME_MS, 10, 80])
def test_clock_request_after_half_an_interval_ticks_at_once(
    frames: FrameClock, ticks: list[None], times: Times, frame_ms: int
) -> None:
    frames.frame_ms = frame_ms
    frames.start()
    frames.tick()
    for elapsed, count, timer_ms in [(0.3, 1, round(0.7 * frame_ms)), (0.3, 2, QUIET_MS), (0.6, 3, QUIET_MS)]:
        times.now_ms += elapsed * frame_ms
        frames.request()
        assert (len(ticks), timer_of(frames).interval()) == (count, timer_ms)


@pytest.mark.parametrize("cost_ms", [1, 4, 8, 30])
@pytest.mark.parametrize("gap_ms", [5, 1_000 / 60, 20, 51])
def test_clock_keeps_its_share_of_a_core_with_intervals_of_50_ms_at_most(
    frames: FrameClock, ticks: list[None], times: Times, gap_ms: float, cost_ms: float
) -> None:
    frames.start()
    waits, started, next_at = list[float](), times.now_ms, times.now_ms
    while len(waits) < 200:
        times.now_ms = arrived = next_at
        next_at += gap_ms
        before = len(ticks)
        frames.request()
        if len(ticks) == before:
            due = arrived + timer_of(frames).interval()
            next_at, times.now_ms = arrived + math.ceil((due - arrived) / gap_ms) * gap_ms, due
            frames.tick()
        waits.append(times.now_ms - arrived)
        times.used_ms += cost_ms
    assert max(waits) <= LONGEST_MS
    if gap_ms >= LONGEST_MS:
        assert max(waits) == 0
    if cost_ms / SHARE <= LONGEST_MS:
        assert times.used_ms / (times.now_ms - started) <= 1.2 * SHARE


def test_mailbox_signals_the_first_event_after_each_drain(qapp: object) -> None:
    box, signaled, events = Mailbox(), list[int](), [Loading(str(number), 0, 0) for number in range(4)]
    box.filled.connect(lambda: signaled.append(len(box._events)))
    for event in events[:3]:
        box.put(event)
    assert box.drain() == events[:3]
    box.put(events[3])
    assert signaled == [1, 1]
    assert box.drain() == events[3:]
    assert box.drain() == []
