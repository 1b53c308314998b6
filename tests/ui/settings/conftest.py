"""The settings' controllers in a window of their own, and what a user does on their pages."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QListWidget

from app.bridge.model_sources import ModelFolders
from app.files.settings import Settings
from app.library import cached
from app.ui.look.theme import Theme
from app.ui.settings.appearance import AppearanceController
from app.ui.settings.controller import SettingsController
from app.ui.settings.window import SettingsWindow
from app.ui.widgets.notices import NoticeBar
from tests.ui.alone import Alone
from tests.ui.desk import act, button, named, words

GENERAL, BEGINNING, FOLDERS, PRIVACY, ADVANCED = range(5)


class Setting:
    """`kept` has the settings after each change, the last one at its end."""

    def __init__(self, window: Alone, theme: Theme, data: Path, settings: Settings, usual_cache: Path) -> None:
        self.window, self.playground, self.until = window, window.playground, window.until
        self.appearance = window.add(AppearanceController(theme, settings, window), "enter_sends")
        act(window, "enter_sends").setChecked(settings.enter_sends)
        self.folders = ModelFolders(settings.folders, window)
        notice = NoticeBar(theme)
        window.put(notice)
        self.controller = window.add(
            SettingsController(
                self.playground,
                theme,
                settings,
                appearance=self.appearance,
                folders=self.folders,
                notice=notice,
                data=data,
                logs=data,
                default_cache=usual_cache,
                parent=window,
            )
        )
        window.open_model()
        self.kept: list[Settings] = []
        self.controller.changed.connect(lambda: self.kept.append(self.controller.values))

    def open(self, page: int = GENERAL) -> SettingsWindow:
        self.controller.open()
        named(self.window, QListWidget, "settings_pages").setCurrentRow(page)
        return named(self.window, SettingsWindow, "settings")

    def press(self, name: str) -> None:
        button(self.window, name).click()

    def choose(self, name: str, value: object) -> None:
        box = named(self.window, QComboBox, name)
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())

    def words(self, name: str) -> str:
        return words(self.window, name)


Start = Callable[[Settings], Setting]


@pytest.fixture
def setting(alone: Alone, theme: Theme, tmp_path: Path) -> Start:
    """Makes the controllers as they are at a start with these settings."""

    def start(settings: Settings) -> Setting:
        return Setting(alone, theme, tmp_path, settings, cached.folder_of_cache())

    return start
