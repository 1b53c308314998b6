import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look.theme import Theme
from app.ui.speed_graph.tokens import RunTokenView
from app.ui.widgets.plots.speed_curve import CurveAxis
from tests.ui.instruments.arrivals import Mouse, metrics_of, plot_of, run, slow_at, steady, traced

COUNT = 200


@pytest.fixture
def graph(qtbot: QtBot, theme: Theme) -> SpeedGraph:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    graph.resize(700, 200)
    graph.show()
    run(graph, steady(COUNT))
    return graph


def is_handled(graph: SpeedGraph, key: Qt.Key) -> bool:
    """Press a key, and return whether the graph keeps it from the window."""
    event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(graph, event)
    return event.isAccepted()


def readout(graph: SpeedGraph) -> str:
    return plot_of(graph).scene.note


def marked(graph: SpeedGraph) -> tuple[float | None, tuple[float, float] | None]:
    """Return the x values of the token's line and of the stretch."""
    scene = plot_of(graph).scene
    return scene.pointed, scene.shaded


def emitted(spy: QSignalSpy) -> list[list[int]]:
    return [spy.at(number) for number in range(spy.count())]


@pytest.mark.parametrize("axis", CurveAxis)
def test_hover_points_at_the_nearest_token(graph: SpeedGraph, axis: CurveAxis) -> None:
    graph.set_axis(axis)
    graph.show_trace(traced(steady(COUNT)), 0)
    pointed = QSignalSpy(graph.token_pointed)
    mouse = Mouse(graph)
    mouse.move(1.6902 if axis is CurveAxis.TIME else 120.2)
    assert emitted(pointed) == [[119]]
    assert readout(graph) == "token 120 · 1.69 s · inter-token latency 10 ms · 100 tok/s now"
    assert marked(graph)[0] == pytest.approx(1.69 if axis is CurveAxis.TIME else 120)
    mouse.leave()
    assert emitted(pointed) == [[119], [-1]]
    assert readout(graph) == ""
    assert marked(graph) == (None, None)


def test_drag_chooses_a_stretch(graph: SpeedGraph) -> None:
    graph.set_axis(CurveAxis.TOKENS)
    graph.show_trace(traced(steady(COUNT)), 0)
    chosen, clicked = QSignalSpy(graph.stretch_chosen), QSignalSpy(graph.token_clicked)
    mouse = Mouse(graph)
    mouse.press(96)
    mouse.move(60)
    assert emitted(chosen) == [[59, 95]]
    mouse.move(40)
    mouse.release(40)
    assert emitted(chosen)[-1] == [39, 95]
    assert clicked.count() == 0
    assert readout(graph) == "tokens 40–96 · mean inter-token latency 10 ms · p95 10 ms"
    assert marked(graph) == (None, (40, 96))
    mouse.move(60)
    assert readout(graph).startswith("tokens 40–96")
    mouse.move(120)
    assert readout(graph).startswith("token 120")


def test_click_near_a_slow_token_clears_the_stretch_and_hits_that_token(graph: SpeedGraph) -> None:
    run(graph, slow_at(120, COUNT))
    graph.set_axis(CurveAxis.TOKENS)
    graph.show_trace(traced(slow_at(120, COUNT)), 0)
    mouse = Mouse(graph)
    mouse.press(40)
    mouse.move(60)
    mouse.release(60)
    chosen, clicked = QSignalSpy(graph.stretch_chosen), QSignalSpy(graph.token_clicked)
    mouse.press(120)
    mouse.release(120)
    assert emitted(clicked) == [[120]], "the slow one is number 121"
    assert emitted(chosen) == [[-1, -1]]
    assert marked(graph) == (121, None)
    assert "inter-token latency 60 ms" in readout(graph)


def test_arrow_keys_move_the_token_and_return_clicks_it(graph: SpeedGraph) -> None:
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
    assert emitted(pointed) == [[0], [1], [0], [199], [189]]
    assert emitted(clicked) == [[189]]
    assert graph.accessibleDescription().startswith("token 190 · ")
    graph.clearFocus()
    assert emitted(pointed)[-1] == [-1]
    assert graph.accessibleDescription().startswith("Mean ")


def test_shift_and_arrow_keys_choose_a_stretch(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(COUNT)), 0)
    graph.mark_token(50)
    chosen = QSignalSpy(graph.stretch_chosen)
    for _ in range(2):
        QTest.keyClick(graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    for _ in range(3):
        QTest.keyClick(graph, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert emitted(chosen) == [[50, 51], [50, 52], [50, 51], [50, 50], [49, 50]]
    QTest.keyClick(graph, Qt.Key.Key_Right)
    assert emitted(chosen)[-1] == [-1, -1]


def test_escape_without_a_stretch_is_left_to_the_window(graph: SpeedGraph) -> None:
    graph.show_trace(traced(steady(COUNT)), 0)
    QTest.keyClick(graph, Qt.Key.Key_Right)
    QTest.keyClick(graph, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    chosen = QSignalSpy(graph.stretch_chosen)
    assert is_handled(graph, Qt.Key.Key_Escape)
    assert emitted(chosen) == [[-1, -1]]
    assert not is_handled(graph, Qt.Key.Key_Escape)


def test_keys_without_tokens_are_left_to_the_window(graph: SpeedGraph) -> None:
    assert not any(is_handled(graph, key) for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Return))


def test_marks_from_outside_emit_nothing(graph: SpeedGraph) -> None:
    graph.set_axis(CurveAxis.TOKENS)
    graph.show_trace(traced(steady(COUNT)), 0)
    spies = [QSignalSpy(signal) for signal in (graph.token_pointed, graph.token_clicked, graph.stretch_chosen)]
    graph.mark_token(9)
    graph.mark_stretch(19, 29)
    assert marked(graph) == (10, (20, 30))
    assert readout(graph).startswith("tokens 20–30")
    graph.mark_stretch(None)
    assert readout(graph).startswith("token 10 ")
    graph.mark_token(COUNT + 5)
    assert marked(graph) == (None, None)
    graph.mark_token(9)
    assert [spy.count() for spy in spies] == [0, 0, 0]
    mouse = Mouse(graph)
    mouse.move(40)
    assert marked(graph)[0] == 40
    mouse.leave()
    assert marked(graph)[0] == 10
    graph.mark_token(None)
    assert marked(graph) == (None, None)


def test_earlier_run_is_named_until_a_run_begins(graph: SpeedGraph) -> None:
    earlier, plot = steady(90, 0.02), plot_of(graph)
    trace = traced(earlier)
    graph.show_run(metrics_of(earlier, 50))
    graph.name_run("earlier run")
    graph.show_curve(RunTokenView(trace, 0).curve())
    graph.show_trace(trace, 0)
    assert graph.accessibleDescription().startswith("Mean 50.0 tokens per second")
    assert plot.scene.name == "earlier run"
    pointed = QSignalSpy(graph.token_pointed)
    QTest.keyClick(graph, Qt.Key.Key_Right)
    graph.begin_run()
    assert plot.scene.name == ""
    assert graph.accessibleDescription() == "No speed yet."
    assert emitted(pointed) == [[0], [-1]]


def test_copy_each_token_copies_a_row_for_each(graph: SpeedGraph) -> None:
    copy = graph.findChild(QAction, "copy_speed_tokens")
    assert isinstance(copy, QAction) and not copy.isEnabled()
    graph.show_trace(traced(steady(COUNT)), 0)
    copy.trigger()
    assert len(QApplication.clipboard().text().splitlines()) == COUNT + 1
