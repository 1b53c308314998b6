"""The whole program killed at any moment, or told to end while something hangs: its text is in the journal then.

What it showed half a second before is there at the next start. A program that is told to end is gone in five seconds.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from app import __main__ as program
from app.files import settings
from app.platform.shutdown import SHUTDOWN_S
from app.records import journal_file
from app.records.database import connect
from app.records.journal import Journal, open_journal
from app.records.journal_file import FILE, LOCK
from app.records.schema import STEPS, migrate
from app.records.session_file import session_text
from tests.bench.download import hub
from tests.faults.full import times
from tests.faults.slow_disk import SlowDisk, why_not
from tests.faults.streaming import IMPORTED
from tests.records import builders
from tests.records.damaging import FILLING, damage

pytestmark = pytest.mark.slow

OLD_S = 0.5
"""What was shown longer ago than this must be there."""
LONGEST_S = 4.0
LONGEST_OPENING_MS = 2_000
EARLIER = 300
"""Sessions that were there before."""
IMPORTED_TOKENS = 20_000


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


@dataclass(slots=True)
class Seen:
    """What the program had shown when it was killed."""

    shown: dict[str, list[tuple[float, str]]] = field(default_factory=dict)

    def take(self, line: bytes) -> str:
        said: dict[str, Any] = json.loads(line)
        if said["what"] == "shown":
            self.shown.setdefault(said["run"], []).append((said["at"], said["text"]))
        return str(said["what"])

    def due(self, killed_at: float) -> dict[str, str]:
        """The text of each run as it had to be on the disk."""
        due = {
            run: "".join(text for at, text in pieces if at <= killed_at - OLD_S) for run, pieces in self.shown.items()
        }
        return {run: text for run, text in due.items() if text}


def _killed(moment: str, before: Path, random: Random) -> list[str]:
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(shutil.copytree(before, Path(name) / "data"))
        environment = stack.enter_context(hub(Path(name))) if moment == "download" else dict(os.environ)
        earlier = moment not in ("plain", "opening")
        seen, killed_at = _run(folder, moment, random, environment)
        with closing(program._journal(folder, 0.0, 0)) as journal:
            return list(_look(journal, folder, seen, killed_at, EARLIER if earlier else 0))


def _run(folder: Path, moment: str, random: Random, environment: dict[str, str]) -> tuple[Seen, float]:
    """Until it is killed; the last lines are read then."""
    open_ms = random.randrange(LONGEST_OPENING_MS) if moment == "opening" else 0
    command = [sys.executable, "-m", "tests.faults.streaming", str(folder), moment, str(open_ms)]
    environment |= {"QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(folder.parent)}
    seen = Seen()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, start_new_session=True) as child:
        assert child.stdout is not None
        assert seen.take(child.stdout.readline()) == "begun"
        with suppress(subprocess.TimeoutExpired):
            child.wait(random.uniform(0.0, LONGEST_S))
        killed_at = time.monotonic()
        child.send_signal(signal.SIGKILL)
        for line in child.stdout:
            if line.endswith(b"\n"):
                seen.take(line)
    assert child.returncode == -signal.SIGKILL, f"it ended by itself: {child.returncode}"
    return seen, killed_at


def _look(journal: Journal, folder: Path, seen: Seen, killed_at: float, earlier: int) -> Iterator[str]:
    kept = _texts(journal)
    for run, text in seen.due(killed_at).items():
        if not kept.get(run, "").startswith(text):
            yield f"{run}: {len(kept.get(run, ''))} of {len(text)} characters"
    if journal.folder is None:
        yield f"the journal can't be opened: {journal.failure}"
    if sum(row.title.startswith("Earlier") for row in journal.sessions.rows(0, 10_000)) < earlier:
        yield f"of {earlier} earlier sessions {journal.sessions.count()} are there"
    if settings.load(folder)[1] is not None:
        yield "the settings can't be read"
    with closing(sqlite3.connect(folder / FILE)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            yield "integrity_check fails"


def _texts(journal: Journal) -> dict[str, str]:
    """What each run has in the journal, by what the program calls it."""
    found: dict[str, str] = {}
    for info in journal.sessions.rows(0, 10_000):
        turns = journal.sessions.turns(info.id, 0, 10_000)
        if info.title.startswith("Experiment"):
            found |= {f"experiment {number}": turn.text for number, turn in enumerate(turns[1::2])}
        else:
            found |= {asked.text: answer.text for asked, answer in pairwise(turns)}
    return found


# How a folder is before the start.


def _empty(folder: Path) -> None:
    pass


def _filled(folder: Path) -> None:
    journal = open_journal(folder)
    for number in range(EARLIER):
        session, _, _ = builders.answered(journal, f"Earlier {number} about rivers" + FILLING)
        journal.sessions.rename(session, f"Earlier {number}")
    journal.close()


def _damaged(folder: Path) -> None:
    """With a torn page, which the next start finds."""
    _filled(folder)
    damage(folder / FILE, "turn")
    (folder / LOCK).write_text(journal_file.IN_USE)


def _of_an_earlier_version(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with closing(connect(folder / FILE)) as old:
        migrate(old, STEPS[:1])
        old.execute("BEGIN")
        for number in range(1, EARLIER + 1):
            old.execute(
                "INSERT INTO session (id, title, named, created, changed, settings) VALUES (?, ?, 1, 1.0, 2.0, '{}')",
                (number, f"Earlier {number}"),
            )
            for place in range(40):
                old.execute(
                    "INSERT INTO turn (session, place, role, text, reasoning) VALUES (?, ?, 'user', ?, '')",
                    (number, place, f"{place}{FILLING}"),
                )
        old.execute("COMMIT")


def _with_a_file(folder: Path) -> None:
    """A session of many tokens, to be imported."""
    _filled(folder)
    journal = open_journal(None)
    texts = [f" v{number}" for number in range(IMPORTED_TOKENS)]
    session, _, _ = builders.answered(journal, "Imported", texts)
    whole = journal.sessions.whole(session)
    journal.close()
    assert whole is not None
    (folder / IMPORTED).write_text(session_text(whole), "utf-8")


MOMENTS: dict[str, Callable[[Path], None]] = {
    "plain": _empty,
    "opening": _empty,
    "rescue": _damaged,
    "migration": _of_an_earlier_version,
    "import": _with_a_file,
    "settings": _filled,
    "switch": _filled,
    "experiment": _filled,
    "download": _filled,
}
"""What the program does then, and how its folder is before."""


def _wrong(state: State, folder: Path) -> Iterator[str]:
    data = folder / "data"
    data.mkdir()
    with ExitStack() as stack:
        child = _Child(state, folder, stack)
        child.wait_for(state.waits_for)
        child.end()
    if child.took > SHUTDOWN_S + SLACK_S:
        yield f"it took {child.took:.1f} s"
    if child.code != state.code:
        yield f"the status is {child.code}"
    if child.errors and not state.complains:
        yield f"on stderr stands {child.errors!r}"
    with closing(program._journal(data, 0.0, 0)) as journal:
        kept = _texts(journal)
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
        if self._disk is not None:
            self._disk.well()
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

    def _next(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "it ended by itself"
        said: dict[str, Any] = json.loads(line)
        self.seen.take(line)
        return said


@pytest.mark.parametrize("moment", MOMENTS)
def test_program_killed_has_the_text_of_half_a_second_before(moment: str, tmp_path: Path) -> None:
    MOMENTS[moment](tmp_path)
    for number in range(times(1, 22)):
        assert _killed(moment, tmp_path, Random(f"{moment} {number}")) == [], f"kill {number}"


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_program_told_to_end_is_gone_in_time_and_its_text_is_saved(state: State, tmp_path: Path) -> None:
    if (state.before or state.then) and why_not():
        pytest.skip(why_not())
    assert list(_wrong(state, tmp_path)) == []
