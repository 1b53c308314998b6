"""Asks the window's model one question as soon as it is open, and closes the window after the answer."""

from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from app.engine.types import Limits
from app.state import Phase, Run, State
from app.ui.shell.main_window import MainWindow

QUESTION = "Count 1 to 3"
TOKENS = 12


class Answering(QObject):
    """`text` is the answer, once there is one."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._asked = False
        self.text = ""
        window.playground.changed.connect(self._on_changed)
        window.playground.finished.connect(self._on_finished)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is Phase.READY and not new.opening and not self._asked:
            self._asked = True
            playground = self._window.playground
            playground.set_controls(replace(playground.state.controls, limits=Limits(TOKENS)))
            playground.send(QUESTION)

    @Slot(object)
    def _on_finished(self, run: Run) -> None:
        self.text = run.text
        self._window.close()
