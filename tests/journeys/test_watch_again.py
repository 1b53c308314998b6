from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from app import state
from app.engine.meter.meter import Frame
from app.state import Phase, PlaybackSpeed
from app.ui.instruments.gauges import ContextGauge
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.speed_graph.plot import SpeedPlot
from tests.journeys.journey import Journey, started

pytestmark = pytest.mark.slow

NINE = "1, 2, 3, 4, 5, 6, 7, 8, 9"


@pytest.fixture
def user(demo: Journey) -> Journey:
    demo.cold()
    demo.send("Count 1 to 9")
    return demo


def seen(user: Journey) -> tuple[object, ...]:
    """All that the window says of the run."""
    graph = user.find(SpeedGraph, "speed_graph")
    numbers = [user.find(QLabel, name).accessibleName() for name in ("speed_now", "token_count", "prompt_speed")]
    context = user.find(ContextGauge, "context_gauge").accessibleName()
    return user.page, graph.numbers(), graph.accessibleDescription(), *numbers, context, lane(user), user.reason


def lane(user: Journey) -> list[str]:
    plot = user.window.findChildren(SpeedPlot)[0]
    return [label.text for label in plot.labels if label.rect.bottom() <= plot.view.plot.top()]


def count(user: Journey) -> int:
    return int(user.find(QLabel, "token_count").text())


def watched(user: Journey) -> int:
    return user.window.playground.shown.now.slowed


def test_playback_moves_all_instruments_and_then_restores_them(user: Journey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "FACTORS", state.FACTORS[1:])  # a busy machine writes slowly enough to be read at once
    before, runs = seen(user), len(user.runs)
    kept = user.journal.runs.rows()
    user.press("watch_again")
    assert watched(user) > 1
    assert (count(user), NINE in user.page) == (0, False)
    frames: list[Frame] = []
    steps: list[tuple[int, int, str]] = []

    def note(frame: Frame) -> None:
        frames.append(frame)
        steps.append((count(user), len(user.page), user.find(ContextGauge, "context_gauge").accessibleName()))

    user.window.playground.playback.advanced.connect(note)
    user.until(lambda: count(user) > 3)
    assert f"slowed {watched(user)}×" in lane(user), "it is marked"
    assert user.button("watch_again").text() == "Stop playback"
    user.until(lambda: not watched(user))
    assert seen(user) == before
    counts, lengths, contexts = zip(*steps, strict=True)
    assert list(counts) == sorted(counts) and list(lengths) == sorted(lengths)
    assert len(set(contexts)) > 2, "the gauge went along"
    assert frames[-1].metrics.tokens == user.runs[-1].summary.figures.tokens
    assert (user.journal.runs.rows(), len(user.runs)) == (kept, runs), "nothing was generated, nothing written"


@pytest.mark.parametrize("way", ["escape", "button", "menu"])
def test_playback_can_be_stopped_in_three_ways(user: Journey, way: str) -> None:
    before = seen(user)
    user.window.playground.watch(PlaybackSpeed.VERY_SLOW)
    user.until(lambda: count(user) > 1)
    if way == "escape":
        QTest.keyClick(user.window, Qt.Key.Key_Escape)
    elif way == "button":
        user.press("watch_again")
    else:
        user.act("stop")
    assert not watched(user)
    assert seen(user) == before
    stop = user.window.findChild(QAction, "action_stop")
    assert isinstance(stop, QAction) and not stop.isEnabled()


def test_playback_after_a_restart_reads_the_session_database(qtbot: QtBot, demo_model: Path, tmp_path: Path) -> None:
    with started(qtbot, tmp_path) as user:
        user.cold()
        user.send("Count 1 to 9")
    with started(qtbot, tmp_path) as user:
        user.until(lambda: bool(user.state.turns) and user.state.phase is Phase.READY)
        page = user.page
        assert user.find(QAbstractButton, "watch_again").isEnabled()
        user.press("watch_again")
        user.until(lambda: bool(watched(user)))
        user.until(lambda: not watched(user))
        assert user.page == page
