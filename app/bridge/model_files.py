"""The files of models, looked at aside: the record of a run names them."""

from pathlib import Path

from app.bridge.tasks import Tasks
from app.engine.types import Model
from app.records.run_environment import model_ref
from app.records.types import ModelRef


class ModelFiles:
    """What is known of them, by their folders. `tasks` are those of whoever waits for a look at its end."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self.known: dict[Path, ModelRef] = {}

    def look_at(self, model: Model) -> None:
        """Before its first run is sent."""
        for each in (model, model.draft, model.adapter):
            if each is not None:
                self._tasks.start(self._look_at(each.name, each.folder))

    async def _look_at(self, name: str, folder: Path) -> None:
        self.known[folder] = await self._tasks.in_thread(model_ref, name, folder)
