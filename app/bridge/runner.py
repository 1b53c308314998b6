"""The GUI thread's side of the engine thread: calls, frames and results of the active run, garbage collection."""

import gc
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import zip_longest

from PySide6.QtCore import QCoreApplication, QObject, Qt, QThread, Signal, Slot

from app.bridge.clock import FrameClock
from app.bridge.mailbox import JournalTap, Mailbox
from app.bridge.tasks import Asked, Value, run_on_thread
from app.bridge.worker import EngineFactory, Worker
from app.controls import Mode
from app.engine.meter.meter import Frame, Meter
from app.engine.meter.speeds import Curve
from app.engine.protocol import StopFlag
from app.engine.types import Event, Finish, Loading, LoadRequest, Model, Request
from app.platform.shutdown import engine_deadline, seconds_left
from app.records.types import FilesRef, RunId, SessionId
from app.state import Run


class ActiveRun:
    """A run from Send to its end, with its own stop flag. Becomes a `Run` when the engine has finished."""

    def __init__(self, model: Model, mode: Mode, request: Request, is_replay: bool = False) -> None:
        self.request = request
        self.mode = mode
        self.id: RunId = 0
        """Its id in the journal; 0: none."""
        self.is_replay = is_replay
        """Whether it is a replay, outside of the conversation."""
        self.stop = StopFlag()
        self._model = model
        self._meter = Meter(self.stop.made_at, request.limits.max_tokens, model.context)

    def advance(self, events: list[Event], now: float) -> Frame:
        for event in events:
            self._meter.fold(event)
        return self._meter.frame(now)

    def so_far(self, now: float) -> tuple[Frame, Curve]:
        """Return all frames until now as one without tokens, and the speed curve."""
        return self._meter.so_far(now)

    def finish(self, events: list[Event], finish: Finish) -> tuple[Frame, Run]:
        for event in events:
            self._meter.fold(event)
        self._meter.finish(finish)
        frame = self.advance([], finish.times.ended)
        adapter = self._model.adapter if self.request.sampling.adapter_strength else None
        once: dict[int, int] = {}  # Equal ids share one int object: saves 32 bytes a token.
        return frame, Run(
            model=self._model.name,
            mode=self.mode,
            request=self.request,
            prompt=self._meter.prompt,
            ids=tuple(once.setdefault(each, each) for each in self._meter.ids),
            text=self._meter.text,
            reasoning=self._meter.reasoning,
            finish=finish,
            summary=self._meter.summary(),
            on=self._model,
            format=self._model.format,
            adapter=FilesRef(adapter.name, str(adapter.folder)) if adapter is not None else None,
            id=self.id,
        )


PATIENCE_S = 2.0
"""Maximum seconds to wait for the GUI thread; garbage then stays until the next collection."""
YOUNG = 1


class Collector(QObject):
    """Replaces Python's automatic collection, which runs at any time and on any thread.

    A cycle with a QObject must not be freed on the engine thread: Qt's destructor locks the object and waits for the
    GIL, while the GUI thread holds the GIL and waits for that lock. And a full collection holds the GIL for 65–110 ms,
    which is visible as a stutter.
    """

    _wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done = threading.Event()
        self._closed = True
        self._by_itself = False
        self._wanted.connect(self._collect, Qt.ConnectionType.QueuedConnection)

    def open(self) -> None:
        if self._closed:
            self._closed = False
            self._by_itself = gc.isenabled()
            gc.disable()

    def collect_young(self) -> None:
        """Collect the youngest generations; older objects wait until a model is unloaded."""
        gc.collect(YOUNG)

    def collect_from_engine(self) -> None:
        """Collect everything on the GUI thread, and wait for that. Called on the engine thread."""
        self._done.clear()
        if not self._closed:
            self._wanted.emit()
            self._done.wait(PATIENCE_S)

    def close(self) -> None:
        """Release waiting threads, and turn on Python's automatic collection."""
        if not self._closed:
            self._closed = True
            self._done.set()
            if self._by_itself:
                gc.enable()

    @Slot()
    def _collect(self) -> None:
        gc.collect()
        self._done.set()


STACK_BYTES = 16 << 20
"""Stack size in bytes, as for Python's threads on macOS. Qt's threads have 512 KB there, and a deeply nested file that
C code reads would crash the process.
"""

_abandoned: list[tuple[QThread, Worker]] = []
"""Threads that didn't end in time. Qt aborts if a running thread is destroyed."""


class Runner(QObject):
    """Owns the engine thread, the worker on it, the mailbox between the threads, the frame clock and the active run."""

    events_arrived = Signal(object)
    """A list: Loading, Memory and Prefill outside of a run, and notes of an experiment or an evaluation."""
    settled = Signal(object)
    """The Model that is open after a load or unload, or None."""
    advanced = Signal(object, object)
    """The ActiveRun and its Frame."""
    ended = Signal(object, object, object)
    """The ActiveRun, its last Frame, and the Run that it became."""
    _run_wanted = Signal(object, object)
    _load_wanted = Signal(object, object)
    _call_wanted = Signal(object)
    _close_wanted = Signal()

    def __init__(
        self, factory: EngineFactory, tap: JournalTap, now: Callable[[], float], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.now = now
        self.current: ActiveRun | None = None
        self._load_flag: StopFlag | None = None
        self._mailbox = Mailbox(self)
        self.collector = Collector(self)
        self.clock = FrameClock(self)
        self.clock.ticked.connect(self._flush)
        self.worker = Worker(factory, self.collector.collect_from_engine)
        self._thread = QThread(self)
        self._thread.setObjectName("engine")
        self._thread.setStackSize(STACK_BYTES)
        self._thread.setServiceLevel(QThread.QualityOfService.High)
        self.worker.moveToThread(self._thread)
        self._thread.started.connect(self.worker.open)
        self._connect_events(tap)
        self._connect_results()

    def _connect_events(self, tap: JournalTap) -> None:
        """Connect the events to mailbox and journal directly, on the engine thread."""
        worker, direct = self.worker, Qt.ConnectionType.DirectConnection
        for event in (worker.prompted, worker.prefilled, worker.responded, worker.measured):
            event.connect(self._mailbox.put, direct)
            event.connect(tap.put, direct)
        for event in (worker.loading, worker.noted):
            event.connect(self._mailbox.put, direct)
        worker.finished.connect(tap.finish, direct)

    def _connect_results(self) -> None:
        """Connect this thread's calls to the worker, and the worker's results to this thread, as queued connections."""
        worker, queued = self.worker, Qt.ConnectionType.QueuedConnection
        self._run_wanted.connect(worker.run, queued)
        self._load_wanted.connect(worker.load, queued)
        self._call_wanted.connect(worker.call, queued)
        self._close_wanted.connect(worker.close, queued)
        worker.begun.connect(self.clock.tick, queued)
        self._mailbox.filled.connect(self.clock.request, queued)
        worker.loaded.connect(self._on_load_ended, queued)
        worker.emptied.connect(self._on_load_ended, queued)
        worker.finished.connect(self._on_finished, queued)
        worker.tuned.connect(self._on_tuned, queued)

    @property
    def is_running(self) -> bool:
        return self._thread.isRunning()

    @property
    def is_loading(self) -> bool:
        return self._load_flag is not None

    def open(self) -> None:
        """Start the thread. It first creates the engine, which imports the heavy libraries."""
        self.collector.open()
        if not self.is_running:
            self._thread.start()

    def close(self, until: float) -> None:
        """Stop the run or load, let the engine clean up on its thread, and wait for the end of the thread.

        If a device or a disk blocks a library, the thread is abandoned at the time `until`.
        """
        self.request_stop()
        self.clock.stop()
        self.collector.close()
        if self.is_running:
            self._close_wanted.emit()
            if not self._thread.wait(round(1000 * seconds_left(engine_deadline(until)))):
                self.worker.blockSignals(True)
                self._thread.setParent(None)
                _abandoned.append((self._thread, self.worker))
        self.current = None
        # Queued results would be delivered to no listener, or while the interpreter shuts down.
        for receiver in (self, self.clock):
            QCoreApplication.removePostedEvents(receiver)

    def load(self, request: LoadRequest) -> None:
        """Open a model. Each load has its own stop flag."""
        self._load_flag = StopFlag()
        self._load_wanted.emit(request, self._load_flag)

    def run(self, current: ActiveRun, session: SessionId | None) -> None:
        """Start a run. `session`: its session; None for a replay."""
        self.current = current
        self._run_wanted.emit(replace(current.request, session=session), current.stop)

    def order(self, work: Callable[Asked, object], *args: Asked.args, **kwargs: Asked.kwargs) -> None:
        """Call a method of the worker on the engine thread, after the calls before it."""
        self._call_wanted.emit(partial(work, *args, **kwargs))

    async def answer(self, ask: Callable[Asked, Value], *args: Asked.args, **kwargs: Asked.kwargs) -> Value:
        """Like `order`, and return the result. The call is skipped if the task that awaits it was cancelled before."""
        return await run_on_thread(self._call_wanted.emit, partial(ask, *args, **kwargs))

    def request_stop(self) -> None:
        if self.current is not None:
            self.current.stop.ask()
        if self._load_flag is not None:
            self._load_flag.ask()

    def _flush(self) -> None:
        """Emit one frame with the events since the last one."""
        current = self.current
        if current is None:
            self.emit_pending()
            return
        self.advanced.emit(current, current.advance(self._mailbox.drain(), self.now()))

    def emit_pending(self) -> None:
        """Emit the events in the mailbox that belong to no run; of consecutive Loading events only the last one.

        In one signal, because at each signal the engine's thread may take the interpreter.
        """
        events = self._mailbox.drain()
        arrived = [
            event
            for event, after in zip_longest(events, events[1:])
            if not (isinstance(event, Loading) and isinstance(after, Loading))
        ]
        if arrived:
            self.events_arrived.emit(arrived)

    @Slot()
    def _on_tuned(self) -> None:
        """Emit the memory, unless a run has started: its frames contain the memory."""
        if self.current is None:
            self.emit_pending()

    @Slot()
    @Slot(object)
    def _on_load_ended(self, model: Model | None = None) -> None:
        self.emit_pending()
        self._load_flag = None
        self.settled.emit(model)

    @Slot(object)
    def _on_finished(self, finish: Finish) -> None:
        """Emit the last tokens before the result."""
        current, self.current = self.current, None
        if current is not None:
            self.ended.emit(current, *current.finish(self._mailbox.drain(), finish))
            self.collector.collect_young()
