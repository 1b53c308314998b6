"""The whole program in a child, streaming without end: `python -m tests.faults.streaming FOLDER MOMENT [OPEN_MS]`.

It says on stdout, in one line of JSON each, what it shows and when. It goes on until it is ended from outside, and
never comes back from where MOMENT says that it hangs.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot

from app import __main__ as program
from app.engine.echo.engine import EchoEngine, EchoOptions
from app.engine.meter.meter import Frame
from app.engine.protocol import Emit, StopFlag
from app.engine.types import Cancellation, Failure, Finish, Limits, LoadRequest, Model, RawPrompt, Request
from app.experiments.types import WARM_UP, ExperimentStep, Plan, Variant
from app.records.journal import Journal
from app.state import Phase
from app.ui.shell.main_window import MainWindow
from tests.bench.slow_hub import MODEL_ID

WORDS = " ".join(f"w{number}" for number in range(60_000))
KNOBS = EchoOptions(tokens_per_second=250, prefill_per_second=0, load_seconds=0.1, replies=(WORDS,), context=1_000_000)
LONG, SHORT = Limits(50_000), Limits(120)
TICK_MS, OFTEN_MS = 20, 60
A_WHILE_MS = 700
"""Between two switches of the model."""
PLAN = Plan(
    "trial",
    "A trial",
    "What is it?",
    (
        Variant("one", Request(RawPrompt("One"), limits=SHORT)),
        Variant("other", Request(RawPrompt("Two"), limits=SHORT)),
    ),
    200,
)
IMPORTED = "imported.sluice"


class Hanging(EchoEngine):
    """Never comes back from the load or from the run that it is to hang in, whatever it is asked."""

    def __init__(self, where: str) -> None:
        super().__init__(KNOBS)
        self._where = where

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Cancellation:
        if self._where == "load" and request.model == "another":
            _hang()
        return super().load(request, emit, stop)

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        finish = super().generate(replace(request, limits=SHORT), emit, stop) if self._where == "run" else None
        if self._where == "run":
            _hang()
        return finish or super().generate(request, emit, stop)


class Driver(QObject):
    """Sends, and does beside that what the moment asks for."""

    def __init__(self, window: MainWindow, folder: Path, moment: str) -> None:
        super().__init__(window)
        self._window, self._folder, self._moment = window, folder, moment
        self._playground = window.playground
        self._number = 0
        self._experimenting = self._switches = False
        self._clock = QTimer(self, interval=TICK_MS)
        self._clock.timeout.connect(self._act)
        self._switching = QTimer(self, interval=A_WHILE_MS)
        self._switching.timeout.connect(self._switch)
        self._playground.changed.connect(self._follow)
        self._playground.advanced.connect(self._tell)
        self._playground.experiment_runner.stepped.connect(self._step)
        self._playground.experiment_runner.advanced.connect(self._tell_run)
        self._playground.book.ready.connect(lambda: say("ready"))
        self._playground.book.slow.connect(self._type)
        self._clock.start()
        say("begun", notice=window._starting._notice)

    @Slot(object, object)
    def _follow(self, old: object, new: object) -> None:
        """Each time that nothing goes on, something is sent."""
        state = self._playground.state
        if state.phase is not Phase.READY or state.opening:
            return
        if self._switches:
            self._switches = False
            self._playground.load(LoadRequest("another"))
            return
        if self._moment == "experiment" and self._number:
            if not self._experimenting:
                self._experimenting = self._playground.experiment(PLAN)
            return
        self._number += 1
        limits = SHORT if self._moment == "experiment" else LONG
        self._playground.set_controls(replace(state.controls, limits=limits, seed=1))
        self._playground.send(f"Question {os.getpid()} {self._number}")
        beside: dict[str, Callable[[], object]] = {
            "switch": self._switching.start,
            "download": lambda: self._window._features.picker.downloading.start(MODEL_ID, None),
            "load": self._switching.start,
        }
        beside.get(self._moment, lambda: None)()

    @Slot()
    def _type(self) -> None:
        """Nothing can be sent, since the session database is still opening."""
        self._window._parts.prompt.set_text("Typed")
        say("slow")

    @Slot()
    def _act(self) -> None:
        """What is done again and again."""
        if self._moment == "settings":
            self._window._keep()
            self._clock.setInterval(OFTEN_MS)
        elif self._moment == "import" and self._playground.state.phase is Phase.GENERATING:
            self._window.open_path(str(self._folder / IMPORTED))
            self._clock.setInterval(A_WHILE_MS)

    @Slot()
    def _switch(self) -> None:
        """As soon as nothing goes on any more."""
        self._switches = True
        self._playground.stop()

    @Slot(object)
    def _tell(self, frame: Frame) -> None:
        text = "".join(shown.text for shown in frame.shown)
        if text:
            say("shown", run=f"Question {os.getpid()} {self._number}", text=text)

    @Slot(object)
    def _step(self, step: ExperimentStep) -> None:
        if step.round != WARM_UP:
            self._number += 1

    @Slot(object)
    def _tell_run(self, frame: Frame) -> None:
        text = "".join(shown.text for shown in frame.shown)
        if text:
            say("shown", run=f"experiment {self._number - 2}", text=text)


def say(what: str, **more: object) -> None:
    """At once: the next moment may be the last."""
    os.write(1, json.dumps({"what": what, "at": time.monotonic(), **more}).encode() + b"\n")


def _hang() -> None:
    say("hangs")
    threading.Event().wait()


def main(folder: Path, moment: str, open_ms: int) -> int:
    for each in (signal.SIGINT, signal.SIGHUP):  # whoever runs the attacks in the background has them ignored
        signal.signal(each, signal.SIG_DFL)
    assemble, open_it = program._assemble, program._journal

    def assembled(*arguments: object) -> MainWindow:
        window = assemble(*arguments)  # type: ignore[arg-type]
        Driver(window, folder, moment)
        return window

    def slowly(data: Path, before: float, session: int) -> Journal:
        threading.Event().wait(open_ms / 1000)
        return open_it(data, before, session)

    program._assemble = assembled  # type: ignore[assignment]
    program._journal = slowly  # type: ignore[assignment]
    program.LOCAL["echo"] = lambda _collect: Hanging(moment)
    sys.argv = ["sluice", "--data-dir", str(folder), "--engine", "echo"]
    return program.main()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0))
