"""The page Folders of the settings: models, downloads, sessions and logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QListWidget, QPushButton, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.library import cached
from app.number_format import size
from app.ui.look import Theme, scaled
from app.ui.settings.form import SettingsPage, SettingsRow, side_by_side
from app.ui.settings.pages import RESTART_TIP
from app.ui.widgets import file_opening, named, push_button

if TYPE_CHECKING:
    from app.ui.settings.controller import SettingsController

LIST_PX = 84


class FoldersPage(SettingsPage):
    """Changes only which folders are used; nothing in them is moved or deleted."""

    def __init__(self, settings: SettingsController, theme: Theme) -> None:
        super().__init__("settings_folders", settings, theme)
        self._cache_bytes: int | None = None
        """None: not measured yet."""
        self._shell_cache: Path | None = None
        tip = tr("The picker lists the models in these folders too.")
        self._models = named(QListWidget(), "settings_model_folders", tr("Folders of models"), tip)
        scaled(theme, self._models, QWidget.setFixedHeight, LIST_PX)
        tip = tr("Add a folder to the list")
        add = push_button("settings_add_folder", tr("Add…"), tip, press=self._ask_folder)
        tip = tr("Remove the folder from the list; nothing in it is deleted")
        self._remove = push_button("settings_remove_folder", tr("Remove"), tip, press=self._remove_chosen)
        self._models.currentRowChanged.connect(lambda row: self._remove.setEnabled(row >= 0))
        name = tr("More folders of models")
        sentence = tr("The model picker lists the models in these folders. Sluice changes nothing in them.")
        models = SettingsRow(theme, side_by_side(self._remove, add), sentence, name=name, below=self._models)
        self.add_group(tr("Models"), models, self._make_cache_row())
        show = _show_button("settings_show_data", tr("Show the sessions' folder in the file manager"), settings.data)
        text = tr("{folder}: sessions, runs and settings").format(folder=settings.data)
        data = SettingsRow(theme, show, text, name=tr("Sessions and settings"))
        show = _show_button("settings_show_logs", tr("Show the logs in the file manager"), settings.logs)
        text = tr("{folder}: errors, without prompts or answers").format(folder=settings.logs)
        self.add_group(tr("Sluice's own files"), data, SettingsRow(theme, show, text, name=tr("Logs")))

    def refresh(self) -> None:
        super().refresh()
        folders = list(self._settings.folders.names)
        if folders != [self._models.item(row).text() for row in range(self._models.count())]:
            self._models.clear()
            self._models.addItems(folders)
        self._remove.setEnabled(self._models.currentRow() >= 0)
        self._cache.explain(self._cache_text())
        self._default.setVisible(bool(self._settings.values.cache))
        self._shell.setVisible(self._shell_cache not in (None, self._next_cache))
        self._restart.setVisible(self._next_cache != cached.folder_of_cache())

    def measure(self) -> None:
        """Measure the cache and ask the shell for its own, both in threads."""
        self._settings.tasks.start(self._measure_cache(), "size of the cache")
        self._settings.tasks.start(self._ask_shell(), "cache of the shell")

    def use_cache(self, folder: Path | None) -> None:
        """Store downloads there from the next start on; None: in the default folder."""
        self._settings.edit("cache", "" if folder is None else str(folder.absolute()))

    @property
    def _next_cache(self) -> Path:
        """Return the folder for downloads after the next start."""
        cache = self._settings.values.cache
        return Path(cache) if cache else self._settings.default_cache

    def _make_cache_row(self) -> SettingsRow:
        show = _show_button("settings_show_cache", tr("Show the downloads in the file manager"), None)
        tip = tr("Choose another folder for downloads")
        change = push_button("settings_change_cache", tr("Change…"), tip, press=self._ask_cache)
        tip = tr("Use the default folder, which other programs use too")
        self._default = push_button("settings_usual_cache", tr("Use Default"), tip, press=lambda: self.use_cache(None))
        tip = tr("Use the folder set by HF_HOME or HF_HUB_CACHE in your shell")
        press = lambda: self.use_cache(self._shell_cache)  # noqa: E731
        self._shell = push_button("settings_shell_cache", tr("Use the Shell's"), tip, press=press)
        restart = self._settings.restart_wanted
        self._restart = push_button("settings_restart_cache", tr("Restart Sluice"), RESTART_TIP, press=restart)
        below = side_by_side(self._restart, self._shell, self._default, at_end=True)
        name = tr("Downloads (Hugging Face cache)")
        self._cache = SettingsRow(self._theme, side_by_side(show, change), name=name, below=below)
        return self._cache

    def _cache_text(self) -> str:
        now, then = cached.folder_of_cache(), self._next_cache
        held = tr("measuring …") if self._cache_bytes is None else size(self._cache_bytes)
        text = tr("{folder}: {size}. Other programs that use Hugging Face share this folder.")
        if then != now:
            text = tr("{folder}: {size}. The next start uses {next}. Existing models are not moved.")
        text = text.format(folder=now, size=held, next=then)
        if self._shell_cache in (None, then):
            return text
        return tr("{known} Your shell is set to {folder}.").format(known=text, folder=self._shell_cache)

    async def _measure_cache(self) -> None:
        answer = await self._settings.tasks.try_in_thread(cached.size_of, cached.folder_of_cache())
        if not isinstance(answer, Failure):
            self._cache_bytes = answer
            self.refresh()

    async def _ask_shell(self) -> None:
        answer = await self._settings.tasks.try_in_thread(cached.of_shell)
        if not isinstance(answer, Failure):
            self._shell_cache = answer
            self.refresh()

    def _remove_chosen(self) -> None:
        if (item := self._models.currentItem()) is not None:
            self._settings.folders.remove(item.text())

    def _ask_folder(self) -> None:
        file_opening.ask_folder(self, tr("Add a Folder of Models"), self._settings.folders.add)

    def _ask_cache(self) -> None:
        file_opening.ask_folder(self, tr("Choose a Folder for Downloads"), self.use_cache)


def _show_button(name: str, tip: str, folder: Path | None) -> QPushButton:
    """Make a button that opens a folder in the file manager; None: the folder of downloads."""
    return push_button(name, tr("Show"), tip, tip, press=lambda: _show(folder or cached.folder_of_cache()))


def _show(folder: Path) -> None:
    """Open the nearest folder that exists: nothing may have been downloaded yet."""
    existing = next((each for each in (folder, *folder.parents) if each.is_dir()), folder)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(existing)))
