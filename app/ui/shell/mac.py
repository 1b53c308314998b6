"""macOS only: App Nap and sleep are prevented during work, and the Dock has a menu."""

import sys

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from app.bridge.playground import Playground
from app.platform.app_nap import SleepBlocker
from app.state import BUSY
from app.ui.picker.controller_downloads import DownloadsController

REASON = "A model is loaded, run or downloaded"
IN_THE_DOCK = ("new_session", "open_model", "stop")


class Awake(QObject):
    """Prevents App Nap and sleep during runs and downloads."""

    def __init__(
        self, playground: Playground, downloading: DownloadsController, sleep_blocker: SleepBlocker, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._downloading = downloading
        self._sleep_blocker = sleep_blocker
        playground.follow(("phase", "experiment"), self._look)
        downloading.changed.connect(self._look)

    def _look(self) -> None:
        state = self._playground.state
        if state.phase in BUSY or state.experiment or self._downloading.is_active:
            self._sleep_blocker.begin(REASON)
        else:
            self._sleep_blocker.end()


def dock_menu(window: QWidget) -> QMenu:
    """Return the context menu of the Dock icon."""
    menu = QMenu(window)
    menu.setObjectName("dock_menu")
    known = {action.objectName(): action for action in window.actions()}
    for name in IN_THE_DOCK:
        menu.addAction(known[f"action_{name}"])
    if sys.platform == "darwin":
        menu.setAsDockMenu()
    return menu
