"""Queues for engine events between the threads: a mailbox for the window, and a tap for the session database."""

from collections import deque

from PySide6.QtCore import QObject, Signal, Slot

from app.engine.types import Event, Finish
from app.records.recording import RunRecorder


class Mailbox(QObject):
    """Collects events on the engine thread; the GUI thread drains them in batches. A deque's two ends need no lock."""

    filled = Signal()
    """An event arrived, the first since `drain`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events: deque[Event] = deque()
        self._is_filled = False

    @Slot(object)
    def put(self, event: Event) -> None:
        """Add an event.

        Runs on the engine thread, because it is connected directly. Only the first event after a `drain` wakes the GUI
        thread.
        """
        self._events.append(event)
        if not self._is_filled:
            self._is_filled = True
            self.filled.emit()

    def drain(self) -> list[Event]:
        """Return the events so far, oldest first. Events that arrive meanwhile stay."""
        self._is_filled = False  # Before the events are counted: a later one must signal again.
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
