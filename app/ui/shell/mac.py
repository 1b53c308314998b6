"""What only a Mac has: naps and sleep, which must wait while something goes on, and a menu in the Dock."""

import sys

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMenu, QWidget

from app.bridge.playground import Playground
from app.platform.app_nap import SleepBlocker
from app.state import BUSY
from app.ui.picker.controller_downloads import DownloadsController

REASON = "A model is loaded, run or downloaded"
IN_THE_DOCK = ("new_session", "open_model", "stop")


class Awake(QObject):
    """Keeps the system from slowing the program down, and from going to sleep, while anything goes on."""

    def __init__(
        self, playground: Playground, downloading: DownloadsController, sleep_blocker: SleepBlocker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._downloading = downloading
        self._wakefulness = sleep_blocker
        playground.changed.connect(self._look)
        downloading.changed.connect(self._look)

    @Slot()
    def _look(self) -> None:
        state = self._playground.state
        if state.phase in BUSY or state.experiment or self._downloading.flowing:
            self._wakefulness.begin(REASON)
        else:
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
