import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot
from pytestqt.qtbot import QtBot

from app.bridge.mailbox import Mailbox
from app.bridge.worker import Worker
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.protocol import Collect, Emit, StopFlag
from app.engine.types import (
    Cancellation,
    ChatPrompt,
    Finish,
    Limits,
    LoadRequest,
    Message,
    Model,
    Reason,
    Request,
    Role,
    Token,
)

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)
REQUEST = Request(ChatPrompt((Message(Role.USER, "Hello"),)), limits=Limits(max_tokens=12))


class Caller(QObject):
    """Calls the worker from the GUI thread."""

    load = Signal(object, object)
    run = Signal(object, object)
    close_worker = Signal()

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self.heard: list[str] = []
        self.threads: set[int] = set()
        self.finish: Finish | None = None
        queued = Qt.ConnectionType.QueuedConnection
        for name in ("opened", "loaded", "emptied", "begun", "finished", "failed"):
            getattr(worker, name).connect(getattr(self, f"hear_{name}"), queued)
        self.load.connect(worker.load, queued)
        self.run.connect(worker.run, queued)
        self.close_worker.connect(worker.close, queued)

    def hear(self, name: str) -> None:
        self.heard.append(name)
        self.threads.add(threading.get_ident())

    @Slot()
    def hear_opened(self) -> None:
        self.hear("opened")

    @Slot(object)
    def hear_loaded(self, model: object) -> None:
        self.hear("loaded")

    @Slot()
    def hear_emptied(self) -> None:
        self.hear("emptied")

    @Slot()
    def hear_begun(self) -> None:
        self.hear("begun")

    @Slot(object)
    def hear_finished(self, finish: Finish) -> None:
        self.finish = finish
        self.hear("finished")

    @Slot(object)
    def hear_failed(self, failure: object) -> None:
        self.hear("failed")


@contextmanager
def working(worker: Worker) -> Iterator[Caller]:
    thread = QThread()
    worker.moveToThread(thread)
    caller = Caller(worker)
    thread.started.connect(worker.open)
    thread.start()
    try:
        yield caller
    finally:
        caller.close_worker.emit()
        thread.wait()


def heard(qtbot: QtBot, caller: Caller, name: str, times: int = 1) -> None:
    qtbot.waitUntil(lambda: caller.heard.count(name) == times)


def test_worker_emits_one_signal_for_each_response(qtbot: QtBot) -> None:
    worker = Worker(lambda _collect: EchoEngine(QUICK))
    mailbox = Mailbox()
    for event in (worker.prompted, worker.prefilled, worker.responded, worker.measured):
        event.connect(mailbox.put, Qt.ConnectionType.DirectConnection)
    with working(worker) as caller:
        caller.load.emit(LoadRequest("demo"), StopFlag())
        caller.run.emit(REQUEST, StopFlag())
        heard(qtbot, caller, "finished")
    assert caller.heard == ["opened", "loaded", "begun", "finished"]
    assert caller.threads == {threading.get_ident()}
    tokens = [event for event in mailbox.drain() if isinstance(event, Token)]
    assert caller.finish is not None
    assert len(tokens) == caller.finish.tokens == 12
    assert mailbox.drain() == []


def test_worker_calls_the_engine_on_one_thread(qtbot: QtBot) -> None:
    idents: list[tuple[str, int]] = []

    class Noting(EchoEngine):
        def __init__(self, _collect: Collect) -> None:
            idents.append(("init", threading.get_ident()))
            super().__init__(QUICK)

        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Cancellation:
            idents.append(("load", threading.get_ident()))
            outcome = super().load(request, emit, stop)
            assert isinstance(outcome, Model | Cancellation)
            return outcome

        def close(self) -> None:
            idents.append(("close", threading.get_ident()))
            super().close()

    with working(Worker(Noting)) as caller:
        caller.load.emit(LoadRequest("demo"), StopFlag())
        heard(qtbot, caller, "loaded")
    assert [name for name, _ in idents] == ["init", "load", "close"]
    assert len({ident for _, ident in idents}) == 1
    assert idents[0][1] != threading.get_ident()


def test_worker_survives_an_engine_that_raises(qtbot: QtBot) -> None:
    class Raising(EchoEngine):
        rows = 0

        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model:
            if request.model == "exits":
                raise SystemExit(1)
            outcome = super().load(request, emit, stop)
            assert isinstance(outcome, Model)
            return outcome

        def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
            self.rows += 1
            if self.rows == 1:
                raise RuntimeError("a kernel broke")
            return super().generate(request, emit, stop)

    with working(Worker(lambda _collect: Raising(QUICK))) as caller:
        caller.load.emit(LoadRequest("exits"), StopFlag())
        heard(qtbot, caller, "emptied")
        assert "failed" in caller.heard
        caller.load.emit(LoadRequest("demo"), StopFlag())
        caller.run.emit(REQUEST, StopFlag())
        heard(qtbot, caller, "finished")
        assert caller.finish is not None and caller.finish.failure is not None
        assert "a kernel broke" in caller.finish.failure.details
        caller.run.emit(REQUEST, StopFlag())
        heard(qtbot, caller, "finished", 2)
        assert caller.finish.reason is Reason.LENGTH


def test_worker_failure_keeps_no_engine_object_alive(qtbot: QtBot) -> None:
    class Array:
        pass

    class Raising(EchoEngine):
        def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
            array = Array()
            raise RuntimeError(f"{array} is too large")

    with working(Worker(lambda _collect: Raising(QUICK))) as caller:
        caller.run.emit(REQUEST, StopFlag())
        heard(qtbot, caller, "finished")
    assert not [each for each in gc.get_objects() if isinstance(each, Array)]
