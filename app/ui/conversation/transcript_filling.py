"""Puts a long conversation on the page a little at a time, so that the window never stands still for it."""

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QAbstractScrollArea

STEP_S = 0.012
"""What else the window has to do comes in between."""
Step = Callable[[], None]


class TranscriptFilling(QObject):
    """The page is painted as it is at the start and then when it is whole: it would race past the reader's eyes."""

    ended = Signal()

    def __init__(self, page: QAbstractScrollArea) -> None:
        super().__init__(page)
        self._page = page
        self._steps: Iterator[Step] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)

    @property
    def going(self) -> bool:
        """Whether there is more to come."""
        return self._timer.isActive()

    def start(self, steps: Iterator[Step]) -> None:
        self._steps = steps
        self._timer.start()

    def finish(self) -> None:
        """Do the rest at once: something is to follow it."""
        for step in self._steps:
            step()
        self._end()

    def drop(self) -> None:
        """Leave the rest: the page is to show something else."""
        self._steps = iter(())
        self._end()

    def _go_on(self) -> None:
        if self._page.updatesEnabled():
            self._page.viewport().repaint()
            self._page.setUpdatesEnabled(False)
        until = time.perf_counter() + STEP_S
        for step in self._steps:
            step()
            if time.perf_counter() > until:
                return
        self._end()

    def _end(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self._page.setUpdatesEnabled(True)
            self.ended.emit()
