"""Waits in Qt's own event loop: for a while, or until a signal has made something so."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEventLoop, QObject, QTimer, SignalInstance, Slot

PATIENCE_MS = 60_000


class Waiting(QObject):
    """One wait at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = QEventLoop(self)
        self._condition: Callable[[], bool] = lambda: False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._loop.quit)

    def live(self, milliseconds: int) -> None:
        """Let the window live for so long."""
        self._timer.start(milliseconds)
        self._loop.exec()
        self._timer.stop()

    def until(self, condition: Callable[[], bool], *signals: SignalInstance, patience_ms: int = PATIENCE_MS) -> bool:
        """Whether it came to be so in time; looked at whenever one of the signals comes."""
        if condition():
            return True
        self._condition = condition
        for signal in signals:
            signal.connect(self._look)
        end = time.monotonic() + patience_ms / 1000
        # What a signal made so may be otherwise again when the loop has ended.
        while not condition() and (left := round(1000 * (end - time.monotonic()))) > 0:
            self.live(left)
        for signal in signals:
            signal.disconnect(self._look)
        return condition()

    @Slot()
    def _look(self) -> None:
        if self._condition():
            self._loop.quit()
