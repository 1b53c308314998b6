"""Watching a run again: its button and its action begin it; Stop, the button again or a new run end it."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from app.bridge.playground import Playground
from app.displayed_run import PlaybackSpeed
from app.state import SETTLED
from app.ui.instruments.watch_button import WatchButton


class WatchController(QObject):
    """Can be asked for while nothing else goes on and an answer's run is shown."""

    def __init__(self, playground: Playground, button: WatchButton, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._button = button
        self._actions: Mapping[str, QAction] = {}
        button.wanted.connect(playground.watch)
        button.stopped.connect(playground.stop)
        self._look()
        playground.changed.connect(self._look)
        playground.shown.changed.connect(self._look)

    def join(self, actions: Mapping[str, QAction]) -> None:
        self._actions = actions
        self._look()

    @Slot()
    def watch(self) -> None:
        """As fast as one can read."""
        self._playground.watch(PlaybackSpeed.READING)

    @Slot()
    def _look(self) -> None:
        shown = self._playground.shown.now
        known = shown.run is not None and bool(shown.turn) and bool(shown.run.summary.figures.tokens)
        free = known and self._playground.state.phase in SETTLED
        self._button.show_watching(bool(shown.slowed), free)
        if self._actions:
            self._actions["watch_again"].setEnabled(free and not shown.slowed)
