"""The mailbox between the worker's thread and the window's: many small events go in, few large helpings come out."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, Slot

from app.engine.types import Event


class Mailbox(QObject):
    """Filled on the worker's thread, emptied on the window's; a deque's two ends need no lock."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: deque[Event] = deque()

    @Slot(object)
    def put(self, event: Event) -> None:
        """Connected directly, so this runs where the event was made and posts nothing to the window's loop."""
        self._events.append(event)

    def drain(self) -> list[Event]:
        """All that has come so far, oldest first; what comes meanwhile waits for the next time."""
        take = self._events.popleft
        return [take() for _ in range(len(self._events))]
