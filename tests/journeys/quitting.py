"""Quits the whole program in one phase, in a process of its own: `python -m tests.journeys.quitting PHASE MODEL`."""

import os
import sys
import tempfile

from PySide6.QtCore import QCoreApplication, QObject, Slot
from PySide6.QtWidgets import QMainWindow

from app.__main__ import build
from app.bridge.playground import Playground
from app.controls import Controls, Mode
from app.engine.meter.meter import Frame
from app.engine.types import ENDLESS, Limits
from app.state import Phase, State

LONG_PROMPT = "Once upon a time there was a cat. " * 100
TOKENS = 5


class Quitter(QObject):
    """Closes the window when the wanted phase has come; sends a prompt where that takes one."""

    def __init__(self, window: QMainWindow, playground: Playground, phase: Phase) -> None:
        super().__init__()
        self._window = window
        self._playground = playground
        self._phase = phase
        playground.changed.connect(self._on_changed)
        playground.advanced.connect(self._on_advanced)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.failure is not None:
            sys.stderr.write(f"{new.failure}\n")
            self._window.close()
        elif new.phase is self._phase and self._phase is not Phase.GENERATING:
            self._window.close()
        elif self._phase is Phase.LOADING:
            return
        elif old.phase is Phase.LOADING and new.phase is Phase.READY:
            self._playground.set_controls(Controls(mode=Mode.RAW, limits=Limits(ENDLESS)))
            self._playground.send(LONG_PROMPT if self._phase is Phase.PREFILLING else "Once")
        elif new.phase is Phase.PREFILLING and self._phase is Phase.STOPPING:
            self._playground.stop()

    @Slot(object)
    def _on_advanced(self, frame: Frame) -> None:
        if self._phase is Phase.GENERATING and frame.metrics.tokens >= TOKENS:
            self._window.close()


def main(phase: Phase, model: str) -> int:
    """The exit code of the event loop; a thread that can't be left cleanly would make it an abort."""
    with tempfile.TemporaryDirectory() as folder:
        window = build(["--data-dir", folder, "--model", model])
        quitter = Quitter(window, window.playground, phase)
        window.show()
        code = QCoreApplication.exec()
        del quitter
    if window.playground.stalled:
        os._exit(code)  # as the program itself does: an import can't be broken off
    return code


if __name__ == "__main__":
    sys.exit(main(Phase(sys.argv[1]), sys.argv[2]))
