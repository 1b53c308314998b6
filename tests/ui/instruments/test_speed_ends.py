"""The line of the end probability: switched on, drawn beside the speed, never unseen, and told."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import Figures, Point
from app.engine.meter.trace import Trace
from app.ui.graph.end_curve import NO_TOKENS, UNRECORDED, EndCurve
from app.ui.graph.menu import EOS_TIP
from app.ui.graph.plot import SpeedPlot
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


def switch(graph: SpeedGraph) -> QAction:
    found = graph.findChild(QAction, "speed_eos")
    assert isinstance(found, QAction)
    return found


def line(graph: SpeedGraph) -> EndCurve | None:
    return graph.findChildren(SpeedPlot)[0].scene.ends


def words(graph: SpeedGraph) -> set[str]:
    return {label.text for label in graph.findChildren(SpeedPlot)[0].labels}


def test_switched_on_it_is_drawn_and_told(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(len(ENDS)), ENDS), 0)
    assert line(graph) is None
    switched = QSignalSpy(graph.eos_switched)
    switch(graph).trigger()
    assert switched.at(0) == [True]
    assert graph.eos
    drawn = line(graph)
    assert drawn is not None
    assert drawn.ys(1.0) == pytest.approx(ENDS)
    assert "EOS peak at 120: 34 %" in words(graph)
    assert "EOS probability peaked at token 120: 34 %." in graph.accessibleDescription()
    graph.set_axis(Axis.TOKENS)
    assert drawn.xs(Axis.TOKENS) == list(range(1, len(ENDS) + 1))
    switch(graph).trigger()
    assert line(graph) is None
    assert "EOS probability" not in graph.accessibleDescription()
    assert "EOS peak at 120: 34 %" not in words(graph)


def test_what_never_was_likely_is_not_named(graph: SpeedGraph) -> None:
    graph.set_eos(True)
    graph.show_trace(traced(steady(len(ENDS)), [0.001] * len(ENDS)), 0)
    assert line(graph) is not None
    assert not any("EOS" in word for word in words(graph))
    assert "EOS probability peaked at token 1: 0.10 %" in graph.accessibleDescription()


def test_what_is_pointed_at_comes_before_the_peak(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(len(ENDS)), ENDS), 0)
    graph.set_eos(True)
    graph.point_token(9)
    assert any(word.startswith("token 10 ") for word in words(graph))
    assert "EOS peak at 120: 34 %" not in words(graph)
    graph.point_token(None)
    assert "EOS peak at 120: 34 %" in words(graph)


def test_without_records_the_switch_says_why(graph: SpeedGraph) -> None:
    assert (switch(graph).isEnabled(), switch(graph).toolTip()) == (False, NO_TOKENS)
    graph.set_eos(True)
    graph.show_trace(traced(steady(len(ENDS))), 0)
    assert (switch(graph).isEnabled(), switch(graph).toolTip()) == (False, UNRECORDED)
    assert line(graph) is None
    graph.show_trace(traced(steady(len(ENDS)), ENDS), 0)
    assert (switch(graph).isEnabled(), switch(graph).toolTip()) == (True, EOS_TIP)
    assert line(graph) is not None, "the wish is kept"


def test_it_grows_with_the_run(graph: SpeedGraph) -> None:
    trace = Trace()
    trace.begin_run(100.0)
    graph.set_eos(True)
    graph.begin_run()
    graph.show_trace(trace, 0)
    for frame in range(1, 91):
        now = 0.5 + frame / 30
        extend(trace, [now], [0.1])
        graph.take((Point(now, frame, 30.0),), Figures(now, first_token=0.5 + 1 / 30, tokens=frame), [now])
        graph.draw(now)
    drawn = line(graph)
    assert drawn is not None
    assert len(drawn.drawn) == 90


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
        graph.take((Point(figures.elapsed, frame, 30.0),), figures, [figures.elapsed])
        graph.draw(figures.elapsed)
    assert set(read) <= {0}, "whether there is anything to be switched on"
