"""What only a Mac has: App Nap, which must wait while a run goes on, and a menu in the Dock."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMenu, QWidget

from app.app_nap import Wakefulness
from app.bridge.playground import Playground
from app.state import RUNNING, State

REASON = "A model is generating"
IN_THE_DOCK = ("new_session", "open_model", "stop")


class Awake(QObject):
    """Keeps the system from slowing the program down while a run goes on."""

    def __init__(self, playground: Playground, wakefulness: Wakefulness, parent: QObject) -> None:
        super().__init__(parent)
        self._wakefulness = wakefulness
        playground.changed.connect(self._on_changed)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase in RUNNING:
            self._wakefulness.begin(REASON)
        elif old.phase is not new.phase:
            self._wakefulness.end()


def dock_menu(window: QWidget) -> QMenu:
    """What a right click on the Dock's icon offers; only a Mac has one."""
    menu = QMenu(window)
    menu.setObjectName("dock_menu")
    known = {action.objectName(): action for action in window.actions()}
    for name in IN_THE_DOCK:
        menu.addAction(known[f"action_{name}"])
    if sys.platform == "darwin":
        menu.setAsDockMenu()
    return menu
