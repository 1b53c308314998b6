import pytest
from PySide6.QtGui import QAction, QColor, QGuiApplication, QImage
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import Point
from app.ui.instruments.speed_graph import DRAG, EMPTY, EOS_TIP, MAX_PINNED, SpeedGraph
from app.ui.look.palette import LIGHT, Color
from app.ui.look.theme import Theme
from app.ui.speed_graph.labels import prefill_block
from app.ui.speed_graph.tokens import NO_TOKENS, UNRECORDED
from app.ui.widgets.plots.speed_curve import CurveAxis
from tests.ui.instruments import arrivals
from tests.ui.instruments.arrivals import Mouse, plot_of
from tests.ui.look.eyes import contrast

STEADY = 100.0
EOS = [0.34 if index == 119 else 0.01 + index / 1e6 for index in range(199)] + [0.95]
EOS_LABEL = "EOS peak at 120: 34 %"
NEAR = 8
"""Allowed color difference of a smoothed line, of 255."""


@pytest.fixture
def graph(qtbot: QtBot, theme: Theme) -> SpeedGraph:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    graph.resize(840, 190)
    graph.show()
    return graph


def action(graph: SpeedGraph, name: str) -> QAction:
    found = graph.findChild(QAction, name)
    assert isinstance(found, QAction)
    return found


def advance(graph: SpeedGraph, at: float, tokens: int, speed: float = STEADY) -> RunMetrics:
    metrics = RunMetrics(elapsed=at, first_token=0.1, speed_mean=STEADY, tokens=tokens)
    graph.scene.curve.extend((Point(at, tokens, speed),), metrics, [at])
    graph.draw(at)
    return metrics


def run(graph: SpeedGraph, seconds: float, speed: float = STEADY, model: str = "") -> RunMetrics:
    graph.begin_run(model)
    metrics = RunMetrics()
    for frame in range(5, round(seconds * 50) + 1):
        metrics = advance(graph, frame / 50, frame, speed + frame % 7)
    graph.finish_run(metrics)
    return metrics


def words(graph: SpeedGraph) -> list[str]:
    return [label.text for label in plot_of(graph).labels]


def image_of(graph: SpeedGraph) -> QImage:
    QApplication.processEvents()
    return plot_of(graph).grab().toImage()


def is_near(color: QColor, other: str) -> bool:
    pairs = zip(color.getRgb()[:3], QColor(other).getRgb()[:3], strict=True)  # type: ignore[index]
    return all(abs(one - two) <= NEAR for one, two in pairs)


def heights_of(graph: SpeedGraph, x: int, role: Color) -> list[int]:
    """Return where this color is in a column of pixels."""
    image = image_of(graph)
    return [y for y in range(image.height()) if is_near(image.pixelColor(x, y), LIGHT[role])]


def test_graph_without_a_run_shows_a_sample_and_says_what_will_appear(graph: SpeedGraph) -> None:
    assert words(graph) == [EMPTY]
    assert graph.accessibleName() == "Speed graph"
    assert graph.accessibleDescription() == "No speed yet."
    image = image_of(graph)
    colors = {image.pixelColor(x, y).name() for x in range(0, 840, 3) for y in range(20, 180)}
    assert 1.7 < max(contrast(each, LIGHT[Color.RAISED]) for each in colors) < 3
    assert LIGHT[Color.DECODE] not in colors
    Mouse(graph).leave()
    assert words(graph) == [EMPTY]


def test_axes_of_a_running_run_only_grow(graph: SpeedGraph) -> None:
    graph.begin_run()
    ends = []
    for number in range(5, 120):
        advance(graph, number / 50, number, 500.0 if number < 60 else 50.0)
        ends.append((plot_of(graph).view.right, plot_of(graph).view.top))
    assert ends == sorted(ends)


def test_graph_of_a_short_run_has_its_curve_and_a_tick_for_each_arrival(graph: SpeedGraph) -> None:
    graph.begin_run()
    came = [0.1 + 0.005 * number for number in range(9)]
    metrics = RunMetrics(elapsed=0.2, first_token=0.1, speed_mean=205, tokens=9)
    graph.scene.curve.extend((Point(0.105, 2, 200.0), Point(0.14, 9, 200.0)), metrics, came)
    graph.draw(0.2)
    assert plot_of(graph).view.right == 1.0
    graph.finish_run(metrics)
    image, view = image_of(graph), plot_of(graph).view
    assert view.right == pytest.approx(0.2)
    assert view.top > 205
    rug = round(view.rug.center().y())
    ticks = [x for x in range(image.width()) if image.pixelColor(x, rug).name() == LIGHT[Color.DECODE]]
    assert ticks == [int(view.x(at)) for at in came]
    line = heights_of(graph, round(view.x(0.12)), Color.DECODE)
    assert any(abs(y - view.y(200)) <= 2 for y in line)


def test_prefill_is_a_block_with_its_words_above_the_plot(graph: SpeedGraph) -> None:
    graph.begin_run("demo")
    graph.set_prompt("47 tokens prefilled")
    advance(graph, 0.2, 1)
    view = plot_of(graph).view
    label = next(label for label in plot_of(graph).labels if label.text == "47 tokens prefilled")
    assert label.role is Color.PREFILL and label.rect.bottom() <= view.plot.top()
    image = image_of(graph)
    assert image.pixelColor(round(view.lane.left()) + 2, round(view.lane.center().y())) != image.pixelColor(2, 2)
    graph.set_prompt("")
    graph.finish_run(RunMetrics(elapsed=0.5))
    assert prefill_block(plot_of(graph).view, plot_of(graph).scene).width() == 0, "nothing was prefilled"


def test_hover_without_tokens_shows_the_nearest_point(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    mouse = Mouse(graph)
    mouse.move(0.501)
    assert "500 ms · token 25 · 104 tok/s" in words(graph)
    mouse.leave()
    assert not any("token 25" in word for word in words(graph))


def test_hint_disappears_after_the_first_drag(graph: SpeedGraph) -> None:
    came = arrivals.steady(200)
    arrivals.run(graph, came)
    graph.show_trace(arrivals.traced(came), 0)
    assert DRAG in words(graph)
    mouse = Mouse(graph)
    mouse.press(1.0)
    mouse.move(1.4)
    mouse.release(1.4)
    assert graph.measured
    graph.mark_stretch(None)
    assert DRAG not in words(graph)


def test_pinned_runs_are_drawn_behind_with_their_means(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    run(graph, 1.5)
    assert plot_of(graph).scene.other_pinned == []
    for number in range(MAX_PINNED + 1):
        run(graph, 2.0 + number, 40.0, f"model {number}")
        assert not action(graph, "pin_speed_run").isChecked()
        action(graph, "pin_speed_run").trigger()
        assert action(graph, "pin_speed_run").isChecked()
    assert len(plot_of(graph).scene.other_pinned) == MAX_PINNED - 1
    run(graph, 1.0)
    behind = plot_of(graph).scene.other_pinned
    assert [each.model for each in behind] == ["model 1", "model 2", "model 3"]
    view = plot_of(graph).view
    right = [label for label in plot_of(graph).labels if label.rect.left() > view.plot.right()]
    assert [label.text for label in right] == ["100 mean", "100 pinned", "100 pinned", "100 pinned"]
    assert {label.height for label in right} == {view.y(100.0)}
    legend = "+0 % against pinned · model 3 · +0 % against pinned · model 2"
    assert any(label.text.startswith(legend) for label in plot_of(graph).labels)
    assert "Pinned: model 1, mean 100 tokens per second." in graph.accessibleDescription()
    image, at = image_of(graph), round(view.y(40 + 25 % 7))
    near = [image.pixelColor(round(view.x(0.5)), at + each).name() for each in (-1, 0, 1)]
    assert max(contrast(each, LIGHT[Color.RAISED]) for each in near) >= 3


def test_unpin_removes_pinned_runs(graph: SpeedGraph) -> None:
    metrics = run(graph, 1.0)
    action(graph, "pin_speed_run").trigger()
    run(graph, 2.0)
    assert len(plot_of(graph).scene.other_pinned) == 1
    graph.show_run(metrics)
    assert action(graph, "pin_speed_run").isChecked()
    assert plot_of(graph).scene.other_pinned == [] and graph.scene.curve.arrivals
    action(graph, "pin_speed_run").trigger()
    assert not graph.scene.pinned
    action(graph, "pin_speed_run").trigger()
    action(graph, "unpin_speed_runs").trigger()
    assert not graph.scene.pinned and not action(graph, "unpin_speed_runs").isEnabled()


def test_menu_changes_the_axis_copies_and_has_actions_of_the_window(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    action(graph, "speed_over_tokens").trigger()
    assert plot_of(graph).view.right == 50
    action(graph, "copy_speed_csv").trigger()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "seconds,tokens,tokens_per_second"
    action(graph, "copy_speed_picture").trigger()
    assert QGuiApplication.clipboard().image().width() > 300
    graph.add_menu_actions(QAction("More…", graph))
    button = graph.findChild(QToolButton, "speed_menu")
    assert isinstance(button, QToolButton)
    assert [act.text() for act in button.menu().actions() if not act.isSeparator()] == [
        "Speed over Time",
        "Speed over Tokens",
        "EOS Probability",
        "Pin This Run",
        "Unpin All Runs",
        "Copy as Picture",
        "Copy as CSV",
        "Copy Each Token as CSV",
        "More…",
    ]


def test_eos_probability_switched_on_is_drawn_labelled_and_described(graph: SpeedGraph) -> None:
    arrivals.run(graph, arrivals.steady(len(EOS)))
    graph.show_trace(arrivals.traced(arrivals.steady(len(EOS)), EOS), 0)
    assert graph.scene.eos.line(CurveAxis.TIME) == ([], [])
    switched = QSignalSpy(graph.eos_switched)
    action(graph, "speed_eos").trigger()
    assert switched.at(0) == [True]
    xs, ys = graph.scene.eos.line(CurveAxis.TOKENS)
    assert xs == list(range(1, len(EOS) + 1)) and ys == pytest.approx(EOS)
    assert EOS_LABEL in words(graph)
    assert "EOS probability peaked at token 120: 34 %." in graph.accessibleDescription()
    graph.mark_token(9)
    assert any(word.startswith("token 10 ") for word in words(graph))
    assert EOS_LABEL not in words(graph)
    graph.mark_token(None)
    assert EOS_LABEL in words(graph)
    action(graph, "speed_eos").trigger()
    assert "EOS" not in graph.accessibleDescription() and EOS_LABEL not in words(graph)


def test_eos_action_without_records_says_why(graph: SpeedGraph) -> None:
    act = action(graph, "speed_eos")
    assert (act.isEnabled(), act.toolTip()) == (False, NO_TOKENS)
    graph.set_eos(True)
    graph.show_trace(arrivals.traced(arrivals.steady(len(EOS))), 0)
    assert (act.isEnabled(), act.toolTip()) == (False, UNRECORDED)
    graph.show_trace(arrivals.traced(arrivals.steady(len(EOS)), EOS), 0)
    assert (act.isEnabled(), act.toolTip()) == (True, EOS_TIP)
    assert graph.scene.eos.drawn
