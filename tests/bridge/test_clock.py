"""The frame clock: its interval, and longer ones for slow frames."""

from PySide6.QtCore import QObject, QTimer, Slot
from pytestqt.qtbot import QtBot

from app.bridge import clock
from app.bridge.clock import FRAME_MS, SLOWEST, FrameClock


class Counter(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    @Slot()
    def tick(self) -> None:
        self.count += 1


def interval(frames: FrameClock) -> int:
    timer = frames.findChild(QTimer)
    assert timer is not None
    return timer.interval()


def test_clock_ticks_only_between_start_and_stop(qtbot: QtBot) -> None:
    frames, counter = FrameClock(), Counter()
    frames.ticked.connect(counter.tick)
    frames.start()
    qtbot.waitUntil(lambda: counter.count >= 3)
    frames.stop()
    timer = frames.findChild(QTimer)
    assert timer is not None
    assert not timer.isActive()


def test_clock_tick_called_directly_emits_at_once() -> None:
    frames, counter = FrameClock(), Counter()
    frames.ticked.connect(counter.tick)
    frames.tick()
    assert counter.count == 1


def test_clock_interval_grows_with_slow_frames_and_shrinks_again(monkeypatch: object) -> None:
    frames, slowest = FrameClock(), SLOWEST * FRAME_MS
    for took, expected in [(9.0, 66), (9.0, 132), (9.0, slowest), (6.0, slowest), (1.0, 66), (1.0, FRAME_MS)]:
        frames._adapt(took)
        assert interval(frames) == expected
    assert clock.SLOW_MS < FRAME_MS


def test_clock_set_pace_takes_effect_at_once_and_scales_slow_frames() -> None:
    frames = FrameClock()
    frames.start()
    frames.set_pace(10)
    assert interval(frames) == 10
    for took, expected in [(9.0, 20), (9.0, 40), (9.0, 40), (1.0, 20), (1.0, 10), (1.0, 10)]:
        frames._adapt(took)
        assert interval(frames) == expected
    frames.stop()
    frames.start()
    assert interval(frames) == 10
    frames.stop()


def test_clock_rouse_ticks_at_once_and_restarts_the_interval() -> None:
    frames, counter = FrameClock(), Counter()
    frames.ticked.connect(counter.tick)
    frames.rouse()
    assert counter.count == 0  # nothing goes on
    frames.start()
    timer = frames.findChild(QTimer)
    assert timer is not None
    frames.rouse()
    assert (counter.count, timer.isActive()) == (1, True)
    frames.stop()


def test_clock_rouse_at_a_slow_pace_does_nothing() -> None:
    def chosen(frames: FrameClock) -> None:
        frames.set_pace(2 * FRAME_MS)

    def needed(frames: FrameClock) -> None:
        frames._adapt(9.0)

    for slower in (chosen, needed):
        frames, counter = FrameClock(), Counter()
        frames.ticked.connect(counter.tick)
        frames.start()
        slower(frames)
        frames.rouse()
        assert counter.count == 0
        frames.stop()
