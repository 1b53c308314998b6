"""The typeface of the interface: the system's, or the bundled Inter where the system has none."""

from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

FONTS = Path(__file__).parents[3] / "resources" / "fonts"
INTER = "Inter"
STOPGAPS = frozenset({"DejaVu Sans", ""})
"""Fallback fonts of Linux without a desktop, which lack a semibold weight."""


def interface_font() -> QFont:
    """Return the system's font; its families supply the letters that Inter lacks."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if QFontInfo(font).family() in STOPGAPS and _has_inter():
        font.setFamilies([INTER, *font.families()])
    return font


def _has_inter() -> bool:
    """Whether Inter is installed; if not, load it from the program's files first."""
    if QFontInfo(QFont(INTER)).family() != INTER:
        for file in FONTS.glob("*.otf"):
            QFontDatabase.addApplicationFont(str(file))
    return QFontInfo(QFont(INTER)).family() == INTER
