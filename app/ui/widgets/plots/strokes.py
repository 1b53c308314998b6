"""How the curves of compared runs are told apart: by letter, by pattern and by colour."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPen

from app.ui.look import Colour, Theme

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


def stroke(theme: Theme, number: int) -> QPen:
    """The pen of a compared run, as wide on the screen whatever the scale."""
    role, style = STROKES[number]
    pen = QPen(theme.colour(role), 1, style)
    pen.setCosmetic(True)
    return pen
