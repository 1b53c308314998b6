"""The speed graph: drawn as it should be, never unseen, and told in words."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QColor, QGuiApplication, QImage, QPaintEvent
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.meter.frame import Figures, Point
from app.ui.graph.plot import SpeedPlot
from app.ui.graph.runs import EARLIER_RUNS
from app.ui.instruments.speed_graph import DRAG, EMPTY, SpeedGraph
from app.ui.look.palette import LIGHT, Colour
from app.ui.look.theme import Theme
from app.ui.widgets.plots.speed_curve import Axis
from tests.ui.instruments import arrivals
from tests.ui.instruments.plot_mouse import Mouse
from tests.ui.look.eyes import contrast

STEADY = 100.0


@pytest.fixture
def graph(qtbot: QtBot, theme: Theme) -> SpeedGraph:
    graph = SpeedGraph(theme)
    qtbot.addWidget(graph)
    graph.resize(840, 190)
    graph.show()
    return graph


def plot(graph: SpeedGraph) -> SpeedPlot:
    return graph.findChildren(SpeedPlot)[0]


def advance(graph: SpeedGraph, at: float, tokens: int, speed: float = STEADY) -> Figures:
    """One frame, with one point and one token."""
    figures = Figures(elapsed=at, first_token=0.1, speed_mean=STEADY, tokens=tokens)
    graph.take((Point(at, tokens, speed),), figures, [at])
    graph.draw(at)
    return figures


def run(graph: SpeedGraph, seconds: float, speed: float = STEADY) -> Figures:
    """One run as its frames come, with fifty points a second."""
    graph.begin_run()
    figures = Figures()
    for frame in range(5, round(seconds * 50) + 1):
        figures = advance(graph, frame / 50, frame, speed + frame % 7)
    graph.finish_run(figures)
    return figures


def words(graph: SpeedGraph) -> list[str]:
    return [label.text for label in plot(graph).labels]


def settled(graph: SpeedGraph) -> QImage:
    """When nothing moves any more."""
    QApplication.processEvents()
    plot(graph).easing.setCurrentTime(plot(graph).easing.duration())
    return plot(graph).image()


NEAR = 8
"""By so much of 255 colours may differ that are one: a smooth line is made of several."""


def is_near(colour: QColor, other: str) -> bool:
    pairs = zip(colour.getRgb()[:3], QColor(other).getRgb()[:3], strict=True)  # type: ignore[index]
    return all(abs(one - two) <= NEAR for one, two in pairs)


def is_drawn(graph: SpeedGraph, x: int, colour: str) -> bool:
    """Whether there is this colour."""
    image = settled(graph)
    return any(is_near(image.pixelColor(x, y), colour) for y in range(image.height()))


def differences(one: QImage, other: QImage) -> list[int]:
    """Of each pixel the largest, of 255."""
    return [
        max(abs(first.red() - second.red()), abs(first.green() - second.green()), abs(first.blue() - second.blue()))
        for x in range(0, one.width())
        for y in range(one.height())
        for first, second in [(one.pixelColor(x, y), other.pixelColor(x, y))]
        if one.pixel(x, y) != other.pixel(x, y)
    ] or [0]


def test_an_empty_graph_says_what_will_come(graph: SpeedGraph) -> None:
    assert words(graph) == [EMPTY]
    assert graph.accessibleName() == "Speed graph"
    assert graph.accessibleDescription() == "No speed yet."
    image = settled(graph)
    colours = {image.pixelColor(x, y).name() for x in range(0, 840, 3) for y in range(20, 180)}
    assert 1.7 < max(contrast(each, LIGHT[Colour.RAISED]) for each in colours) < 3, "a ghost of a curve"
    assert LIGHT[Colour.DECODE] not in colours


def test_an_empty_graph_goes_on_saying_so_when_the_pointer_has_left(graph: SpeedGraph) -> None:
    said = words(graph)
    graph._leave()
    assert words(graph) == said != []


@pytest.mark.slow
def test_a_long_run_draws_few_points(graph: SpeedGraph) -> None:
    run(graph, 130)
    assert len(plot(graph).scene.curve.drawn) <= 600


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[QRect]:
    """Of each repaint, where."""
    rects: list[QRect] = []
    original = SpeedPlot.paintEvent

    def noting(self: SpeedPlot, event: QPaintEvent) -> None:
        rects.append(event.rect())
        original(self, event)

    monkeypatch.setattr(SpeedPlot, "paintEvent", noting)
    return rects


def test_never_painted_while_hidden(graph: SpeedGraph, painted: list[QRect]) -> None:
    QApplication.processEvents()
    painted.clear()
    graph.hide()
    run(graph, 1.0)
    QApplication.processEvents()
    assert painted == []
    graph.show()
    QApplication.processEvents()
    assert is_drawn(graph, 400, LIGHT[Colour.DECODE]), "it is up to date"


@pytest.mark.slow
def test_what_was_painted_in_pieces_is_what_is_painted_at_once(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    graph.begin_run()
    for number in range(5, 110):
        advance(graph, number / 50, number, STEADY + 30 * (number % 5))
        QApplication.processEvents()
    plot(graph).easing.setCurrentTime(plot(graph).easing.duration())
    QApplication.processEvents()
    for number in range(110, 118):
        advance(graph, number / 50, number, STEADY + 30 * (number % 5))
        QApplication.processEvents()
    store = graph.backingStore()
    assert store is not None
    grown = store.paintDevice()
    assert isinstance(grown, QImage)
    whole = grown.copy()
    plot(graph).update()
    QApplication.processEvents()
    apart = differences(grown, whole)
    assert max(apart) <= 24, "what is cut begins a little elsewhere between two pixels: nobody sees that"


def test_nothing_moves_but_a_scale_that_changes_while_it_is_seen(graph: SpeedGraph) -> None:
    easing = plot(graph).easing
    graph.begin_run()
    for number in range(5, 60):
        advance(graph, number / 50, number)
    assert easing.state() is easing.State.Stopped, "the first scale is there at once"
    before = plot(graph).view.top
    for number in range(60, 70):
        advance(graph, number / 50, number, 10 * STEADY)
    assert easing.state() is easing.State.Running
    assert easing.duration() == 150
    settled(graph)
    assert plot(graph).view.top > 10 * before / 2


def test_where_less_motion_is_asked_for_nothing_moves(graph: SpeedGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Theme, "still", True)
    graph.begin_run()
    for number in range(5, 70):
        advance(graph, number / 50, number, STEADY if number < 60 else 10 * STEADY)
    assert plot(graph).easing.state() is plot(graph).easing.State.Stopped
    assert plot(graph).view.top > 10 * STEADY


def test_while_it_goes_on_a_run_s_axes_only_reach_further(graph: SpeedGraph) -> None:
    graph.begin_run()
    ends = []
    for number in range(5, 300):
        advance(graph, number / 50, number, 500.0 if number < 60 else 50.0)
        ends.append((plot(graph).view.right, plot(graph)._target))
    assert ends == sorted(ends)


def test_told_in_words(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    assert graph.accessibleDescription().startswith("Mean 100 tokens per second; lowest 100 at")


def test_axis_switches(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    act = graph.findChild(QAction, "speed_over_tokens")
    assert isinstance(act, QAction)
    act.trigger()
    assert graph.axis is Axis.TOKENS
    assert plot(graph).view.right == 50
    assert not any(word.endswith(" s") for word in words(graph))


def test_a_short_run_has_its_arrivals_and_a_level_line_and_nothing_invented(graph: SpeedGraph) -> None:
    graph.begin_run()
    came = [0.1 + 0.005 * number for number in range(9)]
    figures = Figures(elapsed=0.2, first_token=0.1, speed_mean=205, tokens=9)
    graph.take((Point(0.11, 2, 100.0), Point(0.13, 6, 300.0)), figures, came)
    assert plot(graph).view.right == 1.0
    graph.finish_run(figures)
    assert plot(graph).view.right == pytest.approx(0.2), "as long as the run"
    assert plot(graph).view.top > 205
    image, view = settled(graph), plot(graph).view
    rug = view.areas.rug.center().y()
    ticks = [x for x in range(image.width()) if image.pixelColor(x, round(rug)).name() == LIGHT[Colour.DECODE]]
    assert ticks == [int(view.x(at)) for at in came]
    dash, role = range(round(view.x(0.11)), round(view.x(0.13))), LIGHT[Colour.DECODE]
    line = [y for y in range(image.height() - 40) for x in dash if is_near(image.pixelColor(x, y), role)]
    assert line and all(abs(y - view.y(205)) <= 2 for y in line), "at its mean, and no ground below it"


def test_the_prompt_is_told_above_the_plot(graph: SpeedGraph) -> None:
    graph.begin_run()
    graph.tell_prompt("47 tokens read")
    advance(graph, 0.2, 1)
    label = next(label for label in plot(graph).labels if label.text == "47 tokens read")
    assert label.role is Colour.PREFILL
    assert label.rect.bottom() <= plot(graph).view.areas.plot.top()
    image, lane = settled(graph), plot(graph).view.areas.lane
    assert image.pixelColor(round(lane.left()) + 2, round(lane.center().y())) != image.pixelColor(2, 2), "its block"


def test_value_under_the_pointer(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    mouse = Mouse(graph)
    mouse.move(0.501)
    assert "500 ms · token 25 · 104 tok/s" in words(graph)
    mouse.leave()
    assert not any("token 25" in word for word in words(graph))


def test_one_is_told_that_a_drag_measures_until_one_has_done_it(qtbot: QtBot, graph: SpeedGraph) -> None:
    came = arrivals.steady(200)
    arrivals.run(graph, came)
    graph.show_trace(arrivals.traced(came), 0)
    assert DRAG in words(graph)
    mouse = Mouse(graph)
    mouse.press(1.0)
    mouse.move(1.4)
    mouse.release(1.4)
    mouse.rest(qtbot)
    assert graph.measured
    graph.mark_stretch(None)
    assert DRAG not in words(graph)


def test_a_prompt_that_was_never_read_has_no_block(graph: SpeedGraph) -> None:
    graph.begin_run("demo")
    graph.tell_prompt("reading 47 tokens")
    graph.take([], Figures(elapsed=0.5))
    graph.draw(0.5)
    assert plot(graph)._block().width() > 1
    graph.tell_prompt("")
    graph.finish_run(Figures(elapsed=0.5))
    assert plot(graph)._block().width() == 0


def test_the_means_stand_at_the_right_each_with_its_own(graph: SpeedGraph) -> None:
    for seconds in (1.0, 1.5, 2.0, 2.5, 3.0):
        run(graph, seconds)
    earlier = plot(graph).scene.earlier
    assert [len(each.points) for each in earlier] == [121, 96, 71]
    assert len(earlier) == EARLIER_RUNS
    right = [label.text for label in plot(graph).labels if label.rect.left() > plot(graph).view.areas.plot.right()]
    assert right == ["100 mean", "100 previous", "100", "100"]
    led = {label.height for label in plot(graph).labels if label.height is not None}
    assert led == {plot(graph).view.y(100.0)}, "a line leads from the one place of all four to where each found room"


def test_an_earlier_run_beyond_the_axis_is_not_spoken_of(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    first = plot(graph).scene.curve.figures.first_token
    assert first is not None
    graph.begin_run()
    half = first / 2
    figures = Figures(half, first_token=half / 2, speed_now=90.0, speed_mean=90.0, tokens=2, visible=2)
    graph.take([Point(half / 2, 1, 90.0), Point(half, 2, 90.0)], figures, [half / 2, half])
    assert "100 previous" in words(graph)
    graph.finish_run(figures)
    assert plot(graph).scene.earlier and plot(graph).view.right < first
    assert "100 previous" not in words(graph)


def test_copies(graph: SpeedGraph) -> None:
    run(graph, 1.0)
    graph.copy_csv()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "seconds,tokens,tokens_per_second"
    graph.copy_picture()
    assert QGuiApplication.clipboard().image().width() > 300
    graph.offer(QAction("More…", graph))
    button = graph.findChild(QToolButton, "speed_menu")
    assert isinstance(button, QToolButton)
    assert [action.text() for action in button.menu().actions() if not action.isSeparator()] == [
        "Speed over Time",
        "Speed over Tokens",
        "EOS Probability",
        "Copy as Picture",
        "Copy as CSV",
        "Copy Each Token as CSV",
        "More…",
    ]
