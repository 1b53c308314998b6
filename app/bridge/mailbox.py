"""Queues for engine events between the threads: a mailbox for the window, and a tap for the session database."""

import time
from collections import deque

from PySide6.QtCore import QObject, Signal, Slot

from app.engine.types import Event, Finish
from app.records.recording import RunRecorder

ALONE_S = 0.015
"""Seconds without an event after which the next one gets its own frame."""


class Mailbox(QObject):
    """Collects events on the engine thread; the GUI thread drains them in batches. A deque's two ends need no lock."""

    lone_event_arrived = Signal()
    """After a pause of `ALONE_S`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: deque[Event] = deque()
        self._last_at = 0.0

    @Slot(object)
    def put(self, event: Event) -> None:
        """Add an event.

        Runs on the engine thread, because it is connected directly. Few events post anything to the GUI thread.
        """
        self._events.append(event)
        before, self._last_at = self._last_at, time.monotonic()
        if self._last_at - before >= ALONE_S:
            self.lone_event_arrived.emit()

    def drain(self) -> list[Event]:
        """Return the events so far, oldest first. Events that arrive meanwhile stay."""
        take = self._events.popleft
        return [take() for _ in range(len(self._events))]


class JournalTap(QObject):
    """Passes the events of a run to its recorder, on the engine thread. Each event costs one `deque.append`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._recorder: RunRecorder | None = None

    def begin(self, recorder: RunRecorder) -> None:
        """Record the next run. Call it before the run is started."""
        self._recorder = recorder

    @Slot(object)
    def put(self, event: Event) -> None:
        recorder = self._recorder
        if recorder is not None:
            recorder.put(event)

    @Slot(object)
    def finish(self, finish: Finish) -> None:
        """Record the end of the run. Later events belong to no run."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.finish(finish)
