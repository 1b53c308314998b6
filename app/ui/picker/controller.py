"""The model picker in the window: opens it, and turns what is wished there into loads, folders and downloads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.bridge.tasks import Tasks
from app.engine.types import Failure, LoadRequest, Memory
from app.files.regular_files import is_folder
from app.files.settings import Settings
from app.i18n import tr
from app.library import last_used
from app.library.types import HubModel, LocalModel, ModelLocation
from app.state import LOADABLE, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.download_strip import DownloadStrip
from app.ui.widgets import LazyWindow, file_opening

if TYPE_CHECKING:
    from app.ui.picker.controller_hub import HubController
    from app.ui.picker.controller_local import LocalModelsController
    from app.ui.picker.controller_quantize import QuantiseController
    from app.ui.picker.dialog import ModelPicker
    from app.ui.picker.hub_page import HubPage
    from app.ui.picker.local_page import LocalPage
    from app.ui.picker.servers_page import ServersPage

RUNNING = tr("A run is going on: stop it first, or wait for its end.")


class PickerController(Feature):
    """`folders` are those that the user added; `data` is the program's own, `bundled` that of the models it has."""

    ahead = (
        "app.ui.picker.dialog",
        "app.ui.picker.controller_local",
        "app.ui.picker.controller_hub",
        "app.ui.picker.controller_servers",
        "app.ui.picker.controller_quantize",
    )

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        *,
        strip: DownloadStrip,
        folders: ModelFolders,
        servers: Servers,
        data: Path,
        bundled: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._window = parent
        self._data, self._bundled = data, bundled
        self._folders = folders
        self._listed = folders.kept
        self._servers = servers
        self._limit = 0
        """What the device allows."""
        self._picker = LazyWindow(self._make)
        self._local: LocalModelsController | None = None
        self._hub: HubController | None = None
        self._quantising: QuantiseController | None = None
        self._tasks = Tasks(self)
        self.downloading = DownloadsController(self._tasks, data, strip, self)
        self.downloading.changed.connect(self._show_present)
        self.downloading.arrived.connect(self._show_arrived)
        self.downloading.failed.connect(self._tell_failure)
        strip.open_wanted.connect(self._open_folder)
        strip.show_wanted.connect(self.choose_model)
        folders.changed.connect(self._follow_folders)
        servers.changed.connect(self.changed)
        playground.changed.connect(self._on_changed)
        playground.measured.connect(self._on_measured)

    def actions(self) -> dict[str, Intent]:
        return {"open_model": self.choose_model}

    def kept(self, settings: Settings) -> Settings:
        return replace(settings, folders=self._folders.kept, servers=self._servers.kept)

    @Slot()
    def choose_model(self) -> None:
        """Open the picker to choose a model."""
        self._show(for_draft=False)

    @Slot()
    def choose_draft(self) -> None:
        """Open the picker to choose a draft model for the one that is open."""
        self._show(for_draft=True)

    @Slot(Path)
    def take_folder(self, folder: Path) -> None:
        """A folder was dropped: a model is opened, a folder of models is listed; what is neither says why."""
        self._tasks.start(self._take(folder))

    async def _take(self, folder: Path) -> None:
        is_model, has_models = await self._tasks.in_thread(_look_into, folder)
        if is_model or has_models:
            self._folders.add(folder)
        if has_models and not is_model:
            self._show(for_draft=False, wanted=folder)
        else:
            self._open_folder(folder)

    async def _take_dropped(self, paths: Sequence[Path]) -> None:
        """The folders among them."""
        for path in paths:
            if await self._tasks.in_thread(is_folder, path):
                await self._take(path)

    def close(self) -> None:
        """Nothing more is asked, fetched or waited for."""
        self._tasks.close()
        if self._quantising is not None:
            self._quantising.close()
        self.downloading.close()
        self._picker.close()

    def _show(self, for_draft: bool, wanted: Path | None = None) -> None:
        picker = self._picker.window
        self._refresh(wanted, for_draft=for_draft)
        picker.open_at(picker.local if for_draft or wanted else None)

    def _make(self) -> ModelPicker:
        from app.ui.picker.controller_local import LocalModelsController
        from app.ui.picker.dialog import ModelPicker

        picker = ModelPicker(self._theme, self._window)
        page, lie = picker.local, {"data": self._data, "bundled": self._bundled}
        self._local = LocalModelsController(
            self._playground, self._tasks, page, lambda: self._limit, **lie, parent=self
        )
        self._local.scanned.connect(self._show_present)
        self._local.deleted.connect(self.downloading.dismiss)
        page.open_wanted.connect(self._open)
        page.draft_wanted.connect(self._use_as_draft)
        page.delete_wanted.connect(self._take_off)
        page.show_wanted.connect(lambda model: QDesktopServices.openUrl(QUrl.fromLocalFile(str(model.folder))))
        page.quantise_wanted.connect(self._quantise)
        page.folder_wanted.connect(self._choose_folder)
        picker.dropped.connect(lambda paths: self._tasks.start(self._take_dropped(paths)))
        picker.downloads.resume_wanted.connect(self._resume)
        picker.downloads.open_wanted.connect(self._open_folder)
        self._take_hub(picker.hub)
        self._take_servers(picker.servers)
        self._allow(picker.local)
        self._allow(picker.servers)
        self.downloading.show_in(picker.downloads)
        return picker

    def _allow(self, page: LocalPage | ServersPage) -> None:
        """Nothing is opened while a run goes on."""
        page.show_busy("" if self._playground.state.phase in LOADABLE else RUNNING)

    def _take_hub(self, page: HubPage) -> None:
        from app.ui.picker.controller_hub import HubController

        self._hub = HubController(self._tasks, page, lambda: self._limit, self)
        page.download_wanted.connect(lambda model: self._resume(model.id))
        page.open_wanted.connect(self._open_present)
        self._show_present()

    def _take_servers(self, page: ServersPage) -> None:
        from app.ui.picker.controller_servers import ServersController

        controller = ServersController(self._playground, self._tasks, page, self._servers, self)
        controller.opening.connect(self.open_named)

    def _refresh(self, wanted: Path | None = None, for_draft: bool | None = None) -> None:
        if self._local is not None:
            self._local.refresh(self._folders.kept, wanted, for_draft)

    @Slot(Path)
    def _show_arrived(self, folder: Path | None) -> None:
        """It is chosen, unless somebody is choosing: his next press is for what he sees chosen."""
        picker = self._picker.made
        self._refresh(None if picker is not None and picker.local.isVisible() else folder)

    @Slot()
    def _follow_folders(self) -> None:
        """Of a folder that is new the first model is chosen."""
        added = [name for name in self._folders.kept if name not in self._listed]
        self._listed = self._folders.kept
        self._show_arrived(Path(added[0]) if added else None)

    @Slot()
    def _show_present(self) -> None:
        picker, local = self._picker.made, self._local
        if picker is not None and local is not None:
            picker.hub.show_present(local.ids, self.downloading.coming)

    @Slot(object)
    def _tell_failure(self, failure: Failure) -> None:
        """On the page that downloads begin on, whether or not it was seen yet."""
        if self._picker.made is not None:
            self._picker.made.hub.show_results(failure)

    @Slot(object)
    def _open(self, model: LocalModel) -> None:
        told = self._local is not None and self._local.told_too_large(model)
        chosen, opened = self._picker.window.local.adapters.folder, self._playground.state.model
        request = LoadRequest(str(model.folder), anyway=told, adapter=str(chosen) if chosen else None)
        if opened is not None and opened.folder == model.folder and opened.opened_by.adapter != request.adapter:
            request = replace(request, draft=opened.opened_by.draft)  # the adapter alone is another one
        self._load(request)

    @Slot(object)
    def _open_folder(self, folder: Path) -> None:
        self._load(LoadRequest(str(folder)))

    @Slot(str)
    def open_named(self, name: str) -> None:
        """A model on a server, or an id in the cache."""
        self._load(LoadRequest(name))

    def _load(self, request: LoadRequest) -> None:
        """What can't be opened now is shown, with the reason: it may have been dropped, or have arrived."""
        if not self._playground.load(request):
            self._show(for_draft=False, wanted=Path(request.model))
            if self._local is not None:
                self._local.tell_then(RUNNING, "warning")
        elif self._picker.made is not None:
            self._picker.made.accept()

    @Slot(object)
    def _open_present(self, model: HubModel) -> None:
        if self._local is not None and (folder := self._local.path_of(model.id)) is not None:
            self._open_folder(folder)

    @Slot(object)
    def _use_as_draft(self, draft: LocalModel) -> None:
        model = self._playground.state.model
        if model is not None:
            self._load(replace(model.opened_by, draft=str(draft.folder)))

    @Slot(str)
    def _resume(self, model_id: str) -> None:
        if self._hub is not None:
            self.downloading.expect(model_id, self._hub.keeping.when_known)

    @Slot(object)
    def _quantise(self, model: LocalModel) -> None:
        from app.ui.picker.controller_quantize import QuantiseController

        if self._quantising is None:
            text = self._bundled.parent / "texts" / "comparison.txt"
            self._quantising = QuantiseController(self._tasks, self.downloading, self._folders, self._data, text)
        if self._local is not None:
            self._quantising.ask(self._theme, model, partial(self._local.fits, model), self._picker.window)

    @Slot()
    def _choose_folder(self) -> None:
        file_opening.ask_folder(self._picker.made, tr("Add a Folder of Models"), self._add_folder)

    def _add_folder(self, folder: Path) -> None:
        """List the models of one more folder."""
        self._folders.add(folder)
        self._refresh(folder)

    @Slot(object)
    def _take_off(self, model: LocalModel) -> None:
        """A folder of the user's own leaves the list; nothing is deleted."""
        if model.source is not ModelLocation.FOLDER:
            return
        gone = [name for name in self._folders.kept if Path(name) in (model.folder, *model.folder.parents)]
        told = tr("{folders}: taken off the list. Nothing was deleted.")
        if self._local is not None:
            self._local.tell_then(told.format(folders=", ".join(gone)))
        self._folders.remove(*gone)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if (picker := self._picker.made) is not None and new.phase is not old.phase:
            self._allow(picker.local)
            self._allow(picker.servers)
        if picker is not None and picker.isVisible() and new.model is not old.model:
            self._refresh()
        if new.model is not old.model and new.model is not None and new.model.folder.is_absolute():
            self._tasks.start(self._note(new.model.folder))

    async def _note(self, folder: Path) -> None:
        """It was used last; where that can't be written down, the list is in another order."""
        await self._tasks.tried(last_used.note, self._data, folder)

    @Slot(object)
    def _on_measured(self, memory: Memory) -> None:
        self._limit = memory.limit


def _look_into(folder: Path) -> tuple[bool, bool]:
    """Whether it is a model, and whether there are some in it: not on the window's thread, for a disk may hang."""
    return (folder / "config.json").is_file(), any(folder.glob("*/config.json"))
