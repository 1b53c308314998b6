"""Quits the whole program while a library never comes back: `python -m tests.journeys.stalling FOLDER`.

A turn is in the journal by then; opening the next model stalls the engine's thread, as a device that hangs would.
"""

import sys
import threading

from PySide6.QtCore import QCoreApplication, QMetaObject, QObject, Qt, Slot

from app import __main__ as program
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, Failure, LoadRequest, Model
from app.state import Phase, State
from app.ui.shell.main_window import MainWindow

QUICK = EchoOptions(tokens_per_second=0, prefill_per_second=0, load_seconds=0)


class Deaf(EchoEngine):
    """Closes the window once the second model is being opened, and never comes back from that."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        if request.model != "another":
            return super().load(request, emit, stop)
        application = QCoreApplication.instance()
        assert application is not None
        QMetaObject.invokeMethod(application, "closeAllWindows", Qt.ConnectionType.QueuedConnection)
        threading.Event().wait()
        raise AssertionError


class Driver(QObject):
    """Sends a prompt, and opens another model after the answer."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.playground.changed.connect(self._on_changed)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is Phase.READY and not new.opening:
            if not new.turns:
                self._window.playground.send("Not lost")
            elif old.phase is Phase.GENERATING:
                self._window.playground.load(LoadRequest("another"))


def main(folder: str) -> int:
    assemble = program._assemble

    def assembled(*arguments: object) -> MainWindow:
        window = assemble(*arguments)  # type: ignore[arg-type]
        Driver(window)
        return window

    program._assemble = assembled  # type: ignore[assignment]
    program.LOCAL["echo"] = lambda _collect: Deaf(QUICK)
    sys.argv = ["sluice", "--data-dir", folder, "--engine", "echo"]
    return program.main()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
