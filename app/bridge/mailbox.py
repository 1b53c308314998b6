"""Where the engine's events go from its own thread: into a mailbox for the window, and to the journal."""

import time
from collections import deque

from PySide6.QtCore import QObject, Signal, Slot

from app.engine.types import Event, Finish
from app.records.recording import RunRecorder

ALONE_S = 0.015
"""What comes so long after the event before it is seen by itself; more often, text is read in helpings."""


class Mailbox(QObject):
    """Many small events go in on the worker's thread, few large helpings come out on the window's.

    A deque's two ends need no lock.
    """

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


class JournalTap(QObject):
    """Hands what the engine says in a run to the journal, connected directly to the worker's signals.

    Each event costs one `deque.append` there, and nothing elsewhere.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._recorder: RunRecorder | None = None

    def begin(self, recorder: RunRecorder) -> None:
        """What comes from now on belongs to this run. Call it before the run is ordered."""
        self._recorder = recorder

    @Slot(object)
    def put(self, event: Event) -> None:
        recorder = self._recorder
        if recorder is not None:
            recorder.put(event)

    @Slot(object)
    def finish(self, finish: Finish) -> None:
        """The last word of a run; what comes after it belongs to none."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            recorder.finish(finish)
