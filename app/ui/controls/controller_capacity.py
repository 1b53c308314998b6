"""Updates the parts of the panel that depend on the model and the last run: refusals, free context and memory, the last
seed.
"""

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.engine.capacity import context_room, memory_room
from app.engine.types import Memory
from app.state import Phase, Run, State
from app.ui.controls import ControlsPanel, Room


class CapacityController(QObject):
    """Updates the panel after each change of the playground."""

    def __init__(self, playground: Playground, panel: ControlsPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._panel = panel
        self._memory: Memory | None = None
        playground.changed.connect(self._on_changed)
        playground.measured.connect(self._on_measured)
        playground.finished.connect(self._on_finished)

    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self._panel.show_model(new.model)
        settled = new.phase in (Phase.READY, Phase.EMPTY)
        if settled and (new.model, new.controls, new.turns) != (old.model, old.controls, old.turns):
            self._show_room(new)

    def _on_measured(self, memory: Memory) -> None:
        self._memory = memory
        if self._playground.state.phase in (Phase.READY, Phase.EMPTY, Phase.LOADING):
            self._show_room(self._playground.state)

    def _on_finished(self, run: Run) -> None:
        self._panel.seed.show_last(run.seed)
        self._show_room(self._playground.state)

    def _show_room(self, state: State) -> None:
        model = state.model
        if model is None:
            self._panel.length.show_room(Room())
            return
        run = state.last_run
        used = run.summary.context.used if run is not None and run.summary.context is not None else 0
        memory = memory_room(self._memory, model.kv, state.controls.kv) if self._memory else None
        self._panel.length.show_room(Room(context_room(model.context, used), memory, model.context))
