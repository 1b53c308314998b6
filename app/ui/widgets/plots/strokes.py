"""How the curves of compared runs are told apart: by letter, by pattern and by colour."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.ui.look.palette import Colour
from app.ui.look.theme import GRID_PX, Theme

STROKES = (
    (Colour.DECODE, Qt.PenStyle.SolidLine),
    (Colour.DRAFT_REJECTED, Qt.PenStyle.DashLine),
    (Colour.PREFILL, Qt.PenStyle.DotLine),
    (Colour.REUSED, Qt.PenStyle.DashDotLine),
    (Colour.ACCENT, Qt.PenStyle.DashDotDotLine),
    (Colour.TEXT, Qt.PenStyle.DashLine),
    (Colour.PREFILL, Qt.PenStyle.SolidLine),
    (Colour.DECODE, Qt.PenStyle.DashLine),
    (Colour.REUSED, Qt.PenStyle.DotLine),
    (Colour.DRAFT_REJECTED, Qt.PenStyle.DashDotLine),
    (Colour.TEXT, Qt.PenStyle.DashDotDotLine),
    (Colour.ACCENT, Qt.PenStyle.DotLine),
)
"""No two have both in common, and neighbours have neither."""
SAMPLE_PX = (8 * GRID_PX, 3 * GRID_PX)
SAMPLE_WIDTH_PX = 2


def stroke(theme: Theme, number: int, width: int = 1) -> QPen:
    """The pen of a compared run, as wide on the screen whatever the scale."""
    role, style = STROKES[number]
    pen = QPen(theme.colour(role), width, style)
    pen.setCosmetic(True)
    return pen


class StrokeSample(QWidget):
    """A bit of a curve, for the legend."""

    def __init__(self, theme: Theme, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._number = number
        self.setFixedSize(QSize(*SAMPLE_PX))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(stroke(self._theme, self._number, SAMPLE_WIDTH_PX))
        painter.drawLine(0, self.height() // 2, self.width(), self.height() // 2)
