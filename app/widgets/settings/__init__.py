"""The window of settings: a page for each kind, values in, intents out."""

from app.widgets.settings.values import AdvancedValues, BeginningValues, FoldersValues, GeneralValues, PrivacyValues
from app.widgets.settings.window import SettingsWindow

__all__ = [
    "AdvancedValues",
    "BeginningValues",
    "FoldersValues",
    "GeneralValues",
    "PrivacyValues",
    "SettingsWindow",
]
