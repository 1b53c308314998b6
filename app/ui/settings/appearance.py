"""The settings of the appearance: light or dark, contrast, text size."""

from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QActionGroup

from app.actions import Intent
from app.files.settings import Settings
from app.ui.feature import Feature
from app.ui.look import PERCENTS, Theme

SCHEMES = {
    "appearance_system": ("", Qt.ColorScheme.Unknown),
    "appearance_light": ("light", Qt.ColorScheme.Light),
    "appearance_dark": ("dark", Qt.ColorScheme.Dark),
}
"""By action: the value in the settings file, and Qt's."""
FOLLOWING = "appearance_system"
USUAL = 100


class AppearanceController(Feature):
    """Applies the saved appearance. It is created before all widgets, since a widget that was created keeps its font
    until it is shown.

    The actions are connected in `connect_actions`; changes take effect at once.
    """

    def __init__(self, theme: Theme, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._scheme = next((name for name, (known, _) in SCHEMES.items() if known == settings.appearance), FOLLOWING)
        self._contrast = settings.high_contrast
        theme.want_contrast(self._contrast)
        theme.prefer(SCHEMES[self._scheme][1])
        theme.resize(min(PERCENTS, key=lambda percent: abs(percent - settings.text_percent)))

    def actions(self) -> dict[str, Intent]:
        return {
            **dict.fromkeys((*SCHEMES, "high_contrast"), self.follow),
            "larger_text": self.enlarge,
            "smaller_text": self.reduce,
            "usual_text": partial(self.resize, USUAL),
        }

    def connect_actions(self) -> None:
        """Group the actions of the color scheme, which exclude each other."""
        schemes = QActionGroup(self)
        for name in SCHEMES:
            schemes.addAction(self._actions[name])
        self._actions[self._scheme].setChecked(True)
        self._actions["high_contrast"].setChecked(self._contrast)
        self._enable_sizes()

    def updated_settings(self, settings: Settings) -> Settings:
        chosen = next(known for name, (known, _) in SCHEMES.items() if self._actions[name].isChecked())
        wanted = self._actions["high_contrast"].isChecked()
        return replace(settings, appearance=chosen, high_contrast=wanted, text_percent=self._theme.percent)

    def follow(self) -> None:
        self._theme.want_contrast(self._actions["high_contrast"].isChecked())
        self._theme.prefer(next(scheme for name, (_, scheme) in SCHEMES.items() if self._actions[name].isChecked()))

    def enlarge(self) -> None:
        self.resize(PERCENTS[min(bisect_right(PERCENTS, self._theme.percent), len(PERCENTS) - 1)])

    def reduce(self) -> None:
        self.resize(PERCENTS[max(bisect_left(PERCENTS, self._theme.percent) - 1, 0)])

    def resize(self, percent: int) -> None:
        self._theme.resize(percent)
        self._enable_sizes()

    def _enable_sizes(self) -> None:
        percent = self._theme.percent
        self._actions["larger_text"].setEnabled(percent < PERCENTS[-1])
        self._actions["smaller_text"].setEnabled(percent > PERCENTS[0])
