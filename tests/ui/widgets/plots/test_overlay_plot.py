import pyqtgraph as pg
import pytest
from PySide6.QtGui import QFont, QFontMetrics, QImage
from pytestqt.qtbot import QtBot

from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import Point
from app.ui.look import GAP_PX, Color
from app.ui.look.theme import Theme
from app.ui.widgets.plots.dots import ROW_PX, DotPlot, DotRow
from app.ui.widgets.plots.overlay import SpeedOverlay
from app.ui.widgets.plots.overlay_plot import EndingAxis, NumberAxis, OverlayPlot, Place, _fitted, spread_apart
from app.ui.widgets.plots.speed_curve import CurveAxis, PlottedRun, SpeedCurve


@pytest.mark.parametrize(
    ("ends", "near", "top", "moved"),
    [
        (
            [(100.0, 11.0), None, (99.0, 10.0), (10.0, 10.5), (100.0, 30.0)],
            5.0,
            50.0,
            [(100.0, 12.0), None, (99.0, 10.0), (10.0, 10.5), (100.0, 30.0)],
        ),
        ([(1.0, 1.0), (1.0, 1.0), (1.0, 1.5)], 1.0, 50.0, [(1.0, 1.0), (1.0, 3.0), (1.0, 5.0)]),
        ([(1.0, 8.0), (1.0, 9.0), (1.0, 9.5)], 1.0, 10.0, [(1.0, 6.0), (1.0, 8.0), (1.0, 10.0)]),
    ],
    ids=["overlapping ones move up", "a moved one moves the next", "all stay inside"],
)
def test_apart_separates_letters(ends: list[Place | None], near: float, top: float, moved: list[Place | None]) -> None:
    assert spread_apart(ends, near, 2.0, top) == moved


def plot_of(qtbot: QtBot, theme: Theme, size: tuple[int, int]) -> tuple[OverlayPlot, pg.PlotWidget]:
    plot = OverlayPlot(theme)
    qtbot.addWidget(plot)
    plot.resize(*size)
    inside = plot.findChild(pg.PlotWidget)
    assert inside is not None
    return plot, inside


def names_in(inside: pg.PlotWidget) -> list[pg.TextItem]:
    return [item for item in inside.scene().items() if isinstance(item, pg.TextItem) and item.isVisible()]


def test_plot_drawn_while_hidden_places_letters_at_curve_ends(qtbot: QtBot, theme: Theme) -> None:
    plot, inside = plot_of(qtbot, theme, (600, 400))
    plot.draw([ended_at(100.0), ended_at(300.0), ended_at(200.0)], CurveAxis.TOKENS)
    plot.show()
    at_the_ends = pytest.approx([100.0, 200.0, 300.0])
    qtbot.waitUntil(lambda: sorted(item.pos().y() for item in names_in(inside)) == at_the_ends)


def test_plot_names_are_beside_the_curves(qtbot: QtBot, theme: Theme) -> None:
    plot, inside = plot_of(qtbot, theme, (800, 300))
    plot.show()
    plot.draw([ended_at(100.0), ended_at(101.0)], CurveAxis.TOKENS, ["A  one · 100 tok/s", "B  two " * 40])

    def settled() -> None:
        names = names_in(inside)
        ends = [item.sceneBoundingRect() for item in names]
        assert {item.toPlainText() for item in names} >= {"A  one · 100 tok/s"}
        curves = inside.getPlotItem().vb.mapViewToScene(pg.QtCore.QPointF(40.0, 0.0)).x()
        assert all(curves < end.left() and end.right() <= inside.width() for end in ends)
        assert not ends[0].adjusted(0, 4, 0, -4).intersects(ends[1].adjusted(0, 4, 0, -4))

    qtbot.waitUntil(settled)


def test_axis_has_no_numbers_beyond_the_curves() -> None:
    axis = EndingAxis()
    axis.last = 24.0
    ticks = [tick for _, each in axis.tickValues(0.0, 37.0, 600.0) for tick in each]
    assert {0.0, 10.0, 20.0} <= set(ticks) and max(ticks) <= 24.0
    axis.last = float("inf")
    assert max(index for _, each in axis.tickValues(0.0, 37.0, 600.0) for index in each) > 30.0


def test_narrow_plot_in_large_text_has_no_overlaps(qtbot: QtBot, theme: Theme) -> None:
    """The numbers were "0.10.20.3", and the last digit of each mean was outside."""
    theme.resize(200)
    plot, inside = plot_of(qtbot, theme, (250, 250))
    plot.show()
    plot.draw([ended_at(100.0), ended_at(200.0)], CurveAxis.TIME, ["A  28 Nov · mean 100", "B  28 Nov · mean 200"])

    def settled() -> None:
        names = names_in(inside)
        assert sorted(item.toPlainText() for item in names) == ["A  100", "B  200"]
        assert all(item.sceneBoundingRect().right() <= inside.width() for item in names)

    qtbot.waitUntil(settled)
    axis = inside.getPlotItem().getAxis("bottom")
    (low, high), length = axis.range, axis.width()
    ((step, ticks),) = axis.tickValues(low, high, length)
    words, metrics = axis.tickStrings(ticks, 1.0, step), QFontMetrics(axis.style["tickFont"])
    unit = length / (high - low)
    assert ticks
    assert all(
        (there - here) * unit > metrics.horizontalAdvance(each)
        for here, there, each in zip(ticks, ticks[1:], words, strict=False)
    )


def test_axis_numbers_have_thousands_separators() -> None:
    assert NumberAxis("left").tickStrings([0.0, 500.0, 1500.0], 1.0, 500.0) == ["0", "500", "1,500"]
    assert NumberAxis("left").tickStrings([0.0, 0.5], 1.0, 0.5) == ["0", "0.5"]


def ended_at(speed: float) -> SpeedCurve:
    curve = SpeedCurve(ended=True)
    curve.extend((Point(0.1, 1, 50.0), Point(0.5, 40, speed)), RunMetrics(speed_mean=speed))
    return curve


def test_fitted_name_keeps_what_differs() -> None:
    metrics, name = QFontMetrics(QFont()), "B  with the cache that was kept · mean 568"
    whole = metrics.horizontalAdvance(name)
    assert _fitted(metrics, name, whole) == name
    assert _fitted(metrics, name, whole * 4 // 5) == "B  with the cache that was kept"
    assert _fitted(metrics, name, whole // 4) == "B  568"
    assert _fitted(metrics, "B", whole) == "B"


SIZE = (600, 120)
WORDS_PX = 40
ABOVE_PX = 4
"""Of its middle, a dot is wider than what marks a single round."""


@pytest.mark.parametrize("values", [(-0.4, -8.8), (3.0, 9.0), (-2.0, 5.0)])
def test_dots_are_in_the_order_of_their_values(qtbot: QtBot, theme: Theme, values: tuple[float, float]) -> None:
    plot = DotPlot(theme, "dots")
    qtbot.addWidget(plot)
    plot.resize(*SIZE)
    rows = [DotRow("a variant", (value, value * 1.1), value, f"{value:.1f}") for value in values]
    numbers: list[float] = []

    def say(number: float) -> str:
        numbers.append(number)
        return f"{number:.1f}"

    plot.show_rows("Number", rows, say)
    image = plot.grab().toImage()
    dots = [_middle(image, row, theme) for row in range(2)]
    assert (dots[0] < dots[1]) is (values[0] < values[1])
    assert numbers[0] == min(0.0, *(1.1 * value for value in values)), "the zero is on the scale"
    assert numbers[-1] == max(0.0, *(1.1 * value for value in values))
    assert max(dots) < SIZE[0] - WORDS_PX, "none among the words"


def _middle(image: QImage, row: int, theme: Theme) -> float:
    y = GAP_PX + row * ROW_PX + ROW_PX // 2 - ABOVE_PX
    found = [x for x in range(SIZE[0]) if image.pixelColor(x, y) == theme.color(Color.DECODE)]
    return sum(found) / len(found)


def test_overlay_draws_its_runs_after_the_library_is_imported(qtbot: QtBot, theme: Theme) -> None:
    overlay = SpeedOverlay(theme)
    qtbot.addWidget(overlay)
    overlay.show_runs([PlottedRun(1, (Point(0.1, 1, 50.0), Point(0.2, 2, 60.0)), 55.0)], ["one"])
    qtbot.waitUntil(lambda: overlay.findChild(OverlayPlot) is not None)
    drawn = overlay.findChild(OverlayPlot)
    assert drawn is not None and len(drawn._lines[0].getData()[0]) == 2
