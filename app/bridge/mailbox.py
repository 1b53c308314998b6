"""The mailbox between the worker's thread and the window's: many small events go in, few large helpings come out."""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QObject, Signal, Slot

from app.engine.types import Event

ALONE_S = 0.015
"""What comes so long after the event before it is seen by itself; more often, text is read in helpings."""


class Mailbox(QObject):
    """Filled on the worker's thread, emptied on the window's; a deque's two ends need no lock."""

    roused = Signal()
    """Something came alone."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: deque[Event] = deque()
        self._came = 0.0

    @Slot(object)
    def put(self, event: Event) -> None:
        """Connected directly, so this runs where the event was made; few events post anything to the window's loop."""
        self._events.append(event)
        before, self._came = self._came, time.monotonic()
        if self._came - before >= ALONE_S:
            self.roused.emit()

    def drain(self) -> list[Event]:
        """All that has come so far, oldest first; what comes meanwhile waits for the next time."""
        take = self._events.popleft
        return [take() for _ in range(len(self._events))]
