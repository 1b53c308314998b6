"""The line of the end probability: switched on, drawn beside the speed, never unseen, and told."""

from __future__ import annotations

import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.frame import Figures, Point
from app.engine.trace import Trace
from app.ui.instruments import speed_plot  # noqa: F401  (so that no test waits for it)
from app.ui.instruments.end_curve import NO_TOKENS, UNRECORDED
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look.theme import Theme
from app.ui.widgets.plots.speed_curve import Axis
from tests.ui.instruments.arrivals import extend, run, steady, traced

ENDS = [0.34 if index == 119 else 0.01 for index in range(199)] + [0.95]


@pytest.fixture
def graph(qtbot: QtBot, theme: Theme) -> SpeedGraph:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    graph.resize(700, 200)
    graph.show()
    run(graph, steady(len(ENDS)))
    return graph


def switch(graph: SpeedGraph) -> QToolButton:
    found = graph.findChild(QToolButton, "speed_eos")
    assert isinstance(found, QToolButton)
    return found


def line(graph: SpeedGraph) -> pg.PlotCurveItem:
    items = graph.findChildren(pg.PlotWidget)[0].getPlotItem().items
    return next(item for item in items if isinstance(item, pg.PlotCurveItem) and item.opts["fillLevel"] == 0)


def words(graph: SpeedGraph) -> set[str]:
    items = graph.findChildren(pg.PlotWidget)[0].getPlotItem().items
    return {item.toPlainText() for item in items if isinstance(item, pg.TextItem) and item.isVisible()}


def test_switched_on_it_is_drawn_and_told(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(len(ENDS)), ENDS), 0)
    assert not line(graph).isVisible()
    switched = QSignalSpy(graph.eos_switched)
    QTest.mouseClick(switch(graph), Qt.MouseButton.LeftButton)
    assert switched.at(0) == [True]
    assert graph.eos
    item = graph.findChildren(pg.PlotWidget)[0].getPlotItem()
    top = item.vb.viewRange()[1][1]
    assert item.getAxis("right").isVisible()
    assert item.getAxis("right").range == [0, 100]
    assert line(graph).isVisible()
    assert list(line(graph).getData()[1]) == pytest.approx([end * top for end in ENDS])
    assert "it almost stopped at 120: 34 %" in words(graph)
    assert "End probability: it almost stopped at token 120: 34 %." in graph.accessibleDescription()
    assert any("end probability" in label.text() for label in graph.findChildren(QLabel))
    graph.set_axis(Axis.TOKENS)
    assert list(line(graph).getData()[0]) == list(range(1, len(ENDS) + 1))
    QTest.mouseClick(switch(graph), Qt.MouseButton.LeftButton)
    assert not item.getAxis("right").isVisible()
    assert not line(graph).isVisible()
    assert "End probability" not in graph.accessibleDescription()


def test_what_never_was_likely_is_not_named(graph: SpeedGraph) -> None:
    graph.set_eos(True)
    graph.show_trace(traced(steady(len(ENDS)), [0.001] * len(ENDS)), 0)
    assert line(graph).isVisible()
    assert not any("likeliest" in word for word in words(graph))
    assert "end likeliest at token 1: 0.10 %" in graph.accessibleDescription()


def test_the_words_are_short_in_a_narrow_graph(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(len(ENDS)), ENDS), 0)
    graph.set_eos(True)
    graph.resize(260, 200)
    QApplication.processEvents()
    assert "120: 34 %" in words(graph)
    graph.resize(700, 200)
    QApplication.processEvents()
    assert "it almost stopped at 120: 34 %" in words(graph)


def test_without_records_the_switch_says_why(graph: SpeedGraph) -> None:
    assert switch(graph).accessibleName() == "End probability"
    assert (switch(graph).isEnabled(), switch(graph).toolTip()) == (False, NO_TOKENS)
    graph.set_eos(True)
    graph.show_trace(traced(steady(len(ENDS))), 0)
    assert (switch(graph).isEnabled(), switch(graph).toolTip()) == (False, UNRECORDED)
    assert not line(graph).isVisible()
    graph.show_trace(traced(steady(len(ENDS)), ENDS), 0)
    assert switch(graph).isEnabled()
    assert line(graph).isVisible(), "the wish is kept"


def test_it_grows_with_the_run_and_not_while_nobody_can_see_it(
    graph: SpeedGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = Trace()
    trace.begin_run(100.0)
    graph.set_eos(True)
    graph.begin_run()
    graph.show_trace(trace, 0)
    lengths: list[int] = []
    original = line(graph).setData

    def noting(xs: list[float], ys: list[float]) -> None:
        lengths.append(len(xs))
        original(xs, ys)

    monkeypatch.setattr(line(graph), "setData", noting)
    for frame in range(1, 91):
        if frame == 61:
            graph.hide()
        now = 0.5 + frame / 30
        extend(trace, [now], [0.1])
        figures = Figures(now, first_token=0.5 + 1 / 30, tokens=frame)
        graph.advance((Point(now, frame, 30.0),), figures, now)
    assert 10 < len(lengths) <= 2 * 10 + 3
    assert max(lengths) <= 60
    graph.show()
    assert lengths[-1] == 90


def test_switched_off_nothing_is_read(graph: SpeedGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = traced(steady(3), [0.1] * 3)
    graph.begin_run()
    graph.show_trace(trace, 0)
    read: list[int] = []
    original = Trace.observed_at

    def noting(self: Trace, place: int) -> object:
        read.append(place)
        return original(self, place)

    monkeypatch.setattr(Trace, "observed_at", noting)
    for frame in range(1, 40):
        extend(trace, [0.53 + frame / 30], [0.1])
        figures = Figures(0.5 + frame / 30, first_token=0.5, tokens=frame)
        graph.advance((Point(figures.elapsed, frame, 30.0),), figures, figures.elapsed)
    assert set(read) <= {0}, "whether there is anything to be switched on"
