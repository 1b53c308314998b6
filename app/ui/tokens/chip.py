"""A token of a prompt as a chip, colored by its part, with a band if it is cached."""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.engine.types import Part
from app.i18n import tr
from app.ui.look import Colour, Theme

SPACE_PX = 2
"""Distance between two chips in pixels."""
PADDING_PX = 2
BAND_PX = 2
RADIUS_PX = 3
SHADE = 0.13
NAMES = {
    Part.SPECIAL: tr("special token"),
    Part.TEMPLATE: tr("template"),
    Part.SYSTEM: tr("system prompt"),
    Part.USER: tr("your text"),
    Part.MODEL: tr("the model's text"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """The colors and the border of the chips of one prompt part."""

    text: Colour
    ground: Colour
    opacity: float
    border: bool = False


LOOKS: dict[Part, Look] = {
    Part.SPECIAL: Look(Colour.KEYWORD, Colour.KEYWORD, 0.12, border=True),
    Part.TEMPLATE: Look(Colour.MUTED, Colour.RAISED, 1.0, border=True),
    Part.SYSTEM: Look(Colour.TEXT, Colour.DECODE, 0.14),
    Part.USER: Look(Colour.TEXT, Colour.ACCENT, 0.12),
    Part.MODEL: Look(Colour.MODEL, Colour.SURFACE, 1.0, border=True),
}
GROUNDED = Look(Colour.TEXT, Colour.SURFACE, 1.0)


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip to paint. `chosen`: it is at the keyboard cursor. `ground`: a background color in place of the part's
    color.
    """

    text: str
    part: Part
    cached: bool
    chosen: bool = False
    ground: QColor | None = None


def mixed(over: QColor, under: QColor, opacity: float) -> QColor:
    """Return one color over another with this opacity."""
    pairs = zip((over.red(), over.green(), over.blue()), (under.red(), under.green(), under.blue()), strict=True)
    return QColor(*(round(opacity * one + (1 - opacity) * other) for one, other in pairs))


def paint_chip(painter: QPainter, place: QRectF, chip: Chip, theme: Theme) -> None:
    """Paint a chip. The shade and band of cached ones reach to the next chip."""
    look = LOOKS[chip.part] if chip.ground is None else GROUNDED
    if chip.chosen or look.border:
        painter.setPen(QPen(theme.colour(Colour.ACCENT if chip.chosen else Colour.LINE), 1))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(look.ground, look.opacity) if chip.ground is None else chip.ground)
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)
    if chip.cached and chip.ground is None:
        painter.fillRect(place.adjusted(0, 0, SPACE_PX, 0), theme.colour(Colour.REUSED, SHADE))
        band = QRectF(place.left(), place.bottom() - BAND_PX, place.width() + SPACE_PX, BAND_PX)
        painter.fillRect(band, theme.colour(Colour.REUSED))
    painter.setPen(theme.colour(look.text))
    inside = place.adjusted(PADDING_PX, 0, 0, 0)
    painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, chip.text)
