from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise, product

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF
from PySide6.QtGui import QAction, QFont, QFontInfo
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QSplitter, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.engine.echo.engine import EchoOptions
from app.engine.meter.meter import ContextUse, Frame, PrefillProgress, RunMetrics
from app.engine.meter.speeds import Point, mean_speed, recorded_curve
from app.engine.types import Finish, Memory, Reason, Times, Token
from app.files.settings import Settings
from app.state import Phase
from app.ui.instruments.controller import (
    INTERVAL_S,
    SLOW_INTERVAL_S,
    SLOW_SPEED,
    InstrumentsController,
    prefill_words,
    progress_words,
)
from app.ui.instruments.gauges import ContextGauge, MemoryGauge
from app.ui.instruments.strip import HEIGHT_PX, TITLES, NumberLabel, ReadOuts, Strip
from app.ui.look.palette import Color
from app.ui.look.theme import Size, Theme
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.table import NumbersTable
from tests.bridge.playing import ENDLESS_TEXT, QUICK
from tests.ui.desk import Desk, act, named
from tests.ui.instruments.arrivals import plot_of, steady
from tests.ui.room import Room, Rooms

SIZES = ((1000, 700), (1280, 800), (1600, 1000))
GB = 10**9
MEMORY = Memory(active=6 * GB, cache=GB, peak=8 * GB, limit=10 * GB, weights=4 * GB, kv=GB)


def write(strip: Strip, arrivals: list[float], *, ended: bool = True, name: str = "") -> None:
    count, first, last = len(arrivals), arrivals[0], arrivals[-1]
    metrics = RunMetrics(
        elapsed=last,
        first_token=first,
        prompt_speed=1_198.0 if ended else None,
        speed_now=123.4,
        speed_mean=mean_speed(count, first, last),
        tokens=count,
        visible=count,
    )
    strip.graph.begin_run("a")
    strip.graph.name_run(name)
    strip.graph.set_prompt("2,847 tokens prefilled · 310 ms · 1,030 from the cache")
    strip.graph.scene.curve.extend(recorded_curve(arrivals, ()).points, metrics, arrivals)
    strip.readouts.show_metrics(metrics)
    strip.memory.show_memory(MEMORY)
    strip.context.show_context(ContextUse(1_900, 100, 2_048))
    strip.graph.draw(last)
    if ended:
        strip.graph.finish_run(metrics)


def pinned(strip: Strip) -> None:
    """Draw a run beside pinned ones that were faster, longer and shorter."""
    for arrivals in (steady(3_000, 0.001, 0.3), steady(600, 0.05, 0.3), steady(5, 0.001, 0.3)):
        write(strip, arrivals)
        strip.graph.pin_run(True)
    write(strip, steady(90, 0.01, 2.5), ended=False)


def named_run(strip: Strip) -> None:
    """Draw a run with a name, a prompt and a pause."""
    arrivals = [at + (0.4 if index > 100 else 0.0) for index, at in enumerate(steady(300, 0.008, 0.3))]
    write(strip, arrivals, name="earlier run")


RUNS: tuple[Callable[[Strip], None], ...] = (pinned, named_run)


@pytest.fixture(params=[100, 150, 200])
def window(desk: Desk, request: pytest.FixtureRequest) -> MainWindow:
    return desk.ready(Settings(text_percent=request.param))


def strip_of(window: MainWindow) -> Strip:
    return named(window, Strip, "instruments")


def settle() -> None:
    for _ in range(2):  # a number's new size asks its line for a new layout
        QApplication.processEvents()


def words(strip: Strip) -> Iterator[tuple[str, QRectF]]:
    """Yield each text with its rectangle in the strip."""
    plot = plot_of(strip)
    for label in plot.labels:
        yield label.text, label.rect.translated(plot.mapTo(strip, QPoint(0, 0)).toPointF())
    parts: list[QLabel | QAbstractButton] = [*strip.findChildren(QLabel), *strip.findChildren(QAbstractButton)]
    for part in parts:
        if part.isVisibleTo(strip) and part.text():
            yield part.text(), QRectF(part.rect()).translated(part.mapTo(strip, QPoint(0, 0)).toPointF())


@pytest.mark.slow
def test_strip_labels_do_not_overlap_and_none_is_on_the_plot(desk: Desk, window: MainWindow) -> None:
    strip, plot = strip_of(window), plot_of(window)
    strip.graph.watch.show_watching(watching=False, possible=True)
    for (wide, high), run, dark in product(SIZES, RUNS, (False, True)):
        window.resize(wide, high)
        act(window, "appearance_dark" if dark else "appearance_light").trigger()
        run(strip)
        settle()
        where = (wide, high, run.__name__)
        found = list(words(strip))
        met = [(one[0], other[0]) for one, other in combinations(found, 2) if one[1].intersects(other[1])]
        assert met == [], where
        assert [text for text, rect in found if not QRectF(strip.rect()).contains(rect)] == [], where
        drawn = plot.view.plot.united(plot.view.rug)
        assert [label.text for label in plot.labels if label.rect.intersects(drawn)] == [], where
        assert strip.graph.width() >= 0.65 * strip.width(), where
        assert strip.height() >= HEIGHT_PX, where
        strip.graph.scene = replace(strip.graph.scene, pinned=())
        strip.graph.begin_run()


@pytest.mark.slow
def test_strip_at_the_usual_size_gives_the_plot_its_share(desk: Desk) -> None:
    window = desk.ready()
    window.resize(1280, 800)
    strip, plot = strip_of(window), plot_of(window)
    pinned(strip)
    settle()
    assert strip.height() == HEIGHT_PX
    view = plot.view
    with_axes = view.plot.right() * (plot.height() - view.plot.top())
    assert with_axes >= 0.12 * 1280 * 800
    assert not view.is_sparkline and view.has_words
    rows, before = named(window, QSplitter, "rows"), view.plot.height()
    above, below = rows.sizes()
    rows.setSizes([above - 150, below + 150])
    assert strip.height() == HEIGHT_PX + 150
    assert plot.view.plot.height() == before + 150, "a higher strip is a higher graph"


@pytest.mark.slow
def test_strip_with_smaller_text_keeps_its_height(desk: Desk) -> None:
    window = desk.ready(Settings(text_percent=150))
    window.resize(1280, 800)
    settle()
    for action in ("smaller_text", "smaller_text", "larger_text", "usual_text"):
        act(window, action).trigger()
        settle()
        assert strip_of(window).height() >= HEIGHT_PX, action


class StripRoom(Room):
    """The strip alone."""

    def __init__(self, rooms: Rooms, knobs: EchoOptions = QUICK) -> None:
        super().__init__(rooms, knobs)
        self.strip = Strip(self.theme)
        self.controller = InstrumentsController(self.playground, self.strip, self.theme, self)
        self.furnish((self.strip,), (self.controller,))


@pytest.fixture
def room(rooms: Rooms) -> StripRoom:
    made = StripRoom(rooms)
    made.resize(1280, 300)
    return made


@pytest.mark.slow
def test_strip_at_its_least_height_shows_the_graph_as_a_sparkline(desk: Desk, window: MainWindow) -> None:
    window.resize(1000, 700)
    pinned(strip_of(window))
    rows, strip = named(window, QSplitter, "rows"), strip_of(window)
    rows.setSizes([10_000, 0])
    settle()
    assert strip.height() == strip.minimumSizeHint().height() > 0
    assert strip.graph.isVisible() and plot_of(window).view.is_sparkline
    assert plot_of(window).labels == []
    image = plot_of(window).grab().toImage()
    colors = {image.pixelColor(x, y).name() for x in range(0, image.width(), 4) for y in range(image.height())}
    assert desk.theme.hex(Color.DECODE) in colors
    assert named(window, QLabel, "speed_now").isVisible()
    assert not named(window, QWidget, "memory_gauge").isVisible(), "read-outs go before the graph"


@pytest.mark.parametrize(
    ("counts", "first_token", "words"),
    [
        ((47, 0), None, "prefilling 46 tokens"),
        ((47, 30), None, "prefilling 46 tokens · 30 from the cache"),
        ((47, 30), 0.4, "46 tokens prefilled · 30 from the cache"),
        ((1, 30), 0.4, "no prefill · 30 from the cache"),
        ((0, 0), 0.084, "TTFT 84 ms"),
        ((0, 0), None, ""),
    ],
)
def test_progress_words_name_tokens_and_cache(counts: tuple[int, int], first_token: float | None, words: str) -> None:
    assert progress_words(*counts, first_token) == words


@pytest.mark.parametrize(
    ("new", "reused", "prefill_s", "lookup_s", "words"),
    [
        (45, 0, 0.9993, 0.0, "44 tokens prefilled · 999 ms"),
        (45, 30, 0.03, 0.43, "44 tokens prefilled · 30.0 ms · cache lookup 430 ms · 30 from the cache"),
        (1, 71, 0.0, 0.0, "no prefill · first decode step 95.0 ms · 71 from the cache"),
    ],
)
def test_prefill_words_name_tokens_time_and_the_longest_part(
    new: int, reused: int, prefill_s: float, lookup_s: float, words: str
) -> None:
    begin = 1.001 + lookup_s
    end = begin + prefill_s
    times = Times(1.0, begin, end, end + 0.095, started=1.001)
    finish = Finish(Reason.STOP, tokens=9, times=times, reused=reused, new=new, cache_lookup=lookup_s)
    assert prefill_words(finish, 0.4) == words


def test_advance_below_the_slow_speed_draws_less_often(room: StripRoom) -> None:
    controller = room.controller
    tokens = room.part(QLabel, "token_count")
    shown = []
    for speed in (SLOW_SPEED - 1, SLOW_SPEED):
        controller._begin(room.playground.shown.now)
        for at, count in ((11.0, 5), (11.0 + (INTERVAL_S + SLOW_INTERVAL_S) / 2, 9), (11.01 + SLOW_INTERVAL_S, 12)):
            metrics = RunMetrics(at - 10, first_token=0.1, speed_now=speed, tokens=count)
            came = (Token(count, 1, "a", (), at),)
            controller._advance(Frame((), came, (Point(at - 10, count, 5.0),), metrics, None, sent=10.0, at=at))
            shown.append(tokens.text())
    assert shown == ["5", "5", "12", "5", "9", "12"]


def test_advance_with_the_first_frame_of_a_run_draws_at_once(room: StripRoom) -> None:
    controller = room.controller
    tokens, context = room.part(QLabel, "token_count"), room.part(QWidget, "context_gauge")

    def frame(at: float, count: int) -> Frame:
        token = Token(count, count, "a", (), at)
        metrics = RunMetrics(at - 10, first_token=0.1, tokens=count)
        return Frame((), (token,), (Point(at - 10, count, 5.0),), metrics, ContextUse(count, 0, 100), sent=10.0, at=at)

    controller._advance(frame(11.0, 7))
    controller._advance(frame(11.0 + INTERVAL_S / 2, 8))
    assert (tokens.text(), context.accessibleName()) == ("7", "Context: 7 / 100")
    assert len(plot_of(room).scene.curve.arrivals) == 1
    controller._advance(frame(11.0 + SLOW_INTERVAL_S, 8))
    assert len(plot_of(room).scene.curve.arrivals) == 3
    assert len(plot_of(room).scene.curve.points) == 3
    controller._begin(room.playground.shown.now)
    assert tokens.text() == "0"
    controller._advance(frame(11.0 + INTERVAL_S / 2, 1))
    assert (tokens.text(), context.accessibleName()) == ("1", "Context: 1 / 100")


def test_prefill_of_an_active_run_begins_where_the_engine_began_it(room: StripRoom) -> None:
    room.controller._advance(
        Frame(prefill=PrefillProgress(1, 9, 0, None, started=0.4), metrics=RunMetrics(0.5), at=1.0)
    )
    assert plot_of(room).scene.prefill == (0.4, 0.5)


def test_run_that_is_displayed_again_has_its_whole_curve(rooms: Rooms) -> None:
    room = StripRoom(rooms, ENDLESS_TEXT)
    room.enter()
    assert room.playground.send("Go")
    room.until_phase(Phase.GENERATING)
    session, away = room.state.session, list[Frame]()
    assert room.playground.new_session()
    room.playground.advanced_elsewhere.connect(away.append)
    room.until(lambda: len(away) > 3)
    assert not plot_of(room).scene.curve.arrivals
    assert room.playground.open_session(session)
    room.until(lambda: room.playground.shown.now.live)
    assert len(plot_of(room).scene.curve.arrivals) >= away[-1].metrics.tokens
    assert room.playground.stop()
    room.until_phase(Phase.READY)
    run = room.state.last_run
    assert run is not None and len(plot_of(room).scene.curve.arrivals) == run.summary.figures.tokens


@pytest.mark.parametrize(("name", "title"), [("show_tables", "Speed"), ("memory_gauge_as_table", "MLX memory")])
def test_tables_action_shows_the_numbers_of_the_run(room: StripRoom, name: str, title: str) -> None:
    room.enter()
    room.send("hello")
    action = room.act(name) if name == "show_tables" else room.findChild(QAction, name)
    assert action is not None
    action.trigger()
    tabs = room.part(QTabBar, "numbers_tabs")
    assert [tabs.tabText(index) for index in range(tabs.count())] == ["Speed", "Figures", "MLX memory", "Context"]
    table = room.part(NumbersTable, "numbers_table")
    assert table.isVisible()
    assert table.accessibleName() == title
    assert table.model().rowCount() > 0


def test_figures_of_another_model_name_it(room: StripRoom) -> None:
    room.enter()
    room.send("hello")
    label, gauge = room.part(QLabel, "speed_model"), room.part(QWidget, "context_gauge")
    own = gauge.accessibleName()
    assert (label.text(), plot_of(room).scene.name) == ("", "")
    model = room.state.model
    assert model is not None
    room.playground._change(model=replace(model, name="other", context=64))
    assert (label.text(), plot_of(room).scene.name) == ("Run of echo", "echo")
    assert gauge.accessibleName() == "Context: – / 64"
    room.playground._change(model=model)
    assert (label.text(), plot_of(room).scene.name, gauge.accessibleName()) == ("", "", own)


def test_context_after_a_refused_prompt_is_that_of_the_open_model(room: StripRoom) -> None:
    room.enter()
    room.send("long " * 5_000)
    assert room.part(QWidget, "context_gauge").accessibleName() == "Context: 0 / 2,048"


WIDE, NARROW, LOW = (1280, 220), (560, 220), (1280, 60)


@pytest.fixture
def playing(qtbot: QtBot, theme: Theme) -> Strip:
    strip = Strip(theme)
    qtbot.addWidget(strip)
    strip.resize(*WIDE)
    strip.show()
    strip.graph.watch.show_watching(watching=False, possible=True)
    return strip


@pytest.mark.parametrize("percent", [pytest.param(100, marks=pytest.mark.slow), 200])
@pytest.mark.parametrize("size", [WIDE, NARROW, LOW])
def test_watch_button_keeps_its_place_with_any_number(
    playing: Strip, theme: Theme, size: tuple[int, int], percent: int
) -> None:
    theme.resize(percent)
    playing.resize(*size)
    hero = named(playing, NumberLabel, "speed_now")
    watch, seen = playing.graph.watch, set()
    view = playing.graph._plot.view.plot
    playing.graph.watch.show_watching(watching=False, possible=False)
    assert not watch.isVisible() and playing.graph._plot.view.plot == view
    for figure in (9.87, 36.1, 559.0, 1_234.0, 12_345.0):
        for watching in (False, True):
            watch.show_watching(watching, possible=True)
            playing.readouts.show_metrics(RunMetrics(2.5, 0.1, speed_now=figure, tokens=120))
            QApplication.processEvents()
            assert hero.width() >= hero.fontMetrics().horizontalAdvance(hero.text())
            assert playing.graph.rect().contains(watch.geometry()) and watch.isVisible()
            seen.add((watch.geometry().getRect(), hero.pos().toTuple()))
    assert len(seen) == 1


FIGURES = RunMetrics(
    elapsed=1.42,
    first_token=0.084,
    prompt_speed=1_234.5,
    speed_now=148.3,
    speed_mean=9.0,
    tokens=1_214,
    visible=1_213,
    reasoning=40,
)
ROOM = (340, 196)


@pytest.fixture
def readouts(qtbot: QtBot, theme: Theme) -> ReadOuts:
    readouts = ReadOuts(theme, (MemoryGauge(theme), ContextGauge(theme)))
    qtbot.addWidget(readouts)
    readouts.resize(*ROOM)
    readouts.show()
    return readouts


def shown(readouts: ReadOuts) -> dict[str, tuple[str, str]]:
    labels = [named(readouts, QLabel, name) for name in TITLES]
    return {label.objectName(): (label.text(), label.accessibleName()) for label in labels}


def texts(readouts: ReadOuts) -> set[str]:
    """Return the visible texts above the gauges."""
    gauges = [each for kind in (MemoryGauge, ContextGauge) for each in readouts.findChildren(kind)]
    labels = (each for each in readouts.findChildren(QLabel) if not any(gauge.isAncestorOf(each) for gauge in gauges))
    return {label.text() for label in labels if label.isVisible() and label.text()}


def in_sight(readouts: ReadOuts) -> set[str]:
    names = (*TITLES, "memory_gauge", "context_gauge")
    return {name for name in names if named(readouts, QWidget, name).isVisible()}


def test_readouts_before_a_run_are_empty_and_named(readouts: ReadOuts) -> None:
    assert shown(readouts) == {
        "speed_now": ("", "Speed now: not defined yet"),
        "speed_mean": ("", "Mean speed: not defined yet"),
        "first_token": ("", "Time to first token: not defined yet"),
        "prompt_speed": ("", "Prefill speed: not defined yet"),
        "token_count": ("", "Tokens: 0 generated, 0 visible"),
        "elapsed": ("", "Elapsed: not defined yet"),
    }
    assert texts(readouts) == set()


def test_readouts_without_a_speed_show_time_and_tokens(readouts: ReadOuts) -> None:
    readouts.show_metrics(RunMetrics(elapsed=1.4))
    assert texts(readouts) == {"0", "tokens", "·", "1.40 s"}
    readouts.show_metrics(RunMetrics(elapsed=1.4, first_token=1.0, tokens=1, visible=1), over=True)
    assert {"–", "tok/s mean", "1", "token", "TTFT"} <= texts(readouts) and "mean" not in texts(readouts)


def test_readouts_show_and_name_all_figures(readouts: ReadOuts) -> None:
    readouts.show_metrics(FIGURES)
    assert shown(readouts) == {
        "speed_now": ("148", "Speed now: 148 tokens per second"),
        "speed_mean": ("9.00", "Mean speed: 9.00 tokens per second"),
        "first_token": ("84 ms", "Time to first token: 84 milliseconds"),
        "prompt_speed": ("1,234", "Prefill speed: 1,234 tokens per second"),
        "token_count": ("1,214", "Tokens: 1,214 generated, 1,213 visible, 40 of them reasoning"),
        "elapsed": ("1.42 s", "Elapsed: 1.42 seconds"),
    }
    assert ("Mean speed", "9.00 tokens per second") in readouts.numbers().rows
    assert named(readouts, QLabel, "speed_mean").toolTip().startswith("(n − 1) ÷")
    readouts.show_metrics(replace(FIGURES, visible=None, reasoning=0, prompt_speed=None))
    assert shown(readouts)["token_count"] == ("1,214", "Tokens: 1,214 generated")
    assert "prompt_speed" not in in_sight(readouts)


def test_speed_is_the_only_large_number_and_has_tabular_digits(readouts: ReadOuts) -> None:
    sizes = {name: QFontInfo(named(readouts, QLabel, name).font()).pixelSize() for name in TITLES}
    assert sizes.pop("speed_now") == 34 and set(sizes.values()) == {Size.NORMAL}
    metrics = named(readouts, QLabel, "speed_now").fontMetrics()
    assert len({metrics.horizontalAdvance(digit * 3) for digit in "0123456789"}) == 1


def test_readouts_of_an_ended_run_show_its_mean_as_speed(readouts: ReadOuts) -> None:
    readouts.show_metrics(FIGURES)
    assert {"tok/s now", "mean", "tok/s"} <= texts(readouts)
    readouts.show_metrics(FIGURES, over=True)
    assert "tok/s now" not in texts(readouts)
    assert shown(readouts)["speed_now"] == ("9.00", "Speed now: 9.00 tokens per second")
    assert named(readouts, QLabel, "speed_now").font().weight() == QFont.Weight.DemiBold
    readouts.show_metrics(None)
    assert named(readouts, QLabel, "speed_now").font().weight() == QFont.Weight.Normal


@pytest.mark.parametrize(("speed", "below"), [(1_234.0, False), (12_345.0, True)])
def test_unit_without_room_beside_the_speed_is_below_it(
    readouts: ReadOuts, theme: Theme, speed: float, below: bool
) -> None:
    theme.resize(200)
    readouts.resize(291, 2 * ROOM[1])
    readouts.show_metrics(replace(FIGURES, speed_now=speed))
    hero, unit = named(readouts, QLabel, "speed_now"), readouts._unit_below if below else readouts._units[0]
    one, other = (QRect(each.mapTo(readouts, QPoint()), each.size()) for each in (hero, unit))
    assert readouts.rect().contains(one.united(other)) and not one.intersects(other)
    assert unit.text().startswith("tok/s") and unit.width() >= unit.sizeHint().width()
    assert (other.top() > one.bottom()) is below


def test_readouts_in_a_lower_column_go_in_order_of_importance(readouts: ReadOuts) -> None:
    readouts.show_metrics(FIGURES)
    assert in_sight(readouts) == {*TITLES, "memory_gauge", "context_gauge"}
    seen = []
    for height in range(ROOM[1], 20, -4):
        readouts.resize(ROOM[0], height)
        parts = [part for part in readouts.children() if isinstance(part, QWidget) and part.isVisible()]
        assert all(readouts.rect().contains(part.geometry()) for part in parts)
        tops = sorted((part.geometry().top(), part.geometry().bottom()) for part in parts)
        assert all(above[1] < below[0] for above, below in pairwise(tops)), height
        seen.append(in_sight(readouts))
    assert all(later <= earlier for earlier, later in pairwise(seen))
    assert {"speed_now"} in seen
