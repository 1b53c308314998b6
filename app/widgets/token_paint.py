"""Paints the grounds of tokens, and the marks around them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.widgets.palette import Colour
from app.widgets.theme import Theme
from app.widgets.token_colours import DRAFT, USER, Tone, ground

BAR_PX = 2
BAND_PX = 3
RADIUS_PX = 3
POINTED_PX = 1
MARKED_PX = 2


def paint_grounds(painter: QPainter, rects: Sequence[QRectF], tone: Tone, theme: Theme) -> None:
    """Grounds of one tone. Who chose the token is told by bars too: the draft by one below, you by one more above."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground(tone, theme))
    painter.drawRects(rects)
    if tone in (DRAFT, USER):
        painter.setBrush(theme.colour(Colour.DRAFT_ACCEPTED if tone == DRAFT else Colour.ACCENT))
        painter.drawRects([QRectF(each.left(), each.bottom() - BAR_PX, each.width(), BAR_PX) for each in rects])
    if tone == USER:
        painter.drawRects([QRectF(each.left(), each.top(), each.width(), BAR_PX) for each in rects])


def paint_outline(painter: QPainter, rects: Sequence[QRectF], theme: Theme, *, marked: bool) -> None:
    """The token under the pointer, or, stronger, the marked one."""
    width = MARKED_PX if marked else POINTED_PX
    painter.setPen(QPen(theme.colour(Colour.ACCENT if marked else Colour.TEXT), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for each in rects:
        painter.drawRoundedRect(each.adjusted(-width / 2, -width / 2, width / 2, width / 2), RADIUS_PX, RADIUS_PX)


def paint_band(painter: QPainter, rects: Sequence[QRectF], theme: Theme) -> None:
    """A stretch of tokens: a line under all of them."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(Colour.ACCENT))
    painter.drawRects([QRectF(each.left() - 0.5, each.bottom(), each.width() + 1, BAND_PX) for each in rects])
