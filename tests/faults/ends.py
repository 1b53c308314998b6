"""The whole program told to end, whatever hangs: it is gone in five seconds, and says next time what was not kept."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.leaving import LEAVING_S
from tests.bench.download import hub
from tests.faults.kills import Seen, texts_of
from tests.faults.slow_disk import SlowDisk, why_not
from tests.faults.table import Row

POINT = "ends"
SLACK_S = 1.0
"""What a busy machine takes to start and end threads and processes."""
LONG_S = 120.0
PIECES = 40
"""So many frames are shown before it is told to end."""

OPENING_MS = 300

Order = Callable[[SlowDisk], None]


@dataclass(frozen=True, slots=True)
class State:
    """What goes on when it is told to end. `before` and `then`: how the disk is before the journal opens, and then."""

    name: str
    moment: str = "plain"
    waits_for: str = "shown"
    before: Order | None = None
    then: Order | None = None
    complains: bool = False
    signals: tuple[signal.Signals, ...] = (signal.SIGTERM,)
    code: int = 0
    text_is_kept: bool = True


STATES = (
    State("a run", signals=(signal.SIGTERM,)),
    State("a run, by Ctrl-C", signals=(signal.SIGINT,)),
    State("a run, by HUP", signals=(signal.SIGHUP,)),
    State("an experiment", "experiment"),
    State("a download", "download"),
    State("a run that hangs", "run", "hangs"),
    State("a load that hangs", "load", "hangs"),
    State("a disk that is slow", then=lambda disk: disk.take(30)),
    State("a disk that hangs", then=SlowDisk.hang, complains=True),
    State("a disk that fails", then=SlowDisk.fail, complains=True),
    State(
        "a disk that hangs from the start",
        waits_for="slow",
        before=SlowDisk.hang,
        complains=True,
        text_is_kept=False,
    ),
    State(
        "a disk that hangs, told twice",
        then=SlowDisk.hang,
        signals=(signal.SIGTERM, signal.SIGTERM),
        code=-signal.SIGTERM,
    ),
)
BY_NAME = {state.name: state for state in STATES}


def rows() -> list[Row]:
    """In full."""
    return [ended(state) for state in STATES]


def ended(state: State) -> Row:
    """It is gone in time, with the right status and without a word; the journal has the text."""
    if (state.before or state.then) and why_not():
        return Row(POINT, state.name, 0, (), why_not())
    with tempfile.TemporaryDirectory() as folder:
        return Row(POINT, state.name, 1, tuple(_wrong(state, Path(folder))))


def _wrong(state: State, folder: Path) -> Iterator[str]:
    data = folder / "data"
    data.mkdir()
    with ExitStack() as stack:
        child = _Child(state, folder, stack)
        child.wait_for(state.waits_for)
        child.end()
        child.disk_is_well()
    if child.took > LEAVING_S + SLACK_S:
        yield f"it took {child.took:.1f} s"
    if child.code != state.code:
        yield f"the status is {child.code}"
    if child.errors and not state.complains:
        yield f"on stderr stands {child.errors!r}"
    kept = texts_of(data)
    for run, text in child.seen.due(child.told_at).items() if state.text_is_kept else ():
        if not kept.get(run, "").startswith(text):
            yield f"of {len(text)} characters of {run} the journal has {len(kept.get(run, ''))}"


class _Child:
    """One start of the program, and what it says."""

    def __init__(self, state: State, folder: Path, stack: ExitStack) -> None:
        self._state = state
        environment = dict(os.environ)
        if state.moment == "download":
            environment = stack.enter_context(hub(folder))
        self._disk = SlowDisk(folder / "data", folder) if state.before or state.then else None
        if self._disk is not None:
            environment |= self._disk.environment
        opens_after = str(OPENING_MS if state.before else 0)
        command = [sys.executable, "-m", "tests.faults.streaming", str(folder / "data"), state.moment, opens_after]
        environment |= {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(folder)}
        self._errors = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._errors, env=environment)
        stack.callback(self._process.wait)
        stack.callback(self._process.kill)
        # One that says nothing more holds up no attack.
        timer = threading.Timer(LONG_S, self._process.kill)
        stack.callback(timer.cancel)
        timer.start()
        self.seen = Seen()
        self.errors = ""
        self.took, self.code = 0.0, 0
        self.begun = self._next()
        if state.before is not None and self._disk is not None:
            state.before(self._disk)

    def wait_for(self, what: str) -> None:
        count = 0
        while (said := self._next())["what"] != what or count < PIECES * (what == "shown"):
            count += said["what"] == "shown"

    def end(self) -> None:
        if self._state.then is not None and self._disk is not None:
            self._state.then(self._disk)
        began = self.told_at = time.monotonic()
        for number in self._state.signals:
            self._process.send_signal(number)
            if len(self._state.signals) > 1:
                self._until_handled()
        assert self._process.stdout is not None
        self._process.stdout.read()
        self.code = self._process.wait(LONG_S)
        self.took = time.monotonic() - began
        self._errors.seek(0)
        self.errors = self._errors.read().decode("utf-8", "replace")
        self._process.stdout.close()

    def _until_handled(self) -> None:
        """The first of two signals was heard: its handler is the system's own again."""
        status = Path(f"/proc/{self._process.pid}/status")
        end = time.monotonic() + LONG_S
        while self._process.poll() is None and time.monotonic() < end:
            caught = next(line for line in status.read_text("ascii").splitlines() if line.startswith("SigCgt"))
            if not int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
                return

    def disk_is_well(self) -> None:
        if self._disk is not None:
            self._disk.well()

    def _next(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "it ended by itself"
        said: dict[str, Any] = json.loads(line)
        self.seen.take(line)
        return said
