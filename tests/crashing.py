"""Runs the whole program in a child process that a model can kill: `python -m tests.crashing FOLDER STEP`.

Each step does one thing after a model is open, writes what it sees as one line of JSON, and closes the window.
"""

import json
import os
import resource
import sys
import threading
from pathlib import Path
from typing import Any
from unittest import mock

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Collect, Emit, StopFlag
from app.engine.types import Cancellation, Failure, LoadRequest, Model
from app.state import Phase, State
from app.ui.shell.main_window import MainWindow

ADDRESSES_BYTES = 4_000_000_000
"""Limits memory, so that a fault kills this process and not the computer."""
SLOW = "slow"
"""Loading a model of this name never ends, even after Stop."""


class Slow(EchoEngine):
    """The scripted engine with models that never open."""

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        if Path(request.model).name == SLOW:
            _say({"opening": request.model})
            threading.Event().wait()
        return super().load(request, emit, stop)


class Steps(QObject):
    """Runs a step when a model is open; `read` when the draft was read or skipped."""

    def __init__(self, window: MainWindow, step: str) -> None:
        super().__init__(window)
        self._window, self._step = window, step
        window.playground.changed.connect(self._on_changed)
        window.playground.preview.previewed.connect(self._on_foreseen)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.phase is not Phase.READY or old.phase is not Phase.LOADING or self._step == "read":
            return
        act = self._of(QAbstractButton, "notice_offer").click if self._step == "try again" else self._tell
        self._step = self._step.replace("try again", "tell")
        QTimer.singleShot(0, act)

    @Slot(object)
    def _on_foreseen(self, foreseen: object) -> None:
        if self._step == "read" and self._of(QPlainTextEdit, "prompt").toPlainText():
            QTimer.singleShot(0, self._tell)

    def _tell(self) -> None:
        model, offer = self._window.playground.state.model, self._of(QAbstractButton, "notice_offer")
        seen = {
            "model": str(model.folder) if model is not None else "",
            "notice": self._of(QLabel, "notice_what").text(),
            "offer": offer.text() if offer.isVisible() else "",
            "draft": self._of(QPlainTextEdit, "prompt").toPlainText(),
            "count": self._of(QLabel, "prompt_tokens").text(),
        }
        _say(seen)
        if self._step != "stay":
            self._window.close()

    def _of(self, kind: type[Any], name: str) -> Any:
        found = self._window.findChild(kind, name)
        assert found is not None, name
        return found


def _say(seen: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(seen) + "\n")
    sys.stdout.flush()


def _slow(_collect: Collect) -> Slow:
    return Slow()


def main(folder: str, step: str, *switches: str) -> int:
    from app import __main__ as program

    if "mlx" in switches:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES_BYTES, ADDRESSES_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["SLUICE_STARTED_OVER"] = ""
    sys.argv = ["sluice", "--data-dir", folder, *(("--engine", "echo") if "mlx" not in switches else ())]
    with (
        mock.patch.dict(program.LOCAL, {"echo": _slow}),
        mock.patch.object(program, "_settle", lambda window: Steps(window, step)),
    ):
        return program.main()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
