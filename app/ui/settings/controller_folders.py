"""Where models and downloads lie, as the user wants it: shown, chosen, and opened in the file manager."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices

from app.bridge.model_folders import ModelFolders
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.files.settings import Settings
from app.i18n import tr
from app.library import cached
from app.ui.settings.values import FoldersValues
from app.ui.widgets import file_opening

if TYPE_CHECKING:
    from app.ui.settings.folders import FoldersPage


class FoldersController(QObject):
    """The folders of models are the picker's, too; where downloads go is read when the program starts."""

    changed = Signal()

    def __init__(
        self, models: ModelFolders, data: Path, logs: Path, usual_cache: Path, settings: Settings, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._models = models
        self._data, self._logs, self._usual_cache = data, logs, usual_cache
        self._cache = settings.cache
        self._bytes: int | None = None
        self._shell: Path | None = None
        self._page: FoldersPage | None = None
        self._tasks = Tasks(self)
        models.changed.connect(self.changed)

    def kept(self, settings: Settings) -> Settings:
        """The settings with these as they stand."""
        return replace(settings, folders=self._models.kept, cache=self._cache)

    def take(self, settings: Settings) -> None:
        """All of these, at once."""
        self._cache = settings.cache
        self._models.take(settings.folders)

    def show_in(self, page: FoldersPage) -> None:
        self._page = page
        page.add_wanted.connect(self._ask_folder)
        page.remove_wanted.connect(self._models.remove)
        page.cache_wanted.connect(self._ask_cache)
        page.usual_cache_wanted.connect(self._use_usual)
        page.shell_cache_wanted.connect(self._use_shell)
        page.show_wanted.connect(self._open)
        self.show()

    def show(self) -> None:
        if self._page is None:
            return
        self._page.show_values(
            FoldersValues(
                models=self._models.kept,
                cache=cached.folder_of_cache(),
                next_cache=Path(self._cache) if self._cache else self._usual_cache,
                usual_cache=not self._cache,
                cache_bytes=self._bytes,
                data=self._data,
                logs=self._logs,
                shell_cache=self._shell,
            )
        )

    def measure(self) -> None:
        """Looks at every file, and asks the shell, so elsewhere."""
        self._tasks.start(self._take_size(), "size of the cache")
        self._tasks.start(self._ask_shell(), "cache of the shell")

    def take_cache(self, folder: Path) -> None:
        """Downloads go there after the next start."""
        self._cache = str(folder.absolute())
        self.changed.emit()

    async def _take_size(self) -> None:
        answer = await self._tasks.tried(cached.size_of, cached.folder_of_cache())
        if not isinstance(answer, Failure):
            self._bytes = answer
            self.show()

    async def _ask_shell(self) -> None:
        answer = await self._tasks.tried(cached.of_shell)
        if not isinstance(answer, Failure) and answer != self._shell:
            self._shell = answer
            self.show()

    @Slot()
    def _use_shell(self) -> None:
        if self._shell is not None:
            self.take_cache(self._shell)

    @Slot()
    def _use_usual(self) -> None:
        self._cache = ""
        self.changed.emit()

    @Slot()
    def _ask_folder(self) -> None:
        file_opening.ask_folder(self._page, tr("Add a Folder of Models"), self._models.add)

    @Slot()
    def _ask_cache(self) -> None:
        file_opening.ask_folder(self._page, tr("Keep Downloads in a Folder"), self.take_cache)

    @Slot(Path)
    def _open(self, folder: Path) -> None:
        """The nearest folder that is there: nothing may have been downloaded yet."""
        there = next((each for each in (folder, *folder.parents) if each.is_dir()), folder)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(there)))
