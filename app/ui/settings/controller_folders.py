"""Where models and downloads lie, as the user wants it: shown, chosen, and opened in the file manager."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.library import cached
from app.settings import Settings
from app.ui.picker.controller import PickerController
from app.ui.settings.values import FoldersValues
from app.ui.shell.places import Places
from app.words import tr

if TYPE_CHECKING:
    from app.ui.settings.folders import FoldersPage


class FoldersController(QObject):
    """The folders of models are the picker's own; where downloads go is read when the program starts."""

    changed = Signal()

    def __init__(self, picking: PickerController, places: Places, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._picking = picking
        self._places = places
        self._cache = settings.cache
        self._bytes: int | None = None
        self._page: FoldersPage | None = None
        self._tasks = Tasks(self)
        picking.folders_changed.connect(self.changed)

    def kept(self, settings: Settings) -> Settings:
        """The settings with these as they stand."""
        return replace(settings, folders=self._picking.folders, cache=self._cache)

    def take(self, settings: Settings) -> None:
        """All of these, at once."""
        self._cache = settings.cache
        self._picking.take_folders(settings.folders)

    def show_in(self, page: FoldersPage) -> None:
        self._page = page
        page.add_wanted.connect(self._ask_folder)
        page.remove_wanted.connect(self._picking.remove_folder)
        page.cache_wanted.connect(self._ask_cache)
        page.usual_cache_wanted.connect(self._use_usual)
        page.show_wanted.connect(self._open)
        self.show()

    def show(self) -> None:
        if self._page is None:
            return
        self._page.show_values(
            FoldersValues(
                models=self._picking.folders,
                cache=cached.folder_of_cache(),
                next_cache=Path(self._cache) if self._cache else self._places.usual_cache,
                usual_cache=not self._cache,
                cache_bytes=self._bytes,
                data=self._places.data,
                logs=self._places.logs,
            )
        )

    def measure(self) -> None:
        """Looks at every file, so elsewhere."""
        self._tasks.start(self._take_size(), "size of the cache")

    def close(self) -> None:
        self._tasks.close()

    @Slot(str)
    def take_cache(self, folder: str) -> None:
        """Downloads go there after the next start."""
        self._cache = str(Path(folder).absolute())
        self.changed.emit()

    async def _take_size(self) -> None:
        answer = await self._tasks.tried(cached.size_of, cached.folder_of_cache())
        if not isinstance(answer, Failure):
            self._bytes = answer
            self.show()

    @Slot()
    def _use_usual(self) -> None:
        self._cache = ""
        self.changed.emit()

    @Slot()
    def _ask_folder(self) -> None:
        self._ask(tr("Add a Folder of Models")).fileSelected.connect(self._picking.add_folder)

    @Slot()
    def _ask_cache(self) -> None:
        self._ask(tr("Keep Downloads in a Folder")).fileSelected.connect(self.take_cache)

    def _ask(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._page, title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    @Slot(Path)
    def _open(self, folder: Path) -> None:
        """The nearest folder that is there: nothing may have been downloaded yet."""
        there = next((each for each in (folder, *folder.parents) if each.is_dir()), folder)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(there)))
