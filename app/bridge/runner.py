"""The engine as the window's thread has it: orders go in; frames and last words come out, each in its time."""

from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot

from app.bridge.active_run import ActiveRun
from app.bridge.clock import FrameClock
from app.bridge.collector import Collector
from app.bridge.engine_thread import EngineThread
from app.bridge.mailbox import JournalTap, Mailbox
from app.bridge.worker import EngineFactory
from app.engine.protocol import StopFlag
from app.engine.types import Finish, Loading, LoadRequest, Model
from app.records.types import SessionId

QUIET_FRAME_S = 0.25
"""While nothing comes, a frame only moves the elapsed time: four a second are enough."""


class Runner(QObject):
    """Owns what a run needs: the thread, the mailbox between the threads, the frame clock and the run itself."""

    told = Signal(object)
    """A Loading, a Memory or a Prefill that is no part of a run, or what an experiment tells."""
    settled = Signal(object)
    """A load or an unload is over: the Model that is open now, or None."""
    advanced = Signal(object, object)
    """The CurrentRun that goes on, and a Frame of it."""
    ended = Signal(object, object, object)
    """The CurrentRun that went on, its last Frame, and the Run that it was."""

    def __init__(
        self, factory: EngineFactory, tap: JournalTap, now: Callable[[], float], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._now = now
        self.current: ActiveRun | None = None
        """The run that goes on."""
        self._load_flag: StopFlag | None = None
        self._last_frame = 0.0
        self._mailbox = Mailbox(self)
        self.collector = Collector(self)
        self.clock = FrameClock(self)
        self.clock.ticked.connect(self._flush)
        self.engine = EngineThread(factory, self._mailbox, tap, self.collector, self)
        # Words that change the phase are queued to this thread.
        worker, queued = self.engine.worker, Qt.ConnectionType.QueuedConnection
        worker.begun.connect(self.clock.tick, queued)
        self._mailbox.roused.connect(self.clock.rouse, queued)
        worker.loaded.connect(self._on_settled, queued)
        worker.emptied.connect(self._on_settled, queued)
        worker.finished.connect(self._on_finished, queued)
        worker.tuned.connect(self._on_tuned, queued)

    def open(self) -> None:
        """Start the thread and the engine on it, which imports the heavy libraries."""
        self.collector.open()
        self.engine.open()

    def close(self, until: float) -> None:
        """Ask what goes on to end, let the engine clean its thread, and wait for it until this moment."""
        self.ask()
        self.clock.stop()
        self.collector.close()
        self.engine.close(until)
        self.current = None
        # What was said meanwhile would be delivered to nobody, or in the middle of the interpreter's end.
        for hearer in (self, self.clock):
            QCoreApplication.removePostedEvents(hearer)

    def load(self, request: LoadRequest) -> None:
        """Open a model, with a flag of its own."""
        self._load_flag = StopFlag()
        self.engine.order(self.engine.worker.load, request, self._load_flag)

    def run(self, current: ActiveRun, session: SessionId | None) -> None:
        """Begin a run: of that conversation, or None beside all of them."""
        self.current = current
        self.engine.order(self.engine.worker.run, replace(current.request, session=session), current.stop)

    def ask(self) -> None:
        """Ask the run or the load that goes on to end."""
        if self.current is not None:
            self.current.stop.ask()
        if self._load_flag is not None:
            self._load_flag.ask()

    @Slot()
    def _flush(self) -> None:
        """One frame: what has come since the last one."""
        current = self.current
        if current is None:
            self.tell()
            return
        events, now = self._mailbox.drain(), self._now()
        if events or now - self._last_frame >= QUIET_FRAME_S:
            self._last_frame = now
            self.advanced.emit(current, current.advance(events, now))

    def tell(self) -> None:
        """What has come by now and is no part of a run; of how far a load is, the newest."""
        events = self._mailbox.drain()
        for event, after in zip_longest(events, events[1:]):
            if not (isinstance(event, Loading) and isinstance(after, Loading)):
                self.told.emit(event)

    @Slot()
    def _on_tuned(self) -> None:
        """During a run that was begun since, its own frames tell."""
        if self.current is None:
            self.tell()

    @Slot()
    @Slot(object)
    def _on_settled(self, model: Model | None = None) -> None:
        self.tell()
        self._load_flag = None
        self.settled.emit(model)

    @Slot(object)
    def _on_finished(self, finish: Finish) -> None:
        """The last tokens go out before the last word does."""
        current, self.current = self.current, None
        if current is not None:
            self.ended.emit(current, *current.finish(self._mailbox.drain(), finish))
            self.collector.collect_young()
