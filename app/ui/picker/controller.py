"""The feature Picker: opens its window, loads models, and stores the folders, servers and downloads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_sources import ModelFolders, Servers
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure, LoadRequest, Memory
from app.files.regular_files import is_folder
from app.files.settings import Settings
from app.i18n import tr
from app.library import cached
from app.library.types import Device, Fit, HubModel, LocalModel
from app.state import LOADABLE, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.controller_suggestions import SuggestionsController
from app.ui.picker.download_strip import DownloadStrip
from app.ui.picker.model_suggestions import FirstModels
from app.ui.widgets import LazyWindow
from app.ui.widgets.notices import NoticeBar

if TYPE_CHECKING:
    from app.ui.picker.controller_quantize import QuantizeController
    from app.ui.picker.dialog import ModelPicker

RUNNING = tr("A run is in progress. Stop it first, or wait until it ends.")


class PickerController(Feature):
    """Controller of the model picker. `data`: the program's data folder; `bundled`: the folder of bundled models."""

    ahead = ("app.ui.picker.dialog", "app.ui.picker.controller_quantize")

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        *,
        strip: DownloadStrip,
        first: FirstModels,
        notice: NoticeBar,
        folders: ModelFolders,
        servers: Servers,
        data: Path,
        bundled: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.playground, self.folders, self.servers = playground, folders, servers
        self.data, self.bundled = data, bundled
        self.tasks = Tasks(self)
        self._memory = Memory(0, 0, 0, 0, 0, 0)
        self._shown_device = Device()
        self._theme, self._notice, self._window = theme, notice, parent
        self._listed_folders = folders.names
        self._picker = LazyWindow(self._make)
        self._quantize_controller: QuantizeController | None = None
        self.downloading = DownloadsController(self.tasks, data, strip, self)
        self._suggestions = SuggestionsController(
            playground, self.tasks, self.downloading, folders, first=first, data=data, bundled=bundled, parent=self
        )
        self.downloading.changed.connect(self.show_present)
        self.downloading.arrived.connect(self._show_arrived)
        self.downloading.failed.connect(self._show_failure)
        for shown in (strip, first.downloads):
            shown.open_wanted.connect(self.open_folder)
        strip.show_wanted.connect(self.choose_model)
        folders.changed.connect(self._on_folders_changed)
        servers.changed.connect(self.changed)
        playground.changed.connect(self._on_changed)
        playground.measured.connect(self._on_measured)

    @property
    def device(self) -> Device:
        """Return what will compute a model, as far as the engine has reported it."""
        memory = self._memory
        tuning = self.playground.tuning
        return Device(memory.limit, memory.on_cpu, tuning.keeps_packed, memory.device, tuning.prefill_chunk)

    def actions(self) -> dict[str, Intent]:
        return {"open_model": self.choose_model, "compare_bits": self.compare_bits}

    def updated_settings(self, settings: Settings) -> Settings:
        return replace(settings, folders=self.folders.names, servers=self.servers.entries)

    def close(self) -> None:
        self.tasks.close()
        if self._quantize_controller is not None:
            self._quantize_controller.close()
        self.downloading.close()
        self._picker.close()

    def choose_model(self) -> None:
        self._open_window(for_draft=False)

    def compare_bits(self) -> None:
        """Show the open model in the picker, and open the dialog that compares its quantizations."""
        model = self.playground.state.model
        folder = model.folder if model is not None and not model.server else None
        self._open_window(for_draft=False, wanted=folder)
        self._picker.window.local.quantize_when_listed(folder)

    def choose_draft(self) -> None:
        """Open the picker to choose a draft model for the open model."""
        self._open_window(for_draft=True)

    def open_named(self, name: str) -> None:
        """Open a model on a server, or by its id in the Hugging Face cache."""
        self.load(LoadRequest(name))

    def open_folder(self, folder: Path) -> None:
        self.load(LoadRequest(str(folder)))

    def load(self, request: LoadRequest) -> None:
        """Load a model. If that isn't possible now, show it in the picker with the reason."""
        picker = self._picker.made
        if self.playground.load(request):
            if picker is not None:
                picker.accept()
        else:
            self._open_window(for_draft=False, wanted=Path(request.model))
            self._picker.window.local.show_message_later(RUNNING, "warning")

    def take_folder(self, folder: Path) -> None:
        """Open a dropped folder if it is a model, add it to the list if it contains models, else show why not."""
        self.tasks.start(self._take_folder(folder))

    # Called by the pages.

    def open_from_hub(self, model: HubModel) -> None:
        """Open a downloaded model by its id on the hub."""
        if (folder := self._picker.window.local.folder_of(model.id)) is not None:
            self.open_folder(folder)

    def download(self, model_id: str) -> None:
        """Start or resume a download after the access token was read from the keychain."""
        self.downloading.start_with_token(model_id, self._picker.window.hub.token.when_known)

    def quantize(self, model: LocalModel, fits: Callable[[int], Fit | None]) -> None:
        """Ask how to quantize a model; `fits` estimates the memory for a number of bytes."""
        from app.ui.picker.controller_quantize import QuantizeController

        if self._quantize_controller is None:
            text = self.bundled.parent / "texts" / "comparison.txt"
            self._quantize_controller = QuantizeController(self.tasks, self.downloading, self.folders, self.data, text)
        self._quantize_controller.ask(self._theme, model, fits, self._picker.window)

    def show_present(self) -> None:
        """Update the hub page's list of downloaded models and current downloads."""
        if (picker := self._picker.made) is not None:
            picker.hub.show_present(picker.local.ids, self.downloading.pending)

    def drop(self, paths: Sequence[Path]) -> None:
        """Open or add the folders among dropped paths."""
        self.tasks.start(self._take_dropped(paths))

    def _make(self) -> ModelPicker:
        from app.ui.picker.dialog import ModelPicker

        picker = ModelPicker(self._theme, self, self._window)
        picker.downloads.resume_wanted.connect(self.download)
        picker.downloads.open_wanted.connect(self.open_folder)
        self._show_busy(picker)
        self.downloading.show_in(picker.downloads)
        self.downloading.load()
        self._suggestions.show_in(picker.local.suggestions)
        return picker

    def _open_window(self, for_draft: bool, wanted: Path | None = None) -> None:
        picker = self._picker.window
        picker.local.refresh(wanted, for_draft)
        self.show_present()
        picker.open_at(picker.local if for_draft or wanted else None)

    def _show_busy(self, picker: ModelPicker) -> None:
        why = "" if self.playground.state.phase in LOADABLE else RUNNING
        picker.local.show_busy(why)
        picker.servers.show_busy(why)

    def _show_arrived(self, folder: Path | None) -> None:
        """Choose a new model, unless the user is choosing: the next key press has to apply to the visible choice."""
        if (picker := self._picker.made) is not None:
            picker.local.refresh(None if picker.local.isVisible() else folder)

    def _show_failure(self, failure: Failure) -> None:
        if self._picker.made is not None:
            self._picker.made.hub.show_results(failure)
        else:  # a download of the empty page
            self._notice.show_until_read(failure.sentence)

    async def _take_folder(self, folder: Path) -> None:
        is_model, has_models = await self.tasks.in_thread(_inspect, folder)
        if is_model or has_models:
            self.folders.add(folder)
        if has_models and not is_model:
            self._open_window(for_draft=False, wanted=folder)
        else:
            self.open_folder(folder)

    async def _take_dropped(self, paths: Sequence[Path]) -> None:
        for path in paths:
            if await self.tasks.in_thread(is_folder, path):
                await self._take_folder(path)

    def _on_folders_changed(self) -> None:
        """Choose the first model of a new folder."""
        added = [name for name in self.folders.names if name not in self._listed_folders]
        self._listed_folders = self.folders.names
        self._show_arrived(Path(added[0]) if added else None)

    def _on_changed(self, old: State, new: State) -> None:
        picker = self._picker.made
        if picker is not None and new.phase is not old.phase:
            self._show_busy(picker)
        if new.model is old.model:
            return
        if picker is not None and picker.isVisible():
            picker.local.refresh()
        if new.model is not None and new.model.folder.is_absolute():
            # If this can't be written, only the order of the list differs.
            self.tasks.start(self._note_used(new.model.folder))

    async def _note_used(self, folder: Path) -> None:
        await self.tasks.try_in_thread(cached.note_use, self.data, folder)

    def _on_measured(self, memory: Memory) -> None:
        before, self._memory = self._shown_device, memory
        self._shown_device = self.device
        is_other = self._shown_device != before
        if is_other:
            self._suggestions.suggest_for(self.device)
        if is_other and (picker := self._picker.made) is not None:
            picker.local.show_fit()
            picker.hub.show_fit()


def _inspect(folder: Path) -> tuple[bool, bool]:
    """Return whether a folder is a model, and whether it contains models. In a thread, since a disk may hang."""
    return (folder / "config.json").is_file(), any(folder.glob("*/config.json"))
