"""The strip: the graph has most of it, no words meet, and a new run is shown at once."""

from collections.abc import Callable, Iterator
from itertools import combinations, product

import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QSplitter, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.engine.meter.curve import kept_curve
from app.engine.meter.frame import ContextUse, Figures, Frame, Point
from app.engine.meter.speeds import mean_speed
from app.engine.types import Memory, Token
from app.files.settings import Settings
from app.ui.graph.plot import SpeedPlot
from app.ui.instruments.controller import ALONE_S, INTERVAL_S, InstrumentsController
from app.ui.instruments.strip import HEIGHT_PX, Strip
from app.ui.look.palette import Colour
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.numbers_table import NumbersTable
from tests.ui.desk import Desk, act, named
from tests.ui.look.eyes import contrast
from tests.ui.room import Room, Rooms

SIZES = ((1000, 700), (1280, 800), (1600, 1000))
GB = 10**9
MEMORY = Memory(active=6 * GB, cache=GB, peak=8 * GB, limit=10 * GB, weights=4 * GB, kv=GB)


def write(strip: Strip, arrivals: list[float], drafts: list[int] | None = None, *, ended: bool = True) -> None:
    """One run, as its instruments are told of it."""
    count, first, last = len(arrivals), arrivals[0], arrivals[-1]
    figures = Figures(
        elapsed=last,
        first_token=first,
        prompt_speed=1_198.0 if ended else None,
        speed_now=123.4,
        speed_mean=mean_speed(count, first, last),
        tokens=count,
        visible=count,
    )
    strip.graph.begin_run("a")
    strip.graph.tell_prompt("2,847 tokens read in 310 ms · 1,030 from the cache")
    strip.graph.take(kept_curve(arrivals, drafts or ()).points, figures, arrivals)
    strip.readouts.show_figures(figures)
    strip.memory.show_memory(MEMORY)
    strip.context.show_context(ContextUse(1_900, 100, 2_048))
    strip.graph.draw(last)
    if ended:
        strip.graph.finish_run(figures)


def steady(count: int, gap: float, first: float = 0.3) -> list[float]:
    return [first + gap * index for index in range(count)]


def short(strip: Strip) -> None:
    write(strip, steady(189, 0.0015, 0.02))


def drafted(strip: Strip) -> None:
    bursts = [0.5 + 0.04 * step + 0.00003 * each for step in range(60) for each in range(4)]
    write(strip, bursts, [1, 1, 1, 0] * 60)


def among_others(strip: Strip) -> None:
    """The runs before were ten times as fast, and ten times as long, and as short as can be."""
    for arrivals in (steady(3_000, 0.001), steady(600, 0.05), steady(5, 0.001), steady(400, 0.004)):
        write(strip, arrivals)
    write(strip, steady(90, 0.01, 2.5), ended=False)


def stumbling(strip: Strip) -> None:
    """With words at every place: a name, a prompt and something pointed at."""
    write(strip, [at + (0.4 if index > 100 else 0.0) for index, at in enumerate(steady(300, 0.008))])
    strip.graph._name = "earlier run"
    strip.graph._draw()


RUNS: tuple[Callable[[Strip], None], ...] = (short, drafted, among_others, stumbling)


@pytest.fixture(params=[100, 150, 200])
def window(desk: Desk, request: pytest.FixtureRequest) -> MainWindow:
    return desk.ready(Settings(text_percent=request.param))


def strip_of(window: MainWindow) -> Strip:
    return named(window, Strip, "instruments")


def plot_of(window: QWidget) -> SpeedPlot:
    return window.findChildren(SpeedPlot)[0]


def settle(window: MainWindow, desk: Desk) -> None:
    settle_plot(desk.qtbot, window)


def settle_plot(qtbot: QtBot, window: QWidget) -> None:
    qtbot.waitUntil(lambda: plot_of(window).easing.state() is plot_of(window).easing.State.Stopped)
    for _ in range(2):  # a number's new size asks its line for a new layout
        QApplication.processEvents()


def words(strip: Strip) -> Iterator[tuple[str, QRectF]]:
    """Every rectangle with words in it, in the strip's own numbers."""
    plot = strip.findChildren(SpeedPlot)[0]
    for label in plot.labels:
        yield label.text, label.rect.translated(plot.mapTo(strip, QPoint(0, 0)).toPointF())
    parts: list[QLabel | QAbstractButton] = [*strip.findChildren(QLabel), *strip.findChildren(QAbstractButton)]
    for part in parts:
        if part.isVisibleTo(strip) and part.text():
            yield part.text(), QRectF(part.rect()).translated(part.mapTo(strip, QPoint(0, 0)).toPointF())


@pytest.mark.slow
def test_no_words_meet_and_none_are_on_the_plot(desk: Desk, window: MainWindow) -> None:
    strip, plot = strip_of(window), plot_of(window)
    strip.graph.watch.show_watching(watching=False, possible=True)
    for (wide, high), run, dark in product(SIZES, RUNS, (False, True)):
        window.resize(wide, high)
        act(window, "appearance_dark" if dark else "appearance_light").trigger()
        run(strip)
        settle(window, desk)
        where = (wide, high, run.__name__)
        found = list(words(strip))
        met = [(one[0], other[0]) for one, other in combinations(found, 2) if one[1].intersects(other[1])]
        assert met == [], where
        assert [text for text, rect in found if not QRectF(strip.rect()).contains(rect)] == [], where
        drawn = plot.view.areas.plot.united(plot.view.areas.rug)
        assert [label.text for label in plot.labels if label.rect.intersects(drawn)] == [], where
        assert strip.graph.width() >= 0.65 * strip.width(), where
        assert strip.height() >= HEIGHT_PX, where
        strip.graph.clear()


@pytest.mark.slow
def test_at_the_usual_size_the_plot_has_its_part_of_the_window(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1280, 800)
    strip, plot = strip_of(window), plot_of(window)
    among_others(strip)
    settle(window, desk)
    assert strip.height() == HEIGHT_PX
    areas = plot.view.areas
    with_axes = areas.plot.right() * (plot.height() - areas.plot.top())
    assert with_axes >= 0.12 * 1280 * 800
    assert not areas.sparkline and areas.wordy
    rows, before = named(window, QSplitter, "rows"), areas.plot.height()
    above, below = rows.sizes()
    rows.setSizes([above - 150, below + 150])
    assert strip.height() == HEIGHT_PX + 150
    assert plot.view.areas.plot.height() == before + 150, "a higher strip is a higher graph"


@pytest.mark.slow
def test_a_strip_that_began_with_larger_text_keeps_its_height(desk: Desk) -> None:
    window = desk.ready(Settings(text_percent=150))
    window.resize(1280, 800)
    settle(window, desk)
    for action in ("smaller_text", "smaller_text", "larger_text", "usual_text"):
        act(window, action).trigger()
        settle(window, desk)
        assert strip_of(window).height() >= HEIGHT_PX, action


class StripRoom(Room):
    """The strip alone."""

    def __init__(self, rooms: Rooms) -> None:
        super().__init__(rooms)
        self.strip = Strip(self.theme)
        self.controller = InstrumentsController(self.playground, self.strip, self.theme, self)
        self.furnish((self.strip,), (self.controller,))


@pytest.fixture
def room(rooms: Rooms) -> StripRoom:
    made = StripRoom(rooms)
    made.resize(1280, 300)
    return made


def test_a_speed_that_is_not_known_is_no_bar(room: StripRoom) -> None:
    room.enter()
    hero = room.part(QLabel, "speed_now")
    assert hero.font().weight() == QFont.Weight.Normal
    room.strip.readouts.show_figures(Figures(speed_now=64.0))
    assert hero.font().weight() == QFont.Weight.DemiBold


@pytest.mark.slow
def test_the_strip_is_never_gone_and_the_graph_becomes_a_line_before_it_goes(desk: Desk, window: MainWindow) -> None:
    window.resize(1000, 700)
    among_others(strip_of(window))
    rows, strip = named(window, QSplitter, "rows"), strip_of(window)
    rows.setSizes([10_000, 0])
    settle(window, desk)
    assert strip.height() == strip.minimumSizeHint().height() > 0
    assert strip.graph.isVisible() and plot_of(window).view.areas.sparkline
    assert plot_of(window).labels == []
    image = plot_of(window).image()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 4) for y in range(image.height())}
    assert desk.theme.hex(Colour.DECODE) in colours, "it is seen all the same"
    assert named(window, QLabel, "speed_now").isVisible()
    assert not named(window, QWidget, "memory_gauge").isVisible(), "read-outs go before the graph"


def test_an_earlier_run_is_seen_and_told_apart(room: StripRoom) -> None:
    strip, plot = room.strip, plot_of(room)
    write(strip, steady(200, 0.012))
    write(strip, steady(200, 0.02))
    settle_plot(room.qtbot, room)
    image, view = plot.grab().toImage(), plot.view
    (earlier,) = plot.scene.earlier
    at = view.x(1.2)
    height = earlier.height(1.2, plot.scene.axis)
    assert height is not None
    near = [image.pixelColor(round(at), round(view.y(height)) + each).name() for each in (-1, 0, 1)]
    assert max(contrast(each, room.theme.hex(Colour.RAISED)) for each in near) >= 3
    assert room.theme.hex(Colour.DECODE) not in near


def test_tokens_that_come_one_by_one_move_the_instruments_less_often(room: StripRoom) -> None:
    controller = room.controller
    tokens = room.part(QLabel, "token_count")
    shown = []
    for coming in (1, 3):
        controller._begin(room.playground.shown.now)
        for at, count in ((11.0, 5), (11.0 + (INTERVAL_S + ALONE_S) / 2, 9), (11.01 + ALONE_S, 12)):
            came = tuple(Token(count - each, 1, "a", (), at) for each in range(coming))
            figures = Figures(at - 10, first_token=0.1, tokens=count)
            controller._advance(Frame((), came, (Point(at - 10, count, 5.0),), figures, None, sent=10.0, at=at))
            shown.append(tokens.text())
    assert shown == ["5", "5", "12", "5", "9", "9"]


def test_a_new_run_is_shown_at_once_whenever_the_last_one_was(room: StripRoom) -> None:
    """Frames that come faster than they are drawn are of one run: the first of the next one is always shown."""
    controller = room.controller
    tokens, context = room.part(QLabel, "token_count"), room.part(QWidget, "context_gauge")

    def frame(at: float, count: int) -> Frame:
        token = Token(count, count, "a", (), at)
        figures = Figures(at - 10, first_token=0.1, tokens=count)
        return Frame((), (token,), (Point(at - 10, count, 5.0),), figures, ContextUse(count, 0, 100), sent=10.0, at=at)

    controller._advance(frame(11.0, 7))
    controller._advance(frame(11.0 + INTERVAL_S / 2, 8))
    assert (tokens.text(), context.accessibleName()) == ("7", "Context: 7 / 100"), "one pace for all"
    assert len(plot_of(room).scene.curve.arrivals) == 1, "whoever repaints it in between"
    controller._advance(frame(11.0 + 2 * INTERVAL_S, 8))
    assert len(plot_of(room).scene.curve.arrivals) == 3
    assert len(plot_of(room).scene.curve.points) == 3
    controller._begin(room.playground.shown.now)
    assert tokens.text() == "0"
    controller._advance(frame(11.0 + INTERVAL_S / 2, 1))
    assert (tokens.text(), context.accessibleName()) == ("1", "Context: 1 / 100")


@pytest.mark.parametrize(("name", "title"), [("show_tables", "Speed"), ("memory_gauge_as_table", "MLX memory")])
def test_the_numbers_of_a_run_are_shown_as_tables(room: StripRoom, name: str, title: str) -> None:
    room.enter()
    room.send("hello")
    action = room.act(name) if name == "show_tables" else room.findChild(QAction, name)
    assert action is not None
    action.trigger()
    tabs = room.part(QTabBar, "numbers_tabs")
    assert [tabs.tabText(place) for place in range(tabs.count())] == ["Speed", "Figures", "MLX memory", "Context"]
    table = room.part(NumbersTable, "numbers_table")
    assert table.isVisible()
    assert table.accessibleName() == title
    assert table.model().rowCount() > 0
