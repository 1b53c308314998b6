"""The theme: the system's color scheme and contrast, followed live; fonts, sizes and style."""

import sys
from collections.abc import Mapping
from enum import IntEnum

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QStyle

from app.platform.resources import resources_folder
from app.ui.look.palette import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Color
from app.ui.look.style_sheet import sheet
from app.ui.look.style_updates import FocusRings, reapply_style_sheet, resize_all

GRID_PX = 4
GAP_PX = 2 * GRID_PX
MARGIN_PX = 3 * GRID_PX
MEASURE_PX = 680
"""Width of a line of prose: about 75 characters."""

MUTED_ROLE = QPalette.ColorRole.PlaceholderText
"""A label with this foreground role is muted, and stays so when the theme changes."""

STYLE = "fusion"
"""The style on every system, for which the style sheet was written."""
FRAME_PERCENT = 127
"""The factor, in percent, by which Fusion darkens the window's color for a frame: darker by 140, then lighter by 110.
"""
ENOUGH, HIGH = 4.5, 7.0
"""Minimum contrast of text, normal and high."""
PERCENTS = (80, 90, 100, 110, 125, 150, 175, 200)
"""Text sizes, in percent."""
MOTIONS = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
    Qt.UIEffect.UI_AnimateToolBox,
)
"""Qt's animations, all of which are disabled: Qt doesn't report whether the system asks for less motion."""


SHAPES = resources_folder() / "icons"
"""The folder of the style sheet's arrows; their gray is visible on every background."""


class Size(IntEnum):
    """The type scale, in pixels at 100 %."""

    SMALL = 11
    NORMAL = 13
    PROSE = 15
    LARGE = 20
    HERO = 34


class Theme(QObject):
    """Colors by role, fonts and lengths by size.

    `resized` is emitted after a change of the text size: lengths have to be computed again. `changed` is emitted after
    it, and when the colors change: colors and fonts have to be read again.
    """

    changed = Signal()
    resized = Signal()

    def __init__(self, application: QApplication, *, native: bool = False) -> None:
        """`native`: the system draws the controls and focus rings; else Fusion and the style sheet do."""
        super().__init__()
        self._application = application
        self._native = native
        self._preference = Qt.ColorScheme.Unknown
        self._contrast_wanted = False
        self.percent = 100
        """The text size."""
        self._typeface = interface_font()
        self.tables: dict[str, tuple[str, ...]] = {}
        """The user's column layout of each table, by name."""
        # A reference: PySide treats children of the hints as deleted when the hints' wrapper is.
        self._hints = QGuiApplication.styleHints()
        self._needs = self._hints.accessibility()
        self._look, self._accent = self._wanted(), system_accent(application)
        self._hints.setTabFocusBehavior(Qt.TabFocusBehavior.TabFocusAllControls)  # macOS skips buttons by default
        for effect in MOTIONS:
            QApplication.setEffectEnabled(effect, False)
        # With a style sheet, which only we set, the style has no name.
        if not native and application.style().name() not in (STYLE, ""):
            application.setStyle(STYLE)
        self._color()
        QDir.setSearchPaths("look", [str(SHAPES)])
        if (wanted := "" if native else sheet()) != application.styleSheet():
            application.setStyleSheet(wanted)
        if not native:
            application.setFont(self.font(Size.NORMAL))
            FocusRings(application, self)
        self._hints.colorSchemeChanged.connect(self._follow)
        self._needs.contrastPreferenceChanged.connect(self._follow)
        # After a change of the accent color in the system's settings, the program becomes active again.
        application.applicationStateChanged.connect(self._follow)

    @property
    def dark(self) -> bool:
        return self._look[0]

    @property
    def high_contrast(self) -> bool:
        return self._look[1]

    def prefer(self, scheme: Qt.ColorScheme) -> None:
        """Set light, dark, or (Unknown) the system's scheme."""
        self._preference = scheme
        self._hints.setColorScheme(scheme)
        self._follow()

    def want_contrast(self, wanted: bool) -> None:
        """Set high contrast, or follow the system."""
        self._contrast_wanted = wanted
        self._follow()

    def resize(self, percent: int) -> None:
        if percent == self.percent:
            return
        sizes = {self.scaled(size): size for size in Size}
        self.percent = percent
        # Also on macOS, where controls have the system's font until the user chooses another size.
        self._application.setFont(self.font(Size.NORMAL))
        resize_all(self._application, {before: self.scaled(size) for before, size in sizes.items()})
        self.resized.emit()
        self.changed.emit()

    @property
    def still(self) -> bool:
        """Whether animations are off, as far as Qt's style knows."""
        return self._application.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0

    def scaled(self, pixels: int) -> int:
        return round(pixels * self.percent / 100)

    def hex(self, role: Color) -> str:
        return self.colors[role]

    def color(self, role: Color, opacity: float = 1.0) -> QColor:
        color = QColor(self.hex(role))
        color.setAlphaF(opacity)
        return color

    def font(self, size: Size, *, bold: bool = False, mono: bool = False) -> QFont:
        """Return a font of the interface or the monospace one; all digits have the same width."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont) if mono else QFont(self._typeface)
        font.setPixelSize(self.scaled(size))
        font.setFeature(QFont.Tag("tnum"), 1)
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def palette(self) -> QPalette:
        palette = QPalette(self.color(Color.RAISED))
        for role, color in _QT_ROLES.items():
            palette.setColor(role, self.color(color))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color(Color.OUTLINE))
        return palette

    def _framed(self) -> QPalette:
        """Return the palette of check boxes, whose frame the style would draw invisibly dark."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, self.color(Color.OUTLINE).lighter(FRAME_PERCENT))
        return palette

    def _wanted(self) -> tuple[bool, bool]:
        """Return the palette for dark or light, with or without high contrast."""
        scheme = self._preference
        if scheme == Qt.ColorScheme.Unknown:
            scheme = self._hints.colorScheme()
        asked = self._needs.contrastPreference() == Qt.ContrastPreference.HighContrast
        return scheme == Qt.ColorScheme.Dark, self._contrast_wanted or asked

    def _follow(self) -> None:
        wanted, accent = self._wanted(), system_accent(self._application)
        changed = (wanted, accent) != (self._look, self._accent)
        self._look, self._accent = wanted, accent
        if changed or accent is not None:
            self._color()
        if changed:
            if not self._native:
                reapply_style_sheet(self._application)
            self.changed.emit()

    def _color(self) -> None:
        self.colors: Mapping[Color, str] = TABLES[self._look]
        if self._accent is not None:
            least = HIGH if self.high_contrast else ENOUGH
            self.colors = with_accent(self.colors, self._accent, self.dark, least)
        self._application.setPalette(self.palette())
        if not self._native:
            # PySide requires a str, contrary to its signature.
            self._application.setPalette(self._framed(), "QCheckBox")  # type: ignore[arg-type]


def tint(label: QLabel, theme: Theme, role: Color) -> None:
    """Color a widget's text, by the palette if possible, since a style sheet of its own is slow."""
    label.setForegroundRole(MUTED_ROLE if role is Color.MUTED else QPalette.ColorRole.WindowText)
    own = "" if role in (Color.MUTED, Color.TEXT) else f"color: {theme.hex(role)}"
    if own != label.styleSheet():
        label.setStyleSheet(own)


FONTS = resources_folder() / "fonts"
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


GROUNDS = (Color.SURFACE, Color.RAISED, Color.USER)
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


def with_accent(table: Mapping[Color, str], accent: QColor, dark: bool, least: float) -> Mapping[Color, str]:
    """Return the palette with another accent, at a contrast that is readable on and below text."""
    surface = QColor(table[Color.SURFACE])
    hue, saturation, lightness = accent.hslHueF(), accent.hslSaturationF(), accent.lightnessF()
    while True:
        accent = QColor.fromHslF(hue, saturation, lightness)
        pairs = zip(_channels(surface), _channels(accent), strict=True)
        user = QColor.fromRgbF(*(below + SHARE[dark] * (above - below) for below, above in pairs))
        made = {**table, Color.ACCENT: accent.name(), Color.USER: user.name(), Color.ON_ACCENT: surface.name()}
        if all(contrast(accent, QColor(made[ground])) >= least for ground in GROUNDS):
            return made
        lightness = min(1.0, max(0.0, lightness + (STEP if dark else -STEP)))


def contrast(one: QColor, other: QColor) -> float:
    """Return the WCAG contrast ratio, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: QColor) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(color: QColor) -> tuple[float, float, float]:
    return color.redF(), color.greenF(), color.blueF()


TABLES = {
    (False, False): LIGHT,
    (True, False): DARK,
    (False, True): LIGHT_CONTRAST,
    (True, True): DARK_CONTRAST,
}
"""Palettes by (dark, high contrast)."""
_QT_ROLES = {
    QPalette.ColorRole.Window: Color.RAISED,
    QPalette.ColorRole.WindowText: Color.TEXT,
    QPalette.ColorRole.Base: Color.SURFACE,
    QPalette.ColorRole.AlternateBase: Color.RAISED,
    QPalette.ColorRole.Text: Color.TEXT,
    QPalette.ColorRole.Button: Color.RAISED,
    QPalette.ColorRole.ButtonText: Color.TEXT,
    QPalette.ColorRole.PlaceholderText: Color.MUTED,
    QPalette.ColorRole.ToolTipBase: Color.SURFACE,
    QPalette.ColorRole.ToolTipText: Color.TEXT,
    QPalette.ColorRole.Highlight: Color.ACCENT,
    QPalette.ColorRole.HighlightedText: Color.ON_ACCENT,
    QPalette.ColorRole.Accent: Color.ACCENT,
    QPalette.ColorRole.Link: Color.ACCENT,
    QPalette.ColorRole.LinkVisited: Color.ACCENT,
    QPalette.ColorRole.Mid: Color.LINE,
    QPalette.ColorRole.Midlight: Color.USER,
    QPalette.ColorRole.BrightText: Color.OUTLINE,
    QPalette.ColorRole.Shadow: Color.HANDLE,
}
