import gc
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from PySide6.QtCore import QObject, QThread
from pytestqt.qtbot import QtBot

from app.bridge.runner import STACK_BYTES, Collector
from app.engine.echo.engine import EchoEngine
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import Collect, Emit, Engine, StopFlag
from app.engine.types import (
    Cancellation,
    ChatPrompt,
    Event,
    Failure,
    Finish,
    Limits,
    LoadRequest,
    Message,
    Model,
    Request,
    Role,
)
from tests.bridge.playing import QUICK, loaded
from tests.bridge.stack import own_stack_bytes

MAC_BYTES = 512 << 10
"""The default of macOS."""
DEEP = 5_000
REQUEST = Request(ChatPrompt((Message(Role.USER, "Hello"),)), limits=Limits(max_tokens=4))


def test_engine_thread_has_a_16_mb_stack(qtbot: QtBot) -> None:
    told: SimpleQueue[int] = SimpleQueue()

    def make(collect: Collect) -> Engine:
        told.put(own_stack_bytes())
        return EchoEngine()

    with loaded(qtbot, factory=make):
        pass
    assert told.get() >= STACK_BYTES == 16 << 20


class SmallThread(QThread):
    """Does one thing on a stack of a Mac's default size."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__()
        self._work = work
        self.setStackSize(MAC_BYTES)

    def run(self) -> None:
        self._work()


def append(file: Path, deep: str) -> None:
    head, _, _ = file.read_text("utf-8").rpartition("}")
    file.write_text(f'{head}, "deep": {deep}}}', "utf-8")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja"])
def test_engine_on_a_small_stack_refuses_deeply_nested_files(demo_model: Path, tmp_path: Path, name: str) -> None:
    """The load or the run refuses them in a sentence."""
    folder = tmp_path / "deep"
    shutil.copytree(demo_model, folder)
    if name.endswith(".json"):
        append(folder / name, "[" * DEEP + "]" * DEEP)
    else:
        (folder / name).write_text("{{ " + "(" * DEEP + "1" + ")" * DEEP + " }}", "utf-8")
    ended: list[Model | Failure | Finish | object] = []

    def work() -> None:
        engine = MlxEngine()
        model = engine.load(LoadRequest(str(folder), None), _ignore, StopFlag())
        ended.append(engine.generate(REQUEST, _ignore, StopFlag()).failure if isinstance(model, Model) else model)
        engine.close()

    thread = SmallThread(work)
    thread.start()
    assert thread.wait(60_000)
    (failure,) = ended
    assert isinstance(failure, Failure) and failure.what


def _ignore(event: Event) -> None:
    """Nobody watches."""


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[Collector]:
    made = Collector()
    made.open()
    yield made
    made.close()


def test_collector_while_open_collects_only_on_request(collector: Collector) -> None:
    assert not gc.isenabled()
    collector.close()
    assert gc.isenabled()


def test_collect_from_engine_destroys_on_the_gui_thread(qtbot: QtBot, collector: Collector) -> None:
    destroyed_on: list[int] = []
    _leave_a_cycle(destroyed_on)
    engine = threading.Thread(target=collector.collect_from_engine)
    engine.start()
    qtbot.waitUntil(lambda: bool(destroyed_on))
    engine.join()
    assert destroyed_on == [threading.get_ident()]


def test_collector_close_releases_waiting_threads(collector: Collector) -> None:
    collector.close()
    destroyed_on: list[int] = []
    _leave_a_cycle(destroyed_on)
    engine = threading.Thread(target=collector.collect_from_engine)
    engine.start()
    engine.join()
    assert not destroyed_on
    gc.collect()
    assert destroyed_on == [threading.get_ident()]


def test_load_on_the_engine_thread_frees_no_qobject(qtbot: QtBot) -> None:
    destroyed_on: list[int] = []

    class Sweeping(EchoEngine):
        def __init__(self, collect: Collect) -> None:
            super().__init__(QUICK)
            self._collect = collect

        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
            _leave_a_cycle(destroyed_on)
            self._collect()
            return super().load(request, emit, stop)

    with loaded(qtbot, factory=Sweeping):
        assert destroyed_on == [threading.get_ident()]


def _leave_a_cycle(destroyed_on: list[int]) -> None:
    """Leave a QObject that only a cycle keeps, as pyqtgraph does."""

    class Holder(QObject):
        def __del__(self) -> None:
            destroyed_on.append(threading.get_ident())

    holder = Holder()
    holder.myself = holder  # type: ignore[attr-defined]
