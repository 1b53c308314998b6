"""The end probability over the speed curve: a filled line with an axis of its own at the right. Imports pyqtgraph."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt

from app.engine.stopping import NOTICED
from app.ui.instruments.end_curve import EndCurve, EndPoint
from app.ui.look.palette import Colour
from app.ui.look.theme import Size, Theme
from app.ui.widgets.plots.frame import dress_axis, fine_pen
from app.ui.widgets.plots.speed_curve import Axis
from app.words import tr

FILL_OPACITY = 0.25
LABEL = tr("end probability, %")
TICKS = (0, 50, 100)
END_WORD_PX = 32


class EndLine:
    """Shares the plot's own range, so that nothing more has to be kept in step: 100 % is the top."""

    def __init__(self, item: pg.PlotItem) -> None:
        self._item = item
        self._axis = item.getAxis("right")
        # It would say speeds.
        self._axis.unlinkFromView()
        self._axis.enableAutoSIPrefix(False)
        self._axis.setRange(0, 100)
        self._axis.setTicks([[(value, str(value)) for value in TICKS]])
        self._line = pg.PlotCurveItem(skipFiniteCheck=True, antialias=True, fillLevel=0)
        self._peak = pg.InfiniteLine(angle=90)
        self._words = pg.TextItem(anchor=(0, 0))
        self._highest: EndPoint | None = None
        self._at = self._limit = 0.0
        item.vb.sigResized.connect(self._place_words)
        for thing in (self._line, self._peak, self._words):
            item.addItem(thing, ignoreBounds=True)
            thing.hide()

    def draw(self, curve: EndCurve | None, axis: Axis, end: float | None, right: float, top: float) -> None:
        """With the plot's range from 0 to `right` and `top`, and the run's end; None: not at all."""
        there = curve is not None
        if self._axis.isVisible() != there:
            self._item.showAxis("right", there)
            self._line.setVisible(there)
        if curve is not None:
            self._line.setData(curve.xs(axis), curve.ys(top))
        peak = curve.peak if curve is not None else None
        named = peak is not None and peak.probability >= NOTICED
        self._peak.setVisible(named)
        self._words.setVisible(named)
        if peak is not None and named:
            self._highest, self._limit = peak, right if end is None else end
            self._at = peak.seconds if axis is Axis.TIME else float(peak.number)
            self._peak.setValue(self._at)
            self._place_words()

    def _place_words(self) -> None:
        """At the top, beside the highest point; a line below the word "end" where they would meet."""
        if self._highest is None:
            return
        _, (_, top) = self._item.vb.viewRange()
        pixel = self._item.vb.viewPixelSize()[0]
        self._words.setText(self._highest.told)
        if self._words.boundingRect().width() * pixel > self._limit:
            self._words.setText(self._highest.brief)
        wide, before_end = self._words.boundingRect().width() * pixel, self._limit - END_WORD_PX * pixel
        beside = wide <= before_end
        self._words.setAnchor((0, 0 if beside else -1))
        self._words.setPos(max(0.0, min(self._at, (before_end if beside else self._limit) - wide)), top)

    def wear(self, theme: Theme) -> None:
        """Take the theme's present colours."""
        self._line.setPen(fine_pen(theme.colour(Colour.END)))
        self._line.setBrush(theme.colour(Colour.END, FILL_OPACITY))
        self._peak.setPen(fine_pen(theme.colour(Colour.END), Qt.PenStyle.DotLine))
        self._words.setColor(theme.colour(Colour.END))
        self._words.setFont(theme.font(Size.SMALL))
        dress_axis(self._item, "right", theme, Colour.END, LABEL)
        self._item.showAxis("right", self._line.isVisible())
