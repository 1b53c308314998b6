"""A plot of several speed curves. Imported after pyqtgraph."""

from collections.abc import Sequence
from math import ceil

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPen
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GAP_PX, Color, Size, Theme
from app.ui.widgets.plots.speed_curve import (
    CURVES,
    SPEED,
    CurveAxis,
    PlottedQuantity,
    SpeedCurve,
    axis_end,
    describe_point,
    nearest_point,
)
from app.ui.widgets.rows import in_column

AXIS_LABELS = {CurveAxis.TIME: tr("seconds since Send"), CurveAxis.TOKENS: tr("tokens")}
AXIS_PX = 7 * GAP_PX
WHOLE = 255
"""Opacity of the grid lines."""

BELOW = -1
"""Below the curves."""
STROKES = (
    (Color.DECODE, Qt.PenStyle.SolidLine),
    (Color.DRAFT_REJECTED, Qt.PenStyle.DashLine),
    (Color.PREFILL, Qt.PenStyle.DotLine),
    (Color.REUSED, Qt.PenStyle.DashDotLine),
    (Color.ACCENT, Qt.PenStyle.DashDotDotLine),
    (Color.TEXT, Qt.PenStyle.DashLine),
    (Color.PREFILL, Qt.PenStyle.SolidLine),
    (Color.DECODE, Qt.PenStyle.DashLine),
    (Color.REUSED, Qt.PenStyle.DotLine),
    (Color.DRAFT_REJECTED, Qt.PenStyle.DashDotLine),
    (Color.TEXT, Qt.PenStyle.DashDotDotLine),
    (Color.ACCENT, Qt.PenStyle.DotLine),
)
"""Each pair of color and style occurs once; neighbors share neither."""
NAME_PX = 16
"""Height of a name."""
GUTTER_PX, GUTTER_SHARE = 240, 0.4
"""Width for the names beside the curves, and its largest share of the plot."""
Place = tuple[float, float]


class EndingAxis(pg.AxisItem):
    """An axis without numbers beyond the last point, and without overlapping ones."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.last = float("inf")

    def tickValues(self, lowest: float, highest: float, size: float) -> list[tuple[float, list[float]]]:
        end = min(highest, self.last)
        length = size * (end - lowest) / max(1e-9, highest - lowest)
        drawn = super().tickValues(lowest, end, length)
        return [(step, self._apart(ticks, end, step, length / max(1e-9, end - lowest))) for step, ticks in drawn]

    def _apart(self, ticks: Sequence[float], end: float, step: float, unit: float) -> list[float]:
        """Return as many ticks as have room; one tick unit is `unit` pixels wide."""
        metrics = QFontMetrics(self.style["tickFont"] or QFont())
        widest = max(map(metrics.horizontalAdvance, self.tickStrings(ticks, 1.0, step)), default=0)
        return [each for each in ticks if each <= end][:: max(1, ceil((widest + GAP_PX) / max(1.0, step * unit)))]


class NumberAxis(pg.AxisItem):
    """An axis whose numbers have thousands separators."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        whole = max(map(abs, values), default=0) >= 1_000
        return [f"{each:,.0f}" for each in values] if whole else super().tickStrings(values, scale, spacing)


def fine_pen(color: QColor, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Return a pen of one pixel: wider lines cost many times as much to draw."""
    pen = QPen(color, 1, style)
    pen.setCosmetic(True)
    return pen


def stroke(theme: Theme, number: int) -> QPen:
    role, style = STROKES[number]
    return fine_pen(theme.color(role), style)


class OverlayPlot(QWidget):
    pointed_at = Signal(str)
    """The values under the pointer; empty when it has left."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._axis = CurveAxis.TIME
        self._curves: Sequence[SpeedCurve] = ()
        self._names: Sequence[str] = CURVES
        self._quantity = SPEED
        self._along = EndingAxis()
        self._plot = pg.PlotWidget(
            self, enableMenu=False, axisItems={"bottom": self._along, "left": NumberAxis("left")}
        )
        self._item = self._plot.getPlotItem()
        self._lines = [pg.PlotCurveItem(skipFiniteCheck=True, antialias=True) for _ in STROKES]
        self._letters = [pg.TextItem(letter) for letter in CURVES]
        self._cross = pg.InfiniteLine(angle=90)
        self._compose()
        in_column(self._plot, on=self)
        self._plot.scene().sigMouseMoved.connect(self._point)
        # The size of the view box changes after that of the widget, and with the labels of the axis.
        self._item.vb.sigResized.connect(self._place_letters)
        self.restyle()

    def draw(
        self,
        curves: Sequence[SpeedCurve],
        axis: CurveAxis,
        names: Sequence[str] = CURVES,
        quantity: PlottedQuantity = SPEED,
    ) -> None:
        self._curves, self._axis, self._names, self._quantity = curves, axis, names, quantity
        for line, letter, number in zip(self._lines, self._letters, range(len(STROKES)), strict=True):
            curve = curves[number] if number < len(curves) else SpeedCurve()
            xs, ys = curve.xs(axis), curve.ys()
            line.setData(xs, ys)
            letter.setVisible(bool(xs))
        highest = max((y for curve in curves for y in curve.ys()), default=0.0)
        self._item.setYRange(0, axis_end(highest), padding=0)
        self._label_axes()
        self._place_letters()

    def restyle(self) -> None:
        """Take the current colors of the theme."""
        theme = self._theme
        self._plot.setBackground(theme.color(Color.SURFACE))
        for number, (line, letter) in enumerate(zip(self._lines, self._letters, strict=True)):
            line.setPen(stroke(theme, number))
            letter.setColor(theme.color(STROKES[number][0]))
            letter.setFont(theme.font(Size.SMALL, bold=True))
        self._cross.setPen(fine_pen(theme.color(Color.ACCENT), Qt.PenStyle.DotLine))
        self._label_axes()

    def _compose(self) -> None:
        """Set up the plot with fixed ranges; keys, buttons and the wheel don't change it."""
        item = self._item
        # Tab would stop at each part of the plot.
        for part in (self, *self.findChildren(QWidget)):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # pyqtgraph gives its menu no parent, so it would outlive the plot.
        item.ctrlMenu.setParent(self, item.ctrlMenu.windowFlags())
        item.hideButtons()
        item.disableAutoRange()
        item.setMouseEnabled(x=False, y=False)
        for side in ("left", "bottom"):
            item.getAxis(side).enableAutoSIPrefix(False)
        item.setContentsMargins(0, GAP_PX, GAP_PX, 0)
        for letter in self._letters:
            letter.setAnchor((0, 0.5))
        for thing in (*self._lines, *self._letters, self._cross):
            item.addItem(thing, ignoreBounds=True)
        self._cross.hide()

    def _place_letters(self) -> None:
        """Place names beside the ends of their curves, without overlap."""
        room, theme = self._item.vb.rect(), self._theme
        last = max((x for curve in self._curves for x in curve.xs(self._axis)[-1:]), default=0.0) or 1.0
        metrics = QFontMetrics(theme.font(Size.SMALL, bold=True))
        least = max((metrics.horizontalAdvance(_short(each)) for each in self._names), default=0) + 2 * GAP_PX
        gutter = max(min(theme.scaled(GUTTER_PX), GUTTER_SHARE * room.width()), least)
        self._along.last = last
        across = last * (1 + GAP_PX / max(1.0, room.width() - gutter))
        self._item.setXRange(0, last * room.width() / max(1.0, room.width() - gutter), padding=0)
        low, high = self._item.viewRange()[1]
        # In a low plot the gaps shrink.
        gap = (high - low) * min(theme.scaled(NAME_PX) / max(1.0, room.height()), 1 / max(1, len(self._curves)))
        ends = [(across, curve.ys()[-1]) if curve.drawn else None for curve in self._curves]
        for letter, point, name in zip(
            self._letters, spread_apart(ends, last, gap, high - gap / 2), self._names, strict=False
        ):
            letter.setText(_fitted(metrics, name, int(gutter) - 2 * GAP_PX))
            if point is not None:
                letter.setPos(*point)

    def _label_axes(self) -> None:
        theme, item = self._theme, self._item
        style = {"color": theme.hex(Color.MUTED), "font-size": f"{theme.scaled(Size.SMALL)}px"}
        for side, label in (("left", self._quantity.unit), ("bottom", AXIS_LABELS[self._axis])):
            axis = item.getAxis(side)
            axis.setPen(fine_pen(theme.color(Color.LINE)))
            axis.setStyle(maxTickLevel=0, tickLength=0)
            axis.setGrid(WHOLE if side == "left" else False)
            axis.setZValue(BELOW)
            axis.setTextPen(theme.color(Color.MUTED))
            axis.setTickFont(theme.font(Size.SMALL))
            item.setLabel(side, label, **style)
        item.getAxis("left").setWidth(theme.scaled(AXIS_PX))

    def _point(self, point: QPointF) -> None:
        inside = self._item.vb.sceneBoundingRect().contains(point)
        at = self._item.vb.mapSceneToView(point).x()
        found = [nearest_point(curve.drawn, at, self._axis) for curve in self._curves] if inside else []
        self._cross.setVisible(any(found))
        self._cross.setValue(at)
        pairs = [(letter, point) for letter, point in zip(CURVES, found, strict=False) if point]
        words = [f"{letter} {describe_point(point, self._quantity)}" for letter, point in pairs]
        self.pointed_at.emit("    ".join(words))


def _fitted(metrics: QFontMetrics, name: str, room: int) -> str:
    """Shorten a name to the width: without its value, or only letter and value. It is never elided: "with" and
    "without" must not be cut.
    """
    named, dot, _ = name.rpartition(" · ")
    if not dot:
        return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
    return next((each for each in (name, named) if metrics.horizontalAdvance(each) <= room), _short(name))


def _short(name: str) -> str:
    named, dot, figure = name.rpartition(" · ")
    return f"{named[:1]}  {figure.split()[-1]}" if dot else name[:1]


def spread_apart(ends: Sequence[Place | None], near: float, gap: float, top: float) -> list[Place | None]:
    """Move positions up where two are nearer than `near` across and `gap` up, but not above `top`."""
    known = sorted((end[1], end[0], number) for number, end in enumerate(ends) if end is not None)
    found: list[Place | None] = [None] * len(ends)
    groups: list[list[tuple[float, float, int]]] = []
    for height, across, number in known:
        group = next((each for each in groups if abs(each[0][1] - across) < near), None)
        if group is None:
            groups.append([(height, across, number)])
        else:
            group.append((max(height, group[-1][0] + gap), across, number))
    for group in groups:
        limit = max(top, group[0][0])
        for height, across, number in reversed(group):
            found[number] = (across, min(height, limit))
            limit = min(height, limit) - gap
    return found
