"""Garbage with Qt objects is freed on the GUI thread, whichever thread asks for it."""

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.bridge.runner import Collector
from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Collect, Emit, StopFlag
from app.engine.types import Failure, LoadRequest, Model, Stopped
from tests.bridge.playing import QUICK, playing


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


def test_collector_after_a_run_collects_young_objects(collector: Collector) -> None:
    destroyed_on: list[int] = []
    _leave_a_cycle(destroyed_on)
    collector.collect_young()
    assert destroyed_on == [threading.get_ident()]


def test_load_on_the_engine_thread_frees_no_qobject(qtbot: QtBot) -> None:
    destroyed_on: list[int] = []

    class Sweeping(EchoEngine):
        def __init__(self, collect: Collect) -> None:
            super().__init__(QUICK)
            self._collect = collect

        def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
            _leave_a_cycle(destroyed_on)
            self._collect()
            return super().load(request, emit, stop)

    with playing(qtbot, factory=Sweeping) as player:
        player.load()
        assert destroyed_on == [threading.get_ident()]


def _leave_a_cycle(destroyed_on: list[int]) -> None:
    """Leave a QObject that only a cycle keeps, as pyqtgraph does."""

    class Holder(QObject):
        def __del__(self) -> None:
            destroyed_on.append(threading.get_ident())

    holder = Holder()
    holder.myself = holder  # type: ignore[attr-defined]
