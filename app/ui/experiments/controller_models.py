"""The models that an experiment can bring in beside the one that is open, looked for aside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from app.bridge.model_folders import ModelFolders
from app.bridge.servers import Servers
from app.bridge.tasks import Tasks
from app.engine.types import Model, Server
from app.library import drafts, local
from app.ui.experiments import controller_servers
from app.ui.experiments.values import Choice
from app.ui.experiments.view import ExperimentView

Found = tuple[tuple[Choice, ...], tuple[Choice, ...]]


class ExperimentModelsController:
    """Looks when the window of experiments is seen, once for each model that is open.

    `bundled` holds the program's own models; a folder without models stands in for it.
    """

    def __init__(
        self, bundled: Path, folders: ModelFolders, servers: Servers, tasks: Tasks, view: ExperimentView
    ) -> None:
        self._bundled, self._folders, self._servers = bundled, folders, servers
        self._tasks, self._view = tasks, view
        self._known: tuple[Model, tuple[Server, ...]] | None = None

    def look(self, model: Model | None) -> None:
        """What is found for the model that was open before is not shown."""
        servers = self._servers.kept
        if model is None or (model, servers) == self._known:
            return
        self._known = model, servers
        self._view.form.show_models((), (), looking=True)
        self._tasks.start(self._show(model, servers), "models")

    async def _show(self, model: Model, servers: tuple[Server, ...]) -> None:
        folders = [Path(folder) for folder in self._folders.kept]
        there = partial(controller_servers.choices, servers, self._servers.keys)
        self._view.form.show_models(*await self._tasks.in_thread(_look, model, self._bundled, folders, there))


def _look(model: Model, bundled: Path, folders: Sequence[Path], on_servers: Callable[[], tuple[Choice, ...]]) -> Found:
    """On a thread. Files may be in any state; then there is nothing to choose."""
    try:
        here = model.folder.is_dir()
        choices = drafts.drafts_around(model.folder, bundled) if here else ()
        around = local.beside(model.folder) if here else ()
        found = local.models(bundled, (*folders, *around))
    except Exception:
        return (), ()
    helpers = [Choice(each.model.name, str(each.model.folder), each.why_not) for each in choices]
    if model.draft is not None:
        loaded = Choice(model.draft.name, str(model.draft.folder))
        helpers = [loaded, *(each for each in helpers if each.folder != loaded.folder)]
    others = [
        Choice(each.name, str(each.folder), each.unusable.what if each.unusable is not None else "")
        for each in found
        if each.folder != model.folder
    ]
    there = [each for each in on_servers() if Path(each.folder) != model.folder]
    return tuple(helpers), (*others, *there)
