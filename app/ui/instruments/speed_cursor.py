"""The marks that point into a speed plot: a token's line and dot, and a shaded stretch. Imports pyqtgraph."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPen

from app.ui.look.palette import Colour
from app.ui.look.theme import Theme
from app.ui.widgets.plots.frame import fine_pen

STRETCH_OPACITY = 0.2
DOT_PX = 7


class SpeedCursor:
    """Puts its marks into a plot item and moves them."""

    def __init__(self, item: pg.PlotItem) -> None:
        self._line = pg.InfiniteLine(angle=90)
        self._dot = pg.ScatterPlotItem(size=DOT_PX, pxMode=True)
        self._stretch = pg.LinearRegionItem(movable=False)
        for edge in self._stretch.lines:
            edge.setPen(QPen(Qt.PenStyle.NoPen))
        for mark in (self._stretch, self._line, self._dot):
            item.addItem(mark, ignoreBounds=True)
            mark.hide()

    def point(self, x: float | None, y: float | None) -> None:
        """At `x`, with a dot where the curve is; None: nowhere."""
        self._line.setVisible(x is not None)
        self._dot.setVisible(x is not None and y is not None)
        if x is not None:
            self._line.setValue(x)
        if x is not None and y is not None:
            self._dot.setData([x], [y])

    def shade(self, ends: tuple[float, float] | None) -> None:
        """From one place on the axis to another."""
        self._stretch.setVisible(ends is not None)
        if ends is not None:
            self._stretch.setRegion(ends)

    def wear(self, theme: Theme) -> None:
        """Take the theme's present colours."""
        self._line.setPen(fine_pen(theme.colour(Colour.ACCENT), Qt.PenStyle.DotLine))
        self._dot.setPen(fine_pen(theme.colour(Colour.SURFACE)))
        self._dot.setBrush(theme.colour(Colour.ACCENT))
        self._stretch.setBrush(theme.colour(Colour.ACCENT, STRETCH_OPACITY))
