"""The plotted part of the speed graph; imports pyqtgraph, so it is loaded when that is there."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPen
from PySide6.QtWidgets import QWidget

from app.engine.frame import Figures
from app.figures import duration, speed
from app.ui.instruments.end_curve import EndCurve
from app.ui.instruments.end_line import EndLine
from app.ui.instruments.speed_cursor import SpeedCursor
from app.ui.instruments.speed_line import SpeedLine
from app.ui.look.palette import Colour
from app.ui.look.theme import Size, Theme
from app.ui.widgets.plots.frame import dress_axis, fine_pen, keep_still
from app.ui.widgets.plots.pointer import PlotPointer
from app.ui.widgets.plots.speed_curve import AXIS_LABELS, Axis, SpeedCurve, roomy
from app.ui.widgets.rows import in_column
from app.words import tr

EARLIER_OPACITY = (0.9, 0.8, 0.7)
PREFILL_OPACITY = 0.22
END = tr("end")
# Speeds begin at 0, so there is room for words below the curve.
LABEL_HEIGHT = 0.06


class SpeedPlot(QWidget):
    """Draws curves that it is given; ranges are set by hand, since finding them costs more than drawing."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._axis = Axis.TIME
        self._curve = SpeedCurve()
        self._range = (0.0, 0.0)
        self._before: tuple[SpeedCurve, ...] = ()
        self._plot = pg.PlotWidget(self, enableMenu=False)
        # The keyboard belongs to the graph around it.
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._item = self._plot.getPlotItem()
        self._earlier = [SpeedLine() for _ in EARLIER_OPACITY]
        self._line = SpeedLine()
        self._mean = pg.InfiniteLine(angle=0)
        self._prefill = pg.LinearRegionItem(movable=False)
        self._first_label = pg.TextItem()
        self._first = pg.InfiniteLine(angle=90)
        self._told: tuple[Figures, float | None] = (Figures(), None)
        """What stands at the first token, as far as there is room, and where that is."""
        self._told_in = self._range
        self._end_label = pg.TextItem(END)
        self._end = pg.InfiniteLine(angle=90)
        self._compose()
        self._ends = EndLine(self._item)
        self.marks = SpeedCursor(self._item)
        self.pointer = PlotPointer(self._plot)
        in_column(self._plot, on=self)
        self.wear()

    def draw(self, curve: SpeedCurve, axis: Axis, ends: EndCurve | None) -> None:
        """Bring the curve of the run that is shown up to date, and how likely its end was."""
        self._curve = curve
        self._set_ranges(curve, axis)
        self._line.setData(curve.xs(axis), curve.ys())
        self._mark(curve, axis)
        self._ends.draw(ends, axis, curve.end(axis), *self._range)

    def draw_earlier(self, curves: list[SpeedCurve], axis: Axis) -> None:
        """The runs before, the latest first."""
        self._before = tuple(curves)
        for item, curve in zip(self._earlier, curves, strict=False):
            item.setData(curve.xs(axis), curve.ys())
        for item in self._earlier[len(curves) :]:
            item.setData([], [])

    def image(self) -> QImage:
        """The graph as it is seen."""
        image: QImage = self._plot.grab().toImage()
        return image

    def wear(self) -> None:
        """Take the theme's present colours."""
        theme = self._theme
        self._plot.setBackground(theme.colour(Colour.SURFACE))
        self._label_axes()
        for curve, opacity in zip(self._earlier, EARLIER_OPACITY, strict=True):
            curve.setPen(fine_pen(theme.colour(Colour.MUTED, opacity)))
        self._line.setPen(fine_pen(theme.colour(Colour.DECODE)))
        self._mean.setPen(fine_pen(theme.colour(Colour.TEXT), Qt.PenStyle.DashLine))
        self._prefill.setBrush(theme.colour(Colour.PREFILL, PREFILL_OPACITY))
        for mark, role in ((self._first, Colour.PREFILL), (self._end, Colour.MUTED)):
            mark.setPen(fine_pen(theme.colour(role), Qt.PenStyle.DotLine))
        for label, role in ((self._first_label, Colour.PREFILL), (self._end_label, Colour.MUTED)):
            label.setColor(theme.colour(role))
            label.setFont(theme.font(Size.SMALL))
        self._told_in = (0.0, 0.0)  # other words may fit now
        self._ends.wear(theme)
        self.marks.wear(theme)

    def _compose(self) -> None:
        item = self._item
        keep_still(item, self)
        item.vb.sigResized.connect(self._tell_first)
        item.vb.sigResized.connect(self._tell_end)
        for region_line in self._prefill.lines:
            region_line.setPen(QPen(Qt.PenStyle.NoPen))
        marks = (self._prefill, self._mean, self._first, self._end, self._first_label, self._end_label)
        for thing in (*self._earlier, self._line, *marks):
            item.addItem(thing, ignoreBounds=True)
        for thing in marks:
            thing.hide()

    def _set_ranges(self, curve: SpeedCurve, axis: Axis) -> None:
        """Axes end at round numbers, so they jump rarely and never creep."""
        first = axis is not self._axis or self._range == (0.0, 0.0)
        if first:
            self._axis = axis
            self._label_axes()
        last = curve.figures.elapsed if axis is Axis.TIME else float(curve.figures.tokens)
        if not last and not first:
            return  # until there is something to be seen of a run, the axes stay as they are
        # What came too fast for a curve has a mean all the same.
        highest = max((*curve.ys(), curve.figures.speed_mean or 0.0))
        wanted = (roomy(curve.end(axis) or last), roomy(highest))
        if wanted != self._range:
            self._range = wanted
            self._item.setXRange(0, wanted[0], padding=0)
            self._item.setYRange(0, wanted[1], padding=0)
            for line in (*self._earlier, self._line):
                line.set_room(*wanted)

    def _label_axes(self) -> None:
        for side, label in (("left", tr("tokens/s")), ("bottom", AXIS_LABELS[self._axis])):
            dress_axis(self._item, side, self._theme, Colour.MUTED, label)

    def _mark(self, curve: SpeedCurve, axis: Axis) -> None:
        figures = curve.figures
        over_time = axis is Axis.TIME
        first = figures.first_token if over_time else None
        self._prefill.setVisible(first is not None)
        if first is not None:
            self._prefill.setRegion((0, first))
        if not self._is_in_place(figures.speed_mean) or curve.ended:
            _show_line(self._mean, figures.speed_mean)
        _show_line(self._first, first)
        before, self._told = self._told, (figures, first)
        if _said(before) != _said(self._told) or self._range != self._told_in:
            self._tell_first()
        _show_line(self._end, curve.end(axis))
        self._tell_end()

    def _is_in_place(self, mean: float | None) -> bool:
        """Whether the line of the mean stands less than half a pixel beside it: moving it would not be seen."""
        pixel = self._range[1] / max(1.0, self._item.vb.height())
        return mean is not None and self._mean.isVisible() and abs(self._mean.value() - mean) < pixel / 2

    def _tell_first(self) -> None:
        """In as many words as fit beside the mark; below the lines, or above one that leaves room."""
        figures, first = self._told
        self._told_in = self._range
        self._first_label.setVisible(first is not None)
        if first is None:
            return
        pixel = self._item.vb.viewPixelSize()[0]
        for words in _prefill_words(figures):
            self._show_label(self._first_label, first, words, below=True)
            if self._first_label.boundingRect().width() * pixel <= max(first, self._range[0] - first):
                break
        height, lines = self._lines_behind(self._first_label, first)
        low, most = self._range[1] * LABEL_HEIGHT, self._range[1] - 2 * height
        above = (at for at in (low, *sorted(high for _, high in lines)) if at <= most)
        self._first_label.setPos(first, next((at for at in above if _is_free(at, height, lines)), low))

    def _tell_end(self) -> None:
        """At the top; where a line passes there, below the first line that leaves room."""
        end = self._curve.end(self._axis)
        self._show_label(self._end_label, end, END, below=False)
        if end is None:
            return
        height, lines = self._lines_behind(self._end_label, end)
        top = self._range[1]
        below = (at for at in (top, *sorted((low for low, _ in lines), reverse=True)) if at >= height)
        self._end_label.setPos(end, next((at for at in below if _is_free(at - height, height, lines)), top))

    def _lines_behind(self, label: pg.TextItem, at: float) -> tuple[float, list[tuple[float, float]]]:
        """The label's height, and from where to where the lines pass on its width: all as speeds."""
        wide, high = self._item.vb.viewPixelSize()
        width = label.boundingRect().width() * wide
        left = at if at < self._range[0] / 2 else at - width
        mean = self._curve.figures.speed_mean
        curves = [curve.heights(left, left + width, self._axis) for curve in (self._curve, *self._before)]
        lines = [(min(heights), max(heights)) for heights in curves if heights]
        return label.boundingRect().height() * high, [*lines, *([(mean, mean)] if mean is not None else ())]

    def _show_label(self, label: pg.TextItem, at: float | None, words: str, *, below: bool) -> None:
        """Beside a mark, on the side where there is more room; one below and one above never meet."""
        label.setVisible(at is not None)
        if at is not None:
            label.setText(words)
            label.setAnchor((0 if at < self._range[0] / 2 else 1, 1 if below else 0))
            label.setPos(at, self._range[1] * LABEL_HEIGHT if below else self._range[1])


def _is_free(bottom: float, height: float, lines: list[tuple[float, float]]) -> bool:
    """Whether no line passes there."""
    return all(high <= bottom or low >= bottom + height for low, high in lines)


def _prefill_words(figures: Figures) -> tuple[str, ...]:
    """The most telling first, the shortest last."""
    brief = duration(figures.first_token)
    words = tr("first token {time}").format(time=brief)
    if figures.prompt_speed is None:
        return words, brief
    whole = tr("first token {time} · prefill {speed} tok/s")
    return whole.format(time=brief, speed=speed(figures.prompt_speed)), words, brief


def _said(told: tuple[Figures, float | None]) -> tuple[float | None, ...]:
    """What of the figures is said at the first token."""
    figures, first = told
    return figures.first_token, figures.prompt_speed, first


def _show_line(line: pg.InfiniteLine, at: float | None) -> None:
    line.setVisible(at is not None)
    if at is not None:
        line.setValue(at)
