import gc
import threading

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Collect, Emit, StopFlag
from app.engine.types import Cancellation, Failure, Finish, LoadRequest, Model, Reason, Request
from app.state import Phase
from tests.bridge.playing import QUICK, loaded, playing


def test_worker_calls_the_engine_on_one_thread_and_signals_on_the_gui_thread(qtbot: QtBot) -> None:
    idents: list[tuple[str, int]] = []

    class Noting(EchoEngine):
        def __init__(self, _collect: Collect) -> None:
            idents.append(("init", threading.get_ident()))
            super().__init__(QUICK)

        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
            idents.append(("load", threading.get_ident()))
            return super().load(request, emit, stop)

        def close(self) -> None:
            idents.append(("close", threading.get_ident()))
            super().close()

    signaled_on: set[int] = set()
    with playing(qtbot, factory=Noting) as player:
        for signal in (player.playground.changed, player.playground.advanced, player.playground.finished):
            signal.connect(lambda *_: signaled_on.add(threading.get_ident()), Qt.ConnectionType.DirectConnection)
        player.load()
        player.send()
    assert [name for name, _ in idents] == ["init", "load", "close"]
    assert len({ident for _, ident in idents}) == 1
    assert signaled_on == {threading.get_ident()} != {idents[0][1]}


def test_worker_survives_an_engine_that_raises(qtbot: QtBot) -> None:
    class Raising(EchoEngine):
        rows = 0

        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
            if request.model == "exits":
                raise SystemExit(1)
            return super().load(request, emit, stop)

        def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
            self.rows += 1
            if self.rows == 1:
                raise RuntimeError("a kernel broke")
            return super().generate(request, emit, stop)

    with playing(qtbot, factory=lambda _collect: Raising(QUICK)) as player:
        player.playground.open()
        with qtbot.waitSignal(player.playground.failed):
            player.playground.load(LoadRequest("exits"))
        player.until_phase(Phase.EMPTY)
        player.load()
        failure = player.send().finish.failure
        assert failure is not None and "a kernel broke" in failure.details
        assert player.send("Again").finish.reason is Reason.STOP


def test_worker_failure_keeps_no_engine_object_alive(qtbot: QtBot) -> None:
    class Array:
        pass

    class Raising(EchoEngine):
        def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
            array = Array()
            raise RuntimeError(f"{array} is too large")

    with loaded(qtbot, factory=lambda _collect: Raising(QUICK)) as player:
        assert player.send().finish.failure is not None
    assert not [each for each in gc.get_objects() if isinstance(each, Array)]
