"""The typeface of the interface: the system's own, or Inter, which comes along, where that is only a stopgap."""

from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo

FONTS = Path(__file__).parents[3] / "resources" / "fonts"
INTER = "Inter"
STOPGAPS = frozenset({"DejaVu Sans", ""})
"""What a Linux shows where no desktop has chosen one: wide, and bold where it means semibold; or it has none at all."""


def interface_font() -> QFont:
    """What the system has for its own controls; its families are asked for the letters that Inter lacks."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if QFontInfo(font).family() in STOPGAPS and _has_inter():
        font.setFamilies([INTER, *font.families()])
    return font


def _has_inter() -> bool:
    """Installed, or taken from the program's own files; once for all that asks."""
    if QFontInfo(QFont(INTER)).family() != INTER:
        for file in FONTS.glob("*.otf"):
            QFontDatabase.addApplicationFont(str(file))
    return QFontInfo(QFont(INTER)).family() == INTER
