"""Suggests models to download while there are only bundled ones, and opens the one that was downloaded."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt

from app.bridge.model_sources import ModelFolders
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure, LoadRequest
from app.library import memory_estimate
from app.library.suggested_models import IDS, suggested
from app.library.types import Device
from app.state import SETTLED, Phase, State, Turn
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.model_suggestions import FirstModels, ModelSuggestions

KIND = "suggestions"


class SuggestionsController(QObject):
    """Follows the open model and its memory limit."""

    def __init__(
        self,
        playground: Playground,
        tasks: Tasks,
        downloading: DownloadsController,
        folders: ModelFolders,
        *,
        first: FirstModels,
        data: Path,
        bundled: Path,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._playground, self._tasks, self._downloading, self._folders = playground, tasks, downloading, folders
        self._first, self._data, self._bundled = first, data, bundled
        self._device = Device(memory_estimate.system_memory())
        self._shown: list[ModelSuggestions] = []
        self._wanted: tuple[str, tuple[Turn, ...]] | None = None
        """Id of the model to open when it is complete, and the turns at the start of its download."""
        self.show_in(first.suggestions)
        first.downloads.resume_wanted.connect(self._download)
        downloading.show_in(first.downloads, instead_of_strip=True)
        # Queued: Qt hides the children of a widget after its hideEvent.
        first.rearranged.connect(downloading.refresh, Qt.ConnectionType.QueuedConnection)
        downloading.changed.connect(self._show_pending)
        downloading.arrived.connect(self._open_arrived)
        folders.changed.connect(self._look_for_models)
        playground.changed.connect(self._on_changed)

    def show_in(self, suggestions: ModelSuggestions) -> None:
        """Show the suggestions here, too."""
        self._shown.append(suggestions)
        suggestions.download_wanted.connect(self._download)
        self._suggest()

    def suggest_for(self, device: Device) -> None:
        """Suggest the models that suit this device."""
        self._device = replace(device, limit=device.limit or memory_estimate.system_memory())
        self._suggest()

    def _suggest(self) -> None:
        models = suggested(self._device)
        for each in self._shown:
            each.show_models(models, self._device.limit)
        self._show_pending()

    def _show_pending(self) -> None:
        for each in self._shown:
            each.show_pending(self._downloading.pending)
        self._first.show_progress()

    def _download(self, model_id: str) -> None:
        self._wanted = model_id, self._playground.state.turns
        self._downloading.start(model_id, None)

    def _open_arrived(self, folder: Path) -> None:
        """Open the model, unless the user did something else meanwhile. The window then shows that it is ready."""
        arrived = {job.model_id for job in self._downloading.jobs if job.folder == folder}
        if self._wanted is not None and self._wanted[0] in arrived:
            (model_id, turns), self._wanted = self._wanted, None
            state = self._playground.state
            is_unused = state.phase in SETTLED and state.turns is turns and self._is_bundled(state)
            if is_unused and self._playground.load(LoadRequest(str(folder))):
                self._downloading.remove_finished(model_id)
                return
        self._look_for_models()

    def _is_bundled(self, state: State) -> bool:
        return state.model is None or self._bundled in state.model.folder.parents

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model or (new.model is None and old.phase is Phase.LOADING):
            self._look_for_models()

    def _look_for_models(self) -> None:
        if self._is_bundled(self._playground.state):
            self._tasks.start(self._look(), KIND)
        else:
            self._tasks.cancel(KIND)
            self._first.hide()

    async def _look(self) -> None:
        folders = [Path(name) for name in self._folders.names]
        answer = await self._tasks.try_in_thread(_look, folders, self._data)
        if isinstance(answer, Failure):
            return  # the picker shows it
        has_own, has_unfinished = answer
        if has_unfinished:
            self._downloading.load()
        self._first.setVisible(not has_own)


# On a thread.


def _look(folders: Sequence[Path], data: Path) -> tuple[bool, bool]:
    """Return whether there are models that aren't bundled, and unfinished downloads of suggested ones."""
    from app.library import local
    from app.library.download_queue import load_unfinished

    return local.has_own(folders), any(each.model_id in IDS for each in load_unfinished(data))
