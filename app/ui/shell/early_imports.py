"""Imports the modules of windows that were not opened yet, one at a time while nothing else runs.

On the GUI thread: PySide creates a class at its first use, and two threads that do so crash the process.
"""

from collections.abc import Sequence
from importlib import import_module

from PySide6.QtCore import QObject, QTimer

from app.bridge.playground import Playground
from app.state import SETTLED, State

PAUSE_MS = 10


class EarlyImports(QObject):
    """Starts when it is created, and pauses while a model is loaded or generates."""

    def __init__(self, playground: Playground, modules: Sequence[str], parent: QObject) -> None:
        super().__init__(parent)
        self._waiting = list(reversed(modules))
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._import_next)
        playground.follow(("phase", "opening"), self._on_changed, at_once=True)

    @property
    def is_complete(self) -> bool:
        return not self._waiting

    def leave(self) -> None:
        """Stop, since the window closes."""
        self._waiting.clear()
        self._timer.stop()

    def _on_changed(self, state: State) -> None:
        is_quiet = state.phase in SETTLED and not state.opening
        if not (is_quiet and self._waiting):
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _import_next(self) -> None:
        name = self._waiting.pop()
        if not self._waiting:
            self._timer.stop()
        import_module(name)
