"""What can be done now of what no feature switches yet."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from app.bridge.playground import Playground
from app.state import LOADABLE, Phase, State


class StateView(QObject):
    """Follows the playground."""

    def __init__(self, playground: Playground, actions: Mapping[str, QAction], parent: QObject) -> None:
        super().__init__(parent)
        self._actions = actions
        playground.changed.connect(self._on_changed)
        self._enable(playground.state)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        self._enable(new)

    def _enable(self, state: State) -> None:
        ready = state.phase is Phase.READY
        self._actions["new_session"].setEnabled(state.phase in LOADABLE and bool(state.session or state.turns))
        self._actions["replay"].setEnabled(ready and state.last_run is not None)
        for name in ("view_code", "copy_python", "copy_command"):
            self._actions[name].setEnabled(ready)
