"""The frame clock: it ticks while there is something to show, and is silent otherwise."""

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

FRAME_MS = 33
"""Text is read, not watched: 30 Hz looks fluent, and 60 Hz would cost the model twice as much."""
SLOW_MS = 8.0
"""A flush that takes longer than this is given more room, or the window would take the model's time."""
SLOWEST = 4
"""So many times the usual interval is the most that a frame may be given."""


class FrameClock(QObject):
    """`ticked` about 30 times a second, or as often as the user likes, between `start` and `stop`."""

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._frame_ms = FRAME_MS
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=FRAME_MS)
        self._timer.setObjectName("frame_timer")
        self._timer.timeout.connect(self.tick)

    def start(self) -> None:
        """Begin at the usual pace; harmless when running."""
        if not self._timer.isActive():
            self._timer.start(self._frame_ms)

    def set_pace(self, frame_ms: int) -> None:
        """Tick so often from now on, also in the middle of a run."""
        self._frame_ms = frame_ms
        self._timer.setInterval(frame_ms)

    def stop(self) -> None:
        """Fall silent."""
        self._timer.stop()

    @Slot()
    def rouse(self) -> None:
        """A frame for what came alone, unless frames are given more time than usual; the next has its full time."""
        if self._timer.isActive() and self._timer.interval() <= FRAME_MS:
            self._timer.start()
            self.tick()

    @Slot()
    def tick(self) -> None:
        """One frame, now. Also called from outside, for what can't wait: the first token."""
        started = time.thread_time()  # what others had of the processors meanwhile was not taken from the model
        self.ticked.emit()
        self._adapt((time.thread_time() - started) * 1000)

    def _adapt(self, took_ms: float) -> None:
        interval = self._timer.interval()
        if took_ms > SLOW_MS:
            wanted = min(2 * interval, SLOWEST * self._frame_ms)
        elif took_ms < SLOW_MS / 2:
            wanted = max(interval // 2, self._frame_ms)
        else:
            return
        if wanted != interval:
            self._timer.setInterval(wanted)
