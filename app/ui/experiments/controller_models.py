"""The models that an experiment can bring in beside the one that is open, looked for aside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from app.bridge.aside import Aside
from app.bridge.model_folders import ModelFolders
from app.bridge.servers import Servers
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
        self, bundled: Path, folders: ModelFolders, servers: Servers, aside: Aside, view: ExperimentView
    ) -> None:
        self._bundled, self._folders, self._servers = bundled, folders, servers
        self._aside, self._view = aside, view
        self._known: tuple[Model, tuple[Server, ...]] | None = None

    def look(self, model: Model | None) -> None:
        """What is found late is shown only if the same model is still open."""
        servers = self._servers.kept
        if model is None or (model, servers) == self._known:
            return
        self._known = model, servers
        self._view.show_models((), (), looking=True)
        around = self._bundled, [Path(folder) for folder in self._folders.kept]
        there = partial(controller_servers.choices, servers, self._servers.keys)
        self._aside.do(partial(_look, model, *around, there), partial(self._take, model))

    def _take(self, model: Model, found: Found) -> None:
        if self._known is not None and model is self._known[0]:
            self._view.show_models(*found)


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
