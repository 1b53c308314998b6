"""How the program looks: the system's scheme followed live, one scale of type, one sheet for what Qt leaves plain."""

from __future__ import annotations

import sys
from enum import IntEnum

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.widgets.palette import DARK, LIGHT, Colour
from app.widgets.sheet import sheet

GRID_PX = 4
GAP_PX = 2 * GRID_PX
MARGIN_PX = 3 * GRID_PX

MUTED_ROLE = QPalette.ColorRole.PlaceholderText
"""A label with this foreground role is muted, and stays so when the theme changes."""


class Size(IntEnum):
    """The one scale of type, in pixels."""

    SMALL = 11
    NORMAL = 13
    PROSE = 15
    LARGE = 20


class Theme(QObject):
    """Colours by role and fonts by size. `changed` says that every colour asked for before is out of date."""

    changed = Signal()

    def __init__(self, application: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._application = application
        self._preference = Qt.ColorScheme.Unknown
        self._dark = self._wanted()
        self._wear()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow)

    @property
    def dark(self) -> bool:
        return self._dark

    def prefer(self, scheme: Qt.ColorScheme) -> None:
        """Always light, always dark, or (Unknown) as the system has it."""
        self._preference = scheme
        QGuiApplication.styleHints().setColorScheme(scheme)
        self._follow()

    def hex(self, role: Colour) -> str:
        return (DARK if self._dark else LIGHT)[role]

    def colour(self, role: Colour, opacity: float = 1.0) -> QColor:
        colour = QColor(self.hex(role))
        colour.setAlphaF(opacity)
        return colour

    def font(self, size: Size, *, bold: bool = False, mono: bool = False) -> QFont:
        """A font of the system, its figures all of one width so that numbers don't dance."""
        kind = QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
        font = QFontDatabase.systemFont(kind)
        font.setPixelSize(size)
        font.setFeature(QFont.Tag("tnum"), 1)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def palette(self) -> QPalette:
        """What Qt's own controls wear."""
        palette = QPalette(self.colour(Colour.RAISED))
        for role, colour in _QT_ROLES.items():
            palette.setColor(role, self.colour(colour))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.colour(Colour.OUTLINE))
        return palette

    def _wanted(self) -> bool:
        scheme = self._preference
        if scheme == Qt.ColorScheme.Unknown:
            scheme = QGuiApplication.styleHints().colorScheme()
        return bool(scheme == Qt.ColorScheme.Dark)

    def _follow(self) -> None:
        if self._wanted() != self._dark:
            self._dark = not self._dark
            self._wear()
            self.changed.emit()

    def _wear(self) -> None:
        self._application.setPalette(self.palette())
        # macOS draws its own controls; elsewhere Fusion's bevels are flattened.
        if sys.platform != "darwin":
            self._application.setFont(self.font(Size.NORMAL))
            self._application.setStyleSheet(sheet(DARK if self._dark else LIGHT))


_QT_ROLES = {
    QPalette.ColorRole.Window: Colour.RAISED,
    QPalette.ColorRole.WindowText: Colour.TEXT,
    QPalette.ColorRole.Base: Colour.SURFACE,
    QPalette.ColorRole.AlternateBase: Colour.RAISED,
    QPalette.ColorRole.Text: Colour.TEXT,
    QPalette.ColorRole.Button: Colour.RAISED,
    QPalette.ColorRole.ButtonText: Colour.TEXT,
    QPalette.ColorRole.PlaceholderText: Colour.MUTED,
    QPalette.ColorRole.ToolTipBase: Colour.SURFACE,
    QPalette.ColorRole.ToolTipText: Colour.TEXT,
    QPalette.ColorRole.Highlight: Colour.ACCENT,
    QPalette.ColorRole.HighlightedText: Colour.ON_ACCENT,
    QPalette.ColorRole.Accent: Colour.ACCENT,
    QPalette.ColorRole.Link: Colour.ACCENT,
    QPalette.ColorRole.LinkVisited: Colour.ACCENT,
    QPalette.ColorRole.Mid: Colour.LINE,
}
