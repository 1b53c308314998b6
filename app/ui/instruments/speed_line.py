"""A curve that grows at its end while it is looked at: only what is new of it is painted. Imports pyqtgraph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

LEAST = 100
"""What is painted anew is no smaller than this part of the plot: Qt leaves out what has no height."""


class SpeedLine(pg.PlotCurveItem):
    """Has all of the plot for its room, so that growing changes nothing for what lies around it.

    pyqtgraph looks for the bounds of every curve anew whenever it has other points, and has all that is within them
    painted, the axes beside them too: ten times a second that was a quarter of what the window took from the model.
    """

    def __init__(self) -> None:
        self._room = QRectF()
        self._xs: Sequence[float] = ()
        self._ys: Sequence[float] = ()
        super().__init__()
        self.opts["skipFiniteCheck"] = True

    def set_room(self, right: float, top: float) -> None:
        """The plot's range, from 0 on."""
        room = QRectF(0, 0, right, top)
        if room != self._room:
            self.prepareGeometryChange()
            self._room = room

    def _changed(self, xs: Sequence[float], ys: Sequence[float]) -> QRectF:
        """Where it looks other than before: all over, or from its last point on."""
        known = len(self._xs)
        grows = 0 < known < len(xs) and self._xs[0] == xs[0]
        if not grows or (self._xs[-1], self._ys[-1]) != (xs[known - 1], ys[known - 1]):
            return self._room
        since, new = xs[known - 1], ys[known - 1 :]
        wide, high = self._room.width() / LEAST, self._room.height() / LEAST
        return QRectF(since, min(new) - high, max(xs[-1] - since, wide), max(new) - min(new) + 2 * high)

    def updateData(self, xs: Sequence[float] = (), ys: Sequence[float] = ()) -> None:
        """What pyqtgraph does in `setData`."""
        changed = self._changed(xs, ys)
        self._xs, self._ys = xs, ys
        self.xData, self.yData = numpy.array(xs, dtype=float), numpy.array(ys, dtype=float)
        self.path = self.fillPath = self._fillPathList = self._mouseShape = None
        self.update(changed)

    def boundingRect(self) -> QRectF:
        return self._room

    def viewTransformChanged(self) -> None:
        """The plot's range is told by whoever sets it."""

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self._xs:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self.opts["pen"])
            painter.drawPath(self.getPath())
