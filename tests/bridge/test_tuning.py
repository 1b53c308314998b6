"""The limits reach the engine: at once, or after the active run."""

from PySide6.QtCore import Qt, QTimer
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import LIMIT_BYTES, EchoEngine
from app.engine.types import Memory, Tuning
from tests.bridge.playing import ENDLESS_TEXT, loaded, playing

LIMIT = 99_000_000


def test_tune_before_a_load_reports_the_limit(qtbot: QtBot) -> None:
    """Ordered before the thread has started: applied when the engine is made."""
    told: list[Memory] = []
    with playing(qtbot) as player:
        player.playground.measured.connect(told.append)
        player.playground.tune(Tuning(memory_limit=LIMIT))
        player.playground.open()
        player.until(lambda: bool(told))
        assert told[-1].limit == LIMIT


def test_tune_with_an_idle_model_reports_the_limit(qtbot: QtBot) -> None:
    told: list[Memory] = []
    with loaded(qtbot) as player:
        player.playground.measured.connect(told.append)
        player.playground.tune(Tuning(memory_limit=LIMIT))
        player.until(lambda: bool(told) and told[-1].limit == LIMIT)
        player.playground.tune(Tuning())
        player.until(lambda: told[-1].limit == LIMIT_BYTES)


def test_tune_without_an_engine_does_nothing(qtbot: QtBot) -> None:
    def fail(_collect: object) -> EchoEngine:
        raise ImportError("no mlx")

    with playing(qtbot, factory=fail) as player:
        player.playground.tune(Tuning(memory_limit=LIMIT))
        player.playground.open()
        player.until(lambda: player.state.failure is not None)


def test_tune_sets_the_prefill_step_size(qtbot: QtBot) -> None:
    with loaded(qtbot) as player:
        sizes: list[int] = []
        worker = player.playground._runner.worker
        worker.prefilled.connect(lambda prefill: sizes.append(prefill.done), Qt.ConnectionType.DirectConnection)
        player.playground.tune(Tuning(prefill_chunk=10))
        player.send("word " * 60)
        assert sizes[1] - sizes[0] == 10


def test_set_pace_during_a_run_takes_effect(qtbot: QtBot) -> None:
    with loaded(qtbot, ENDLESS_TEXT) as player:
        assert player.playground.send("Hello")
        player.until(lambda: len(player.frames) > 1)
        timer = player.playground.findChild(QTimer, "frame_timer")
        assert isinstance(timer, QTimer)
        player.playground.set_pace(100)
        assert timer.interval() == 100
        assert timer.isActive()
        player.playground.stop()
        player.last()
