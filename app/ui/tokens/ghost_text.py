"""Rejected drafts, struck through next to the tokens that replaced them."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from app.ui.look import GRID_PX, Colour, Size, Theme
from app.ui.tokens.words import legible

MAX_PX = 320
NOTCH_PX = 5
RADIUS_PX = 3
DISTANCE_PX = 3
"""Distance between the token and its rejected draft in pixels."""


def paint_notches(painter: QPainter, rects: Sequence[QRectF], theme: Theme) -> None:
    """Mark the upper left corner of tokens that replaced rejected drafts."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(Colour.DRAFT_REJECTED))
    for each in rects:
        corner = each.topLeft()
        painter.drawPolygon(QPolygonF([corner, corner + QPointF(NOTCH_PX, 0), corner + QPointF(0, NOTCH_PX)]))


def paint_ghost(painter: QPainter, token: QRectF, text: str, width: float, theme: Theme) -> None:
    """Paint the rejected draft over the text, above the token or on the first line below it."""
    font = QFont(theme.font(Size.SMALL, mono=True))
    font.setStrikeOut(True)
    metrics = QFontMetricsF(font)
    visible = legible(text).replace("␣", " ")
    words = metrics.elidedText(visible, Qt.TextElideMode.ElideRight, min(MAX_PX, width - 2 * GRID_PX))
    size = metrics.horizontalAdvance(words) + 2 * GRID_PX, metrics.height() + 2
    top = token.top() - DISTANCE_PX - size[1]
    left = max(0.0, min(token.left(), width - size[0]))
    box = QRectF(left, top if top >= 0 else token.bottom() + DISTANCE_PX, *size)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour(Colour.OUTLINE), 1))
    painter.setBrush(theme.colour(Colour.RAISED))
    painter.drawRoundedRect(box, RADIUS_PX, RADIUS_PX)
    painter.setFont(font)
    painter.setPen(theme.colour(Colour.DRAFT_REJECTED))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
