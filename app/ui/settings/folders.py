"""Where models, downloads, sessions and logs lie."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QListWidget, QPushButton, QWidget

from app.i18n import tr
from app.number_format import size
from app.ui.look import Theme, scaled
from app.ui.settings.page import Page, SettingsRow, side_by_side
from app.ui.settings.values import FoldersValues
from app.ui.widgets import named, push_button

LIST_PX = 84


class FoldersPage(Page):
    """Folders are only named here; nothing in them is moved or deleted."""

    add_wanted = Signal()
    remove_wanted = Signal(str)
    cache_wanted = Signal()
    """Another place for downloads is to be chosen."""
    usual_cache_wanted = Signal()
    shell_cache_wanted = Signal()
    restart_wanted = Signal()
    show_wanted = Signal(Path)
    """In the system's file manager."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "settings_folders", parent)
        self._values = FoldersValues()
        tip = tr("The picker lists the models in these folders too.")
        self._models = named(QListWidget(), "settings_model_folders", tr("Folders of models"), tip)
        self._models.currentRowChanged.connect(self._allow)
        scaled(theme, self._models, QWidget.setFixedHeight, LIST_PX)
        tip = tr("Have the models of one more folder listed")
        self._add = push_button("settings_add_folder", tr("Add…"), tip, press=self.add_wanted)
        tip = tr("Take the chosen folder off the list; nothing in it is deleted")
        self._remove = push_button("settings_remove_folder", tr("Remove"), tip, press=self._tell_remove)
        self._show_cache = _show_button("settings_show_cache", tr("Show the downloads in the file manager"))
        tip = tr("Choose another folder for downloads")
        self._change = push_button("settings_change_cache", tr("Change…"), tip, press=self.cache_wanted)
        tip = tr("Where other programs look as well")
        self._usual = push_button("settings_usual_cache", tr("Usual Place"), tip, press=self.usual_cache_wanted)
        tip = tr("Where programs look that are started in a terminal")
        self._shell = push_button("settings_shell_cache", tr("The Shell's"), tip, press=self.shell_cache_wanted)
        tip = tr("Quit, and start again as it is now. Nothing is lost; a run that goes on is stopped.")
        self._restart = push_button("settings_restart_cache", tr("Restart Sluice"), tip, press=self.restart_wanted)
        self._show_data = _show_button("settings_show_data", tr("Show the sessions' folder in the file manager"))
        self._show_logs = _show_button("settings_show_logs", tr("Show the logs in the file manager"))
        shows = ((self._show_cache, "cache"), (self._show_data, "data"), (self._show_logs, "logs"))
        for button, field in shows:
            button.clicked.connect(lambda _=False, field=field: self.show_wanted.emit(getattr(self._values, field)))
        self._lay_out()

    def show_values(self, values: FoldersValues) -> None:
        self._values = values
        here = [self._models.item(row).text() for row in range(self._models.count())]
        if here != list(values.models):
            self._models.clear()
            self._models.addItems(values.models)
        self._allow()
        self._cache.explain(_cache_words(values))
        self._usual.setVisible(not values.usual_cache)
        self._shell.setVisible(values.shell_cache not in (None, values.next_cache))
        self._restart.setVisible(values.next_cache != values.cache)
        self._data.explain(tr("{folder}: sessions, runs and settings").format(folder=values.data))
        said = tr("{folder}: errors, without prompts or answers")
        self._logs.explain(said.format(folder=values.logs))

    def _lay_out(self) -> None:
        theme = self._theme
        told = tr("The model picker lists what is in them, at once. Nothing in them is changed.")
        buttons, name = side_by_side(self._remove, self._add), tr("More folders of models")
        models = SettingsRow(theme, buttons, told, name=name, below=self._models)
        buttons, name = side_by_side(self._show_cache, self._change), tr("Downloads (Hugging Face cache)")
        below = side_by_side(self._restart, self._shell, self._usual, at_end=True)
        self._cache = SettingsRow(theme, buttons, name=name, below=below)
        self._data = SettingsRow(theme, self._show_data, name=tr("Sessions and settings"))
        self._logs = SettingsRow(theme, self._show_logs, name=tr("Logs"))
        self.add_group(tr("Models"), models, self._cache)
        self.add_group(tr("Sluice's own files"), self._data, self._logs)

    @Slot()
    def _allow(self) -> None:
        self._remove.setEnabled(self._models.currentRow() >= 0)

    @Slot()
    def _tell_remove(self) -> None:
        if (item := self._models.currentItem()) is not None:
            self.remove_wanted.emit(item.text())


def _show_button(name: str, spoken: str) -> QPushButton:
    return push_button(name, tr("Show"), spoken, spoken)


def _cache_words(values: FoldersValues) -> str:
    if values.shell_cache not in (None, values.next_cache):
        differs = tr("{known} Your shell has them in {folder}.")
        return differs.format(known=_cache_words(replace(values, shell_cache=None)), folder=values.shell_cache)
    held = tr("being measured …") if values.cache_bytes is None else size(values.cache_bytes)
    now = tr("{folder}: {size}. Other programs that use Hugging Face share what is there.")
    if values.next_cache == values.cache:
        return now.format(folder=values.cache, size=held)
    then = tr("{folder}: {size}, until Sluice is started next; then {next}. Models that are here are not moved.")
    return then.format(folder=values.cache, size=held, next=values.next_cache)
