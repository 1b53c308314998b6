"""One cursor: pointing at tokens on the speed graph, by mouse, by keys, and from outside."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import Figures
from app.engine.meter.trace import Trace
from app.ui.graph.plot import SpeedPlot
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look.theme import Theme
from app.ui.widgets.plots.speed_curve import Axis
from tests.ui.instruments.arrivals import figures_of, look_back, run, slow_at, steady, traced
from tests.ui.instruments.plot_mouse import Mouse

COUNT = 200
EARLIER = "earlier run"
ESCAPE = (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)


class Around(QWidget):
    """Gets what the graph leaves."""

    def __init__(self, graph: SpeedGraph) -> None:
        super().__init__()
        self.keys: list[int] = []
        QVBoxLayout(self).addWidget(graph)
        self.show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.keys.append(event.key())


@pytest.fixture
def around(qtbot: QtBot, theme: Theme) -> Around:
    around = Around(SpeedGraph(theme))
    qtbot.addWidget(around)
    around.resize(700, 200)
    return around


@pytest.fixture
def graph(around: Around) -> SpeedGraph:
    graph = around.findChild(SpeedGraph)
    assert graph is not None
    run(graph, steady(COUNT))
    return graph


def readout(graph: SpeedGraph) -> str:
    return graph.findChildren(SpeedPlot)[0].scene.said.note


def marked(graph: SpeedGraph) -> tuple[float | None, tuple[float, float] | None]:
    """Where the token's line and the stretch are on the plot."""
    scene = graph.findChildren(SpeedPlot)[0].scene
    return scene.pointed, scene.shaded


def said(spy: QSignalSpy) -> list[list[int]]:
    return [spy.at(number) for number in range(spy.count())]


@pytest.mark.parametrize("axis", Axis)
def test_hovering_points_at_the_nearest_token(qtbot: QtBot, graph: SpeedGraph, axis: Axis) -> None:
    graph.set_axis(axis)
    graph.show_trace(traced(steady(COUNT)), 0)
    pointed = QSignalSpy(graph.token_pointed)
    mouse = Mouse(graph)
    mouse.move(1.6902 if axis is Axis.TIME else 120.2)
    assert said(pointed) == [[119]]
    assert readout(graph) == "token 120 · 1.69 s · gap 10 ms · 100 tok/s"
    assert marked(graph)[0] == pytest.approx(1.69 if axis is Axis.TIME else 120)
    mouse.leave()
    assert said(pointed) == [[119], [-1]]
    assert readout(graph) == ""
    assert marked(graph) == (None, None)
    mouse.rest(qtbot)


def test_motion_is_told_once_a_frame(qtbot: QtBot, graph: SpeedGraph) -> None:
    graph.set_axis(Axis.TOKENS)
    graph.show_trace(traced(steady(COUNT)), 0)
    mouse = Mouse(graph)
    mouse.move(10)
    mouse.rest(qtbot)
    pointed = QSignalSpy(graph.token_pointed)
    mouse.timer.setInterval(200)
    for number in range(20, 60):
        mouse.move(number)
    assert said(pointed) == [[19]]
    mouse.timer.setInterval(1)
    mouse.rest(qtbot)
    assert said(pointed) == [[19], [58]]
    for _ in range(5):
        mouse.move(59)
        mouse.rest(qtbot)
    assert pointed.count() == 2, "nothing else, so nothing told"


def test_a_drag_chooses_a_stretch(qtbot: QtBot, graph: SpeedGraph) -> None:
    graph.set_axis(Axis.TOKENS)
    graph.show_trace(traced(steady(COUNT)), 0)
    chosen, clicked = QSignalSpy(graph.stretch_chosen), QSignalSpy(graph.token_clicked)
    mouse = Mouse(graph)
    mouse.press(96)
    mouse.move(60)
    assert said(chosen) == [[59, 95]], "live"
    mouse.rest(qtbot)
    mouse.move(40)
    mouse.release(40)
    assert said(chosen)[-1] == [39, 95]
    assert clicked.count() == 0
    assert readout(graph) == "tokens 40–96: mean 10 ms, p95 10 ms between tokens"
    assert marked(graph) == (None, (40, 96))
    mouse.rest(qtbot)
    mouse.move(60)
    assert readout(graph).startswith("tokens 40–96"), "over the stretch it is the stretch"
    mouse.rest(qtbot)
    mouse.move(120)
    assert readout(graph).startswith("token 120")
    mouse.rest(qtbot)


def test_a_click_clears_the_stretch_and_hits_the_slow_token(qtbot: QtBot, graph: SpeedGraph) -> None:
    run(graph, slow_at(120, COUNT))
    graph.set_axis(Axis.TOKENS)
    graph.show_trace(traced(slow_at(120, COUNT)), 0)
    mouse = Mouse(graph)
    mouse.press(40)
    mouse.move(60)
    mouse.release(60)
    chosen, clicked = QSignalSpy(graph.stretch_chosen), QSignalSpy(graph.token_clicked)
    mouse.press(120)
    mouse.release(120)
    assert said(clicked) == [[120]], "the slow one is number 121"
    assert said(chosen) == [[-1, -1]]
    assert marked(graph) == (121, None)
    assert "gap 60 ms" in readout(graph)
    mouse.rest(qtbot)


def test_arrow_keys_move_the_token(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(COUNT)), 0)
    pointed, clicked = QSignalSpy(graph.token_pointed), QSignalSpy(graph.token_clicked)
    graph.setFocus()
    for key in (
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_Left,
        Qt.Key.Key_Left,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_Return,
    ):
        QTest.keyClick(graph, key)
    assert said(pointed) == [[0], [1], [0], [199], [189]]
    assert said(clicked) == [[189]]
    assert graph.accessibleDescription().startswith("token 190 · ")
    graph.clearFocus()
    assert said(pointed)[-1] == [-1]
    assert graph.accessibleDescription().startswith("Mean ")


def test_shift_and_arrows_choose_a_stretch(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(COUNT)), 0)
    graph.point_token(50)
    chosen = QSignalSpy(graph.stretch_chosen)
    for _ in range(2):
        QTest.keyClick(graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    for _ in range(3):
        QTest.keyClick(graph, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert said(chosen) == [[50, 51], [50, 52], [50, 51], [50, 50], [49, 50]]
    QTest.keyClick(graph, Qt.Key.Key_Right)
    assert said(chosen)[-1] == [-1, -1]


def test_escape_clears_a_stretch_and_is_left_alone_otherwise(around: Around, graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(COUNT)), 0)
    QTest.keyClick(graph, Qt.Key.Key_Right)
    QTest.keyClick(graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    chosen = QSignalSpy(graph.stretch_chosen)
    around.keys.clear()
    QTest.keyClick(graph, *ESCAPE)
    assert said(chosen) == [[-1, -1]]
    assert around.keys == []
    QTest.keyClick(graph, *ESCAPE)
    assert around.keys == [Qt.Key.Key_Escape]


def test_without_tokens_keys_mean_nothing_here(around: Around, graph: SpeedGraph) -> None:
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Return):
        QTest.keyClick(graph, key)
    assert around.keys == [Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Return]


def test_told_from_outside_it_tells_nobody(qtbot: QtBot, graph: SpeedGraph) -> None:
    graph.set_axis(Axis.TOKENS)
    graph.show_trace(traced(steady(COUNT)), 0)
    spies = [QSignalSpy(signal) for signal in (graph.token_pointed, graph.token_clicked, graph.stretch_chosen)]
    graph.point_token(9)
    graph.mark_stretch(19, 29)
    assert marked(graph) == (10, (20, 30))
    assert readout(graph).startswith("tokens 20–30"), "the stretch, though the selected token is outside"
    graph.mark_stretch(None)
    assert readout(graph).startswith("token 10 ")
    graph.point_token(COUNT + 5)
    assert marked(graph) == (None, None), "there is no such token"
    graph.point_token(9)
    assert [spy.count() for spy in spies] == [0, 0, 0]
    mouse = Mouse(graph)
    mouse.move(40)
    assert marked(graph)[0] == 40
    mouse.leave()
    assert marked(graph)[0] == 10, "the pointer has left, so the given one is back"
    graph.point_token(None)
    assert marked(graph) == (None, None)
    mouse.rest(qtbot)


def test_told_before_it_is_seen(qtbot: QtBot, theme: Theme) -> None:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    graph.resize(700, 200)
    graph.set_axis(Axis.TOKENS)
    look_back(graph, steady(COUNT), EARLIER)
    graph.point_token(9)
    graph.mark_stretch(19, 29)
    graph.show()
    assert marked(graph) == (10, (20, 30))


def name(graph: SpeedGraph) -> str:
    return graph.findChildren(SpeedPlot)[0].scene.said.name


def test_an_earlier_run_is_drawn_from_its_arrivals(graph: SpeedGraph) -> None:
    own = graph.accessibleDescription()
    look_back(graph, steady(90, 0.02), EARLIER)
    assert graph.accessibleDescription().startswith("Mean 50.0 tokens per second")
    assert name(graph) == EARLIER
    graph.show_run(figures_of(steady(COUNT)))
    assert graph.accessibleDescription() == own
    assert name(graph) == ""


def test_a_run_that_begins_takes_an_earlier_one_away(graph: SpeedGraph) -> None:
    look_back(graph, steady(90, 0.02), EARLIER)
    pointed = QSignalSpy(graph.token_pointed)
    QTest.keyClick(graph, Qt.Key.Key_Right)
    graph.begin_run()
    assert name(graph) == ""
    assert graph.accessibleDescription() == "No speed yet."
    assert said(pointed) == [[0], [-1]]


def test_tokens_may_be_shown_before_their_curve_has_begun(graph: SpeedGraph) -> None:
    trace = Trace()
    trace.begin_run(100.0)
    graph.begin_run()
    graph.show_trace(trace, 0)
    assert name(graph) == ""
    graph.begin_run()
    graph.show_trace(traced(steady(COUNT)), 0)
    graph.take((), Figures(0.6, first_token=0.5, tokens=10))
    graph.draw(0.6)
    assert name(graph) == ""


def test_each_token_can_be_copied(graph: SpeedGraph) -> None:
    graph.copy_tokens()
    graph.show_trace(traced(steady(COUNT)), 0)
    graph.copy_tokens()
    assert len(QApplication.clipboard().text().splitlines()) == COUNT + 1
