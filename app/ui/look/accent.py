"""The system's accent color, adapted in lightness to be readable."""

import sys
from collections.abc import Mapping

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from app.ui.look.palette import Colour

GROUNDS = (Colour.SURFACE, Colour.RAISED, Colour.USER)
STEP = 0.01
"""Step of lightness."""
SHARE = {False: 0.07, True: 0.14}
"""Share of the accent in the background of the user's turns, light and dark."""


def system_accent(application: QApplication) -> QColor | None:
    """Return the system's accent color, which Qt has on macOS only, below the program's palette."""
    if sys.platform != "darwin":
        return None
    application.setPalette(QPalette())
    return application.palette().color(QPalette.ColorRole.Accent)


def with_accent(table: Mapping[Colour, str], accent: QColor, dark: bool, least: float) -> Mapping[Colour, str]:
    """Return the palette with another accent, at a contrast that is readable on and below text."""
    surface = QColor(table[Colour.SURFACE])
    hue, saturation, lightness = accent.hslHueF(), accent.hslSaturationF(), accent.lightnessF()
    while True:
        accent = QColor.fromHslF(hue, saturation, lightness)
        pairs = zip(_channels(surface), _channels(accent), strict=True)
        user = QColor.fromRgbF(*(below + SHARE[dark] * (above - below) for below, above in pairs))
        made = {**table, Colour.ACCENT: accent.name(), Colour.USER: user.name(), Colour.ON_ACCENT: surface.name()}
        if all(contrast(accent, QColor(made[ground])) >= least for ground in GROUNDS):
            return made
        lightness = min(1.0, max(0.0, lightness + (STEP if dark else -STEP)))


def contrast(one: QColor, other: QColor) -> float:
    """Return the WCAG contrast ratio, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()
