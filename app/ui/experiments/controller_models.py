"""The models that an experiment can bring in beside the one that is open, looked for aside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.bridge.tasks import Tasks
from app.engine.types import Model, Server
from app.library import local
from app.ui.controls.draft_models import SNAPSHOTS, look_for
from app.ui.experiments import controller_servers
from app.ui.experiments.values import Choice
from app.ui.experiments.view import ExperimentView
from app.ui.shell.places import Places

Found = tuple[tuple[Choice, ...], tuple[Choice, ...]]


class ExperimentModelsController:
    """Looks when the window of experiments is seen, once for each model that is open."""

    def __init__(self, places: Places, tasks: Tasks, view: ExperimentView) -> None:
        self._places, self._tasks, self._view = places, tasks, view
        self._known: tuple[Model, tuple[Server, ...]] | None = None

    def look(self, model: Model | None, folders: Sequence[str], servers: tuple[Server, ...]) -> None:
        """What is found for the model that was open before is not shown."""
        if model is None or (model, servers) == self._known:
            return
        self._known = model, servers
        self._view.show_models((), (), looking=True)
        self._tasks.start(self._show(model, [Path(folder) for folder in folders], servers), "models")

    async def _show(self, model: Model, folders: Sequence[Path], servers: Sequence[Server]) -> None:
        self._view.show_models(*await self._tasks.in_thread(_look, model, self._places, folders, servers))


def _look(model: Model, places: Places, folders: Sequence[Path], servers: Sequence[Server]) -> Found:
    """On a thread. Files may be in any state; then there is nothing to choose."""
    try:
        drafts = look_for(model.folder, places.bundled) if model.folder.is_dir() else ()
        found = local.models(places.bundled or places.data, (*folders, *_beside(model.folder)))
    except Exception:
        return (), ()
    choices = [Choice(each.name, each.folder, each.why_not) for each in drafts]
    if model.draft is not None:
        loaded = Choice(model.draft.name, str(model.draft.folder))
        choices = [loaded, *(each for each in choices if each.folder != loaded.folder)]
    others = [
        Choice(each.name, str(each.folder), each.unusable.what if each.unusable is not None else "")
        for each in found
        if each.folder != model.folder
    ]
    there = [each for each in controller_servers.choices(servers, places.keys) if Path(each.folder) != model.folder]
    return tuple(choices), (*others, *there)


def _beside(model: Path) -> tuple[Path, ...]:
    """Where the open model lies there may be others; beside one of the Hugging Face cache are its other versions."""
    return (model.parent,) if model.is_dir() and model.parent.name != SNAPSHOTS else ()
