"""Kills the whole program while it streams, again and again: `python -m tests.journeys.crashing 50`.

With `echo` behind it the scripted engine streams instead of the bundled model, which starts in a moment.
"""

import os
import resource
import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, Slot
from PySide6.QtWidgets import QMainWindow

from app.__main__ import build
from app.bridge.playground import Playground
from app.engine.echo.engine import EchoEngine
from app.engine.echo.run import EchoOptions
from app.engine.types import Limits, Token
from app.state import Phase, Run, State
from tests.records.crash import LOG, PUT, report

PROGRAM = "tests.journeys.crashing"
ENGINE = "SLUICE_CRASHING_ENGINE"
QUESTION = "Tell me a long story about a river."
TOKENS_A_RUN = 200
LONG = EchoOptions(replies=("word " * 20_000,))
"""Else a run of the scripted engine is over in two seconds, and what is killed then may be no run."""


class Asker(QObject):
    """Asks as soon as anything can be asked, and tells each token to the log on the engine's own thread."""

    def __init__(self, window: QMainWindow, playground: Playground, log: Path) -> None:
        super().__init__()
        self._window = window
        self._playground = playground
        self._log = log.open("ab", buffering=0)
        self._ready = self._asked = False
        playground.changed.connect(self._on_changed)
        playground.finished.connect(self._on_finished)
        playground.book.ready.connect(self._on_ready)
        playground._runner.worker.responded.connect(self._note, Qt.ConnectionType.DirectConnection)

    @Slot()
    def _on_ready(self) -> None:
        self._ready = True
        self._ask()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if not self._asked:
            self._ask()

    @Slot(object)
    def _on_finished(self, run: Run) -> None:
        self._ask()

    def _ask(self) -> None:
        """Each time in a session of its own: what the last start was killed in is open again."""
        playground = self._playground
        if self._ready and playground.state.phase is Phase.READY and not playground.state.opening:
            self._asked = True
            playground.new_session()
            playground.set_controls(replace(playground.state.controls, limits=Limits(TOKENS_A_RUN)))
            self._asked = playground.send(QUESTION)

    @Slot(object)
    def _note(self, token: Token) -> None:
        recorder = self._playground.book.tap._recorder
        if recorder is not None:
            self._log.write(PUT.pack(recorder.run, token.index + 1, token.at))


def stream_for_ever(folder: Path) -> None:
    """The program that is killed."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    engine = os.environ.get(ENGINE, "mlx")
    scripted = (lambda _: EchoEngine(LONG)) if engine == "echo" else None
    window = build(["--data-dir", str(folder / "data"), "--engine", engine], scripted)
    asker = Asker(window, window.playground, folder / LOG)
    window.show()
    QCoreApplication.exec()
    del asker


if __name__ == "__main__":
    if sys.argv[1] == "--stream":
        stream_for_ever(Path(sys.argv[2]))
    os.environ[ENGINE] = "echo" if "echo" in sys.argv else "mlx"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(report(int(sys.argv[1]), PROGRAM))
