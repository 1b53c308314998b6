"""The engine's thread: started when the window is up, given its orders by signals, left clean in every phase."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, QThread, Signal

from app.bridge.collector import Collector
from app.bridge.mailbox import JournalTap, Mailbox
from app.bridge.tasks import Asked, Value, elsewhere
from app.bridge.worker import EngineFactory, Worker
from app.platform.shutdown import before_journal, left

STACK_BYTES = 16 << 20
"""As Python gives its own threads on a Mac, where Qt's would have the system's half megabyte: a file that is nested
deeply, read in C, would end the process there."""

_left: list[tuple[QThread, Worker]] = []
"""What was not waited for any longer: Qt ends the process if a thread is destroyed while it runs."""


class EngineThread(QObject):
    """Owns the QThread and the worker on it. Orders are carried out one after another."""

    _work_wanted = Signal(object)
    _close_wanted = Signal()

    def __init__(
        self,
        factory: EngineFactory,
        mailbox: Mailbox,
        tap: JournalTap,
        collector: Collector,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.worker = Worker(factory, collector.collect_from_engine)
        self._thread = QThread(self)
        self._thread.setObjectName("engine")
        self._thread.setStackSize(STACK_BYTES)
        self._thread.setServiceLevel(QThread.QualityOfService.High)
        self.worker.moveToThread(self._thread)
        self._thread.started.connect(self.worker.open)
        self._wire(mailbox, tap)

    @property
    def running(self) -> bool:
        return self._thread.isRunning()

    def open(self) -> None:
        """Start the thread, whose first act is to make the engine."""
        if not self.running:
            self._thread.start()

    def order(self, work: Callable[Asked, object], *args: Asked.args, **kwargs: Asked.kwargs) -> None:
        """A method of the worker's, in its turn."""
        self._work_wanted.emit(partial(work, *args, **kwargs))

    async def answer(self, ask: Callable[Asked, Value], *args: Asked.args, **kwargs: Asked.kwargs) -> Value:
        """The same for what it answers; a question that nobody waits for by then is left out."""
        return await elsewhere(self._work_wanted.emit, partial(ask, *args, **kwargs))

    def close(self, until: float) -> None:
        """Let the engine clean its thread, and wait for it. What is going on must have been asked to stop.

        A device or a disk may keep a library for ever: it is not waited for as long, and heard no more.
        """
        if self.running:
            self._close_wanted.emit()
            if not self._thread.wait(round(1000 * left(before_journal(until)))):
                self.worker.blockSignals(True)
                self._thread.setParent(None)
                _left.append((self._thread, self.worker))

    def _wire(self, mailbox: Mailbox, tap: JournalTap) -> None:
        """Events go into the mailbox and the journal on the worker's thread; orders are queued to it."""
        worker, direct, queued = self.worker, Qt.ConnectionType.DirectConnection, Qt.ConnectionType.QueuedConnection
        for event in (worker.loading, worker.prompted, worker.prefilled, worker.responded, worker.measured):
            event.connect(mailbox.put, direct)
        worker.noted.connect(mailbox.put, direct)
        for event in (worker.prompted, worker.prefilled, worker.responded, worker.measured):
            event.connect(tap.put, direct)
        worker.finished.connect(tap.finish, direct)
        self._work_wanted.connect(worker.work, queued)
        self._close_wanted.connect(worker.close, queued)
