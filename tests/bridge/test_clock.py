"""The frame clock, with longer intervals for slow frames, and the mailbox that it empties."""

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.bridge.clock import FRAME_MS, SLOWEST, FrameClock
from app.bridge.mailbox import ALONE_S, Mailbox
from app.engine.types import Loading


def timer_of(frames: FrameClock) -> QTimer:
    timer = frames.findChild(QTimer)
    assert timer is not None
    return timer


@pytest.fixture
def ticks(qapp: object) -> list[None]:
    return []


@pytest.fixture
def frames(ticks: list[None]) -> FrameClock:
    clock = FrameClock()
    clock.ticked.connect(lambda: ticks.append(None))
    return clock


def test_clock_ticks_only_between_start_and_stop(frames: FrameClock, ticks: list[None], qtbot: QtBot) -> None:
    frames.start()
    qtbot.waitUntil(lambda: len(ticks) >= 3)
    frames.stop()
    assert not timer_of(frames).isActive()


def test_clock_interval_grows_with_slow_frames_and_shrinks_again(frames: FrameClock) -> None:
    slowest = SLOWEST * FRAME_MS
    for took, expected in [(9.0, 66), (9.0, 132), (9.0, slowest), (6.0, slowest), (1.0, 66), (1.0, FRAME_MS)]:
        frames._adapt(took)
        assert timer_of(frames).interval() == expected


def test_clock_set_pace_takes_effect_at_once_and_scales_slow_frames(frames: FrameClock) -> None:
    frames.start()
    frames.set_pace(10)
    assert (timer_of(frames).interval(), timer_of(frames).isActive()) == (10, True)
    for took, expected in [(9.0, 20), (9.0, 40), (9.0, 40), (1.0, 20), (1.0, 10)]:
        frames._adapt(took)
        assert timer_of(frames).interval() == expected
    frames.stop()
    frames.start()
    assert timer_of(frames).interval() == 10
    frames.stop()


def test_clock_rouse_ticks_at_once_at_the_default_pace_only(frames: FrameClock, ticks: list[None]) -> None:
    frames.rouse()
    assert not ticks, "no run is active"
    frames.start()
    frames.rouse()
    assert (len(ticks), timer_of(frames).isActive()) == (1, True)
    frames._adapt(9.0)
    frames.rouse()
    frames.set_pace(2 * FRAME_MS)
    frames.rouse()
    assert len(ticks) == 1
    frames.stop()


def test_mailbox_signals_only_events_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    times = [10.0, 10.0 + ALONE_S / 2, 10.0 + ALONE_S, 10.0 + 2.1 * ALONE_S, 11.0]
    coming = iter(times)
    monkeypatch.setattr("app.bridge.mailbox.time.monotonic", lambda: next(coming))
    box, roused, events = Mailbox(), [], [Loading(str(number), 0, 0) for number in range(len(times))]
    box.lone_event_arrived.connect(lambda: roused.append(len(box._events)))
    for event in events:
        box.put(event)
    assert roused == [1, 4, 5]
    assert box.drain() == events
    assert box.drain() == []
