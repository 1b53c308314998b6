"""Step: the program is left twenty times, in a load and in runs: each time it ends in order, and says nothing."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace

from tests.mac_check.facts import SHORT, Facts, step

TIMES = 1 if SHORT else 20
LIMIT_S = 60


def look(facts: Facts) -> None:
    wrong: list[str] = []
    slowest = 0.0
    for number in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            code, said = _left(folder, number)
            slowest = max(slowest, time.monotonic() - began)
            if code or said:
                wrong.append(f"time {number} ended with {code} {said[-200:]}")
    facts.told("left", TIMES, "times")
    facts.told("the slowest, from start to end", slowest, "s")
    facts.held("each ended in order", not wrong, "; ".join(wrong))


def _left(folder: str, tokens: int) -> tuple[int, str]:
    command = [sys.executable, "-m", "tests.mac_check.leaving", folder, str(tokens)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT_S, env={**os.environ})
    except subprocess.TimeoutExpired:
        return -1, "it never ended"
    return done.returncode, done.stderr


def child(folder: str, tokens: int) -> int:
    """Leaves at this token of a long answer, at none while the model is being loaded; ends as the program does.

    A busy machine may still be importing libraries by then: such an engine is not waited for any longer.
    """
    from PySide6.QtCore import QCoreApplication, QObject, Slot

    from app.__main__ import build
    from app.controls import Mode
    from app.engine.meter.frame import Frame
    from app.engine.types import ENDLESS, Limits
    from app.state import Phase, State
    from app.ui.shell.ending import Ending

    class Leaving(QObject):
        @Slot(object, object)
        def look(self, old: State, new: State) -> None:
            if new.phase is Phase.LOADING and not tokens:
                window.close()
            if new.phase is Phase.READY and old.phase is Phase.LOADING:
                window.playground.set_controls(replace(new.controls, mode=Mode.RAW, limits=Limits(ENDLESS)))
                window.playground.send("Once upon a time")

        @Slot(object)
        def count(self, frame: Frame) -> None:
            if frame.figures.tokens >= tokens:
                window.close()

    window = build(["--data-dir", folder])
    leaving, ending = Leaving(window), Ending(window, lambda: None)
    window.playground.changed.connect(leaving.look)
    window.playground.advanced.connect(leaving.count)
    window.show()
    return ending.end(QCoreApplication.exec())


if __name__ == "__main__":
    sys.exit(child(sys.argv[1], int(sys.argv[2])) if sys.argv[1:] else step(look))
