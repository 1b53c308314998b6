"""The frame clock: ticks during a run."""

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

FRAME_MS = 33
"""Default frame interval: 30 Hz is smooth enough for text; 60 Hz would cost the model twice as much."""
SLOW_MS = 8.0
"""Milliseconds for a frame, beyond which the interval grows, so that the GUI doesn't slow the model."""
SLOWEST = 4
"""The longest interval, as a multiple of the chosen one."""


class FrameClock(QObject):
    """Emits `ticked` at the frame interval between `start` and `stop`."""

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._frame_ms = FRAME_MS
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer, interval=FRAME_MS)
        self._timer.setObjectName("frame_timer")
        self._timer.timeout.connect(self.tick)

    def start(self) -> None:
        """Start at the chosen interval, if it isn't running."""
        if not self._timer.isActive():
            self._timer.start(self._frame_ms)

    def set_pace(self, frame_ms: int) -> None:
        self._frame_ms = frame_ms
        self._timer.setInterval(frame_ms)

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def rouse(self) -> None:
        """Tick at once for a single event, unless frames are slowed down; the next frame gets its full interval."""
        if self._timer.isActive() and self._timer.interval() <= FRAME_MS:
            self._timer.start()
            self.tick()

    @Slot()
    def tick(self) -> None:
        """Emit a frame now. Also called for urgent events: the first token."""
        started = time.thread_time()  # Time that other threads used meanwhile was not taken from the model.
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
