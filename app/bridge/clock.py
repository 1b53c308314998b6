"""The frame clock: ticks during a run."""

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

FRAME_MS = 33
"""Default frame interval: 30 Hz is smooth enough for a fast stream; 60 Hz would cost the model twice as much."""
LONGEST_MS = 50
"""Interval up to which frames become rarer, however much CPU time they take."""
QUIET_MS = 250
"""Interval without a request: such frames only update the elapsed time."""
SHARE = 0.3
"""Share of a core that frames may use before they become rarer."""
SMOOTHING = 0.125


class FrameClock(QObject):
    """Emits `ticked` for requests between `start` and `stop`.

    A request half an interval after the last frame gets its frame at once: tokens that arrive one by one aren't late.
    """

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.frame_ms = FRAME_MS
        """The chosen interval."""
        self._cost_ms = 0.0
        """Mean CPU time of this thread for a frame, with its painting."""
        self._used_s = self._ticked_at = 0.0
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.setObjectName("frame_timer")
        self._timer.timeout.connect(self.tick)

    @property
    def _least_ms(self) -> float:
        """The interval at which frames use their share of a core."""
        return min(LONGEST_MS, self._cost_ms / SHARE)

    def start(self) -> None:
        """Start with a frame after one interval, if it isn't running."""
        if not self._timer.isActive():
            self._used_s = time.thread_time()
            self._timer.start(self.frame_ms)

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def request(self) -> None:
        """Tick as soon as the interval allows it, if the clock is running."""
        if not self._timer.isActive():
            return
        elapsed_ms = 1000 * (time.monotonic() - self._ticked_at)
        if elapsed_ms >= max(self.frame_ms / 2, self._least_ms):
            self.tick()
        else:
            self._timer.start(round(max(self.frame_ms, self._least_ms) - elapsed_ms))

    @Slot()
    def tick(self) -> None:
        """Emit a frame now. Also called for urgent events: the first token."""
        used_s = time.thread_time()  # Time that other threads used meanwhile was not taken from the model.
        self._cost_ms += SMOOTHING * (1000 * (used_s - self._used_s) - self._cost_ms)
        self._used_s, self._ticked_at = used_s, time.monotonic()
        if self._timer.isActive():
            self._timer.start(QUIET_MS)
        self.ticked.emit()
