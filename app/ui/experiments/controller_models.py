"""The models that an experiment can bring in beside the one that is open, looked for aside."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from app.bridge.model_folders import ModelFolders
from app.bridge.servers import Servers, wants_warning
from app.bridge.tasks import Tasks
from app.engine.remote import directory
from app.engine.remote.address import host_of, reference
from app.engine.types import Failure, Model, Server
from app.i18n import tr
from app.library import drafts, local
from app.library.server_keys import ServerKeys
from app.ui.experiments.values import Choice
from app.ui.experiments.view import ExperimentView

PATIENCE_S = 2.0
AT_ONCE = 8
Found = tuple[tuple[Choice, ...], tuple[Choice, ...]]


def choices(servers: Sequence[Server], keys: ServerKeys) -> tuple[Choice, ...]:
    """What those list that answer at once, all of them asked together."""
    asked = [server for server in servers if not wants_warning(server)]
    if not asked:
        return ()
    with ThreadPoolExecutor(min(AT_ONCE, len(asked))) as pool:
        return tuple(choice for found in pool.map(partial(_of, keys), asked) for choice in found)


def _of(keys: ServerKeys, server: Server) -> tuple[Choice, ...]:
    models = directory.list_models(server, keys.of(server.address), PATIENCE_S)
    if isinstance(models, Failure):
        return ()
    name = server.called or host_of(server.address)
    return tuple(
        Choice(tr("{model} on {server}").format(model=each.name, server=name), reference(each.address, each.id))
        for each in models
    )


class ExperimentModelsController:
    """Looks whenever the window of experiments is opened, and for each model that is opened below it.

    `bundled` holds the program's own models; a folder without models stands in for it.
    """

    def __init__(
        self, bundled: Path, folders: ModelFolders, servers: Servers, tasks: Tasks, view: ExperimentView
    ) -> None:
        self._bundled, self._folders, self._servers = bundled, folders, servers
        self._tasks, self._view = tasks, view
        self._shown: Model | None = None
        """For which one there is something to choose from, or soon will be."""

    def look(self, model: Model | None, anew: bool) -> None:
        """For another model than before, or `anew`: what there is to choose from stays until all is found."""
        if model is None or (model == self._shown and not anew):
            return
        if model != self._shown:
            self._shown = model
            self._view.form.show_models((), (), looking=True)
        self._tasks.start(self._show(model), "models")

    async def _show(self, model: Model) -> None:
        folders = [Path(folder) for folder in self._folders.kept]
        there = partial(choices, self._servers.kept, self._servers.keys)
        self._view.form.show_models(*await self._tasks.in_thread(_look, model, self._bundled, folders, there))


def _look(model: Model, bundled: Path, folders: Sequence[Path], on_servers: Callable[[], tuple[Choice, ...]]) -> Found:
    """On a thread. Files may be in any state; then there is nothing to choose."""
    try:
        choices = drafts.drafts_around(model.folder, bundled) if model.folder.is_dir() else ()
        found = local.around(model.folder, bundled, folders)
    except Exception:
        return (), ()
    helpers = [Choice(each.model.name, str(each.model.folder), each.why_not) for each in choices]
    if model.draft is not None:
        loaded = Choice(model.draft.name, str(model.draft.folder))
        helpers = [loaded, *(each for each in helpers if each.folder != loaded.folder)]
    others = [Choice(each.name, str(each.folder), each.why_not) for each in found if each.folder != model.folder]
    there = [each for each in on_servers() if Path(each.folder) != model.folder]
    return tuple(helpers), (*others, *there)
