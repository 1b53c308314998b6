"""The speed graph: drawn seldom, never unseen, and told in words."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.frame import Figures, Point
from app.ui.instruments import speed_plot  # noqa: F401  (so that no test waits for it)
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.instruments.speed_line import SpeedLine
from app.ui.instruments.speed_pane import EMPTY, SpeedPane
from app.ui.instruments.speed_runs import EARLIER_RUNS
from app.ui.look.palette import DARK, LIGHT, Colour
from app.ui.look.theme import Theme
from app.ui.widgets.plots.speed_curve import Axis
from tests.ui.conftest import go_dark
from tests.ui.widgets.plots.plot_mouse import Mouse


@pytest.fixture
def graph(qtbot: QtBot, theme: Theme) -> SpeedGraph:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    graph.resize(500, 200)
    graph.show()
    return graph


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many points each setData was given."""
    calls: list[int] = []
    original = pg.PlotCurveItem.setData

    def noting(self: Any, *arguments: Any, **named: Any) -> Any:
        if arguments:
            calls.append(len(arguments[0]))
        return original(self, *arguments, **named)

    monkeypatch.setattr(pg.PlotCurveItem, "setData", noting)
    return calls


def run(graph: SpeedGraph, seconds: float, frames_per_s: int = 30) -> Figures:
    """One run as its frames come, with ten points a second."""
    graph.begin_run()
    figures = Figures()
    for frame in range(1, round(seconds * frames_per_s) + 1):
        now = frame / frames_per_s
        points = (Point(now, frame, 100.0 + frame % 7),) if frame % (frames_per_s // 10) == 0 else ()
        figures = Figures(elapsed=now, first_token=0.1, prompt_speed=900, speed_mean=102.5, tokens=frame)
        graph.advance(points, figures, now)
    graph.finish_run(figures)
    return figures


def label(graph: SpeedGraph, name: str) -> QLabel:
    found = graph.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return found


def test_an_empty_graph_says_what_will_come(graph: SpeedGraph) -> None:
    assert any(each.text() == EMPTY and each.isVisible() for each in graph.findChildren(QLabel))
    assert graph.accessibleName() == "Speed graph"
    assert graph.accessibleDescription() == "No speed yet."


def test_ten_times_a_second_at_most(graph: SpeedGraph, drawn: list[int]) -> None:
    run(graph, 1.0)  # the plot is made
    drawn.clear()
    run(graph, 3.0)
    at_begin_and_end = EARLIER_RUNS + 1 + 1
    assert len(drawn) <= 3 * 10 + at_begin_and_end
    assert max(drawn) == 30


def test_a_long_run_draws_few_points(graph: SpeedGraph, drawn: list[int]) -> None:
    run(graph, 130, 10)
    assert max(drawn) <= 600


def test_never_drawn_while_hidden(graph: SpeedGraph, drawn: list[int]) -> None:
    run(graph, 1.0)
    drawn.clear()
    graph.hide()
    run(graph, 2.0)
    assert drawn == []
    graph.show()
    assert max(drawn) == 20, "shown again, it is up to date"


def test_a_point_more_has_only_the_end_of_the_curve_painted(
    qtbot: QtBot, graph: SpeedGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []
    for kind in (pg.AxisItem, pg.TextItem, SpeedLine):

        def noting(self: Any, *arguments: Any, original: Any = kind.paint, name: str = kind.__name__) -> None:
            painted.append(name)
            original(self, *arguments)

        monkeypatch.setattr(kind, "paint", noting)
    graph.begin_run()
    for at in range(2, 13):
        painted.clear()
        graph.advance([Point(at / 10, at, 100.0)], Figures(at / 10, 0.1, speed_mean=100.0, tokens=at), 0.2 * at)
        qtbot.waitUntil(lambda: "SpeedLine" in painted)
    assert set(painted) == {"SpeedLine"}


def test_told_in_words(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    assert graph.accessibleDescription().startswith("Mean 102 tokens per second; lowest 100 at")


def test_axis_switches(graph: SpeedGraph, drawn: list[int]) -> None:
    run(graph, 1.0)
    button = graph.findChild(QToolButton, "speed_over_tokens")
    assert isinstance(button, QToolButton)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert graph.axis is Axis.TOKENS
    plot = graph.findChildren(pg.PlotWidget)[0]
    assert plot.getPlotItem().getAxis("bottom").labelText == "tokens"
    (low, high), _ = plot.getPlotItem().vb.viewRange()
    assert low == 0
    assert 30 < high < 60


def test_the_mean_is_in_sight_though_a_run_was_too_fast_for_a_curve(graph: SpeedGraph) -> None:
    graph.begin_run()
    figures = Figures(elapsed=0.2, first_token=0.1, prompt_speed=900, speed_mean=205, tokens=9)
    graph.advance((Point(0.11, 2, 100.0),), figures, 0.2)
    graph.finish_run(figures)
    _, (_, high) = graph.findChildren(pg.PlotWidget)[0].getPlotItem().vb.viewRange()
    assert high > 205


BRIEF = "first token 100 ms"


@pytest.mark.parametrize(("wide", "words"), [(500, f"{BRIEF} · prefill 900 tok/s"), (200, BRIEF)])
def test_the_first_token_is_told_in_the_words_that_fit(graph: SpeedGraph, wide: int, words: str) -> None:
    run(graph, 1.0)
    graph.resize(wide, 200)
    QApplication.processEvents()
    items = graph.findChildren(pg.PlotWidget)[0].getPlotItem().items
    assert words in {item.toPlainText() for item in items if isinstance(item, pg.TextItem) and item.isVisible()}


def test_value_under_the_pointer(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    QApplication.processEvents()
    mouse = Mouse(graph)
    mouse.move(0.52)
    assert label(graph, "speed_under_pointer").text() == "500 ms · token 15 · 101 tok/s"
    mouse.leave()
    assert label(graph, "speed_under_pointer").text() == ""


def test_marks_mean_and_prefill(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    items = graph.findChildren(pg.PlotWidget)[0].getPlotItem().items
    region = next(item for item in items if isinstance(item, pg.LinearRegionItem))
    assert region.getRegion() == (0, 0.1)
    lines = {item.value() for item in items if isinstance(item, pg.InfiniteLine) and item.isVisible()}
    assert lines == {102.5, 0.1, 1.0}
    texts = {item.toPlainText() for item in items if isinstance(item, pg.TextItem) and item.isVisible()}
    assert texts == {"first token 100 ms · prefill 900 tok/s", "end"}


@pytest.mark.parametrize("speed", [55.0, 45.0, 30.0, 92.0])
@pytest.mark.parametrize("height", [130, 200])
def test_the_word_at_the_end_lies_over_no_line(graph: SpeedGraph, speed: float, height: int) -> None:
    graph.resize(500, height)
    graph.begin_run()
    figures = Figures(elapsed=1.0, first_token=0.1, speed_mean=speed, tokens=50, end_to_end=50.0)
    graph.advance([Point(0.2 + place / 10, 10 + 5 * place, speed + 1) for place in range(9)], figures, 1.0)
    graph.finish_run(figures)
    items = graph.findChildren(pg.PlotWidget)[0].getPlotItem().items
    word = next(item for item in items if isinstance(item, pg.TextItem) and item.toPlainText() == "end")
    top = word.pos().y()
    bottom = top - word.boundingRect().height() * word.getViewBox().viewPixelSize()[1]
    assert bottom >= 0
    assert not any(bottom < line < top for line in (speed, speed + 1))


def test_the_words_at_the_first_token_lie_over_no_line(graph: SpeedGraph) -> None:
    graph.begin_run()
    figures = Figures(elapsed=1.0, first_token=0.1, speed_mean=12.0, tokens=50, end_to_end=12.0)
    slow = [Point(0.2 + place / 10, 10 + 5 * place, 9.0) for place in range(8)]
    graph.advance([*slow, Point(1.0, 50, 95.0)], figures, 1.0)
    graph.finish_run(figures)
    items = graph.findChildren(pg.PlotWidget)[0].getPlotItem().items
    words = next(item for item in items if isinstance(item, pg.TextItem) and item.toPlainText() == BRIEF)
    bottom = words.pos().y()
    top = bottom + words.boundingRect().height() * words.getViewBox().viewPixelSize()[1]
    assert not any(bottom < line < top for line in (9.0, 12.0))


def test_the_last_runs_stay_behind(graph: SpeedGraph) -> None:
    for seconds in (0.5, 1.0, 1.5, 2.0, 2.5):
        run(graph, seconds)
    curves = [
        item for item in graph.findChildren(pg.PlotWidget)[0].getPlotItem().items if isinstance(item, pg.PlotCurveItem)
    ]
    assert sorted(len(curve.getData()[0]) for curve in curves if curve.isVisible()) == [10, 15, 20, 25]


def test_the_legend_names_what_there_is_room_for(graph: SpeedGraph) -> None:
    for _ in range(2):
        run(graph, 0.5)
    legend = label(graph, "speed_legend")
    graph.resize(700, 200)
    QApplication.processEvents()
    assert all(name in legend.text() for name in ("this run", "mean", "runs before"))
    graph.resize(280, 200)
    QApplication.processEvents()
    assert "this run" in legend.text()
    assert "runs before" not in legend.text()
    copy = graph.findChild(QToolButton, "copy_speed")
    assert isinstance(copy, QToolButton)
    assert not copy.isVisible(), "the context menu copies as well"
    assert "runs before" in legend.toolTip()


def test_what_is_pointed_at_is_shortened_where_there_is_no_room(qtbot: QtBot, theme: Theme) -> None:
    words = "tokens 40–96: mean 9.1 ms, p95 14 ms between tokens"
    place = SpeedPane(theme)
    qtbot.addWidget(place)
    place.resize(600, 200)
    place.show()
    place.show_readout(words, words.removesuffix(" between tokens"))
    readout = place.findChild(QLabel, "speed_under_pointer")
    assert isinstance(readout, QLabel)
    assert readout.text() == words
    place.resize(250, 200)
    assert readout.text() == words.removesuffix(" between tokens")
    place.resize(150, 200)
    assert readout.text().endswith("…")
    place.resize(600, 200)
    assert readout.text() == words
    place.show_readout("")
    assert not readout.isVisible()


def test_copies(qtbot: QtBot, graph: SpeedGraph) -> None:
    run(graph, 1.0)
    graph.copy_csv()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "seconds,tokens,tokens_per_second"
    with qtbot.waitSignal(graph.copied) as copied:
        graph.copy_picture()
    assert copied.args == ["picture"]
    image = QGuiApplication.clipboard().image()
    assert image.width() > 300
    graph.offer(QAction("More…", graph))
    button = graph.findChild(QToolButton, "copy_speed")
    assert isinstance(button, QToolButton)
    assert [action.text() for action in button.menu().actions()] == [
        "Copy as picture",
        "Copy as CSV",
        "Copy each token as CSV",
        "More…",
    ]


def test_theme_switches_live(graph: SpeedGraph, theme: Theme) -> None:
    run(graph, 1.0)
    plot = graph.findChildren(pg.PlotWidget)[0]
    assert plot.backgroundBrush().color().name() == LIGHT[Colour.SURFACE]
    go_dark(theme)
    assert plot.backgroundBrush().color().name() == DARK[Colour.SURFACE]
