"""The whole program killed at any moment: what it showed half a second before is in the journal at the next start."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from app import __main__ as program
from app import settings
from app.records import opening
from app.records.database import connect
from app.records.journal import Journal, open_journal
from app.records.opening import FILE, LOCK
from app.records.schema import STEPS, migrate
from app.records.session_file import session_text
from tests.bench.download import hub
from tests.faults.streaming import IMPORTED
from tests.faults.table import Row
from tests.records import making
from tests.records.damaging import FILLING, damage

POINT = "kills"
TIMES = 200
OLD_S = 0.5
"""What was shown longer ago than this must be there."""
LONGEST_S = 4.0
LONGEST_OPENING_MS = 2_000
EARLIER = 300
"""Sessions that were there before."""
IMPORTED_TOKENS = 20_000


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


@dataclass(frozen=True, slots=True)
class Killed:
    """How one kill went."""

    due: int
    """Tokens that had to be there."""
    wrong: tuple[str, ...] = ()


Prepare = Callable[[Path], None]


def rows(times: int = TIMES) -> list[Row]:
    """In full: so many kills, spread over all moments."""
    each, more = divmod(times, len(MOMENTS))
    return [killed(moment, each + (number < more)) for number, moment in enumerate(MOMENTS)]


def killed(moment: str, times: int, seed: int = 0) -> Row:
    """In this moment, so often."""
    with tempfile.TemporaryDirectory() as name:
        before = Path(name) / "before"
        before.mkdir()
        MOMENTS[moment](before)
        found = [_killed(moment, before, Random(f"{moment} {seed + number}")) for number in range(times)]
    lost = tuple(f"kill {seed + number}: {what}" for number, one in enumerate(found) for what in one.wrong)
    due = sum(one.due for one in found)
    return Row(POINT, f"{moment}: {due:,} tokens due", times, lost)


def _killed(moment: str, before: Path, random: Random) -> Killed:
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(shutil.copytree(before, Path(name) / "data"))
        environment = stack.enter_context(hub(Path(name))) if moment == "download" else dict(os.environ)
        earlier = moment not in ("plain", "opening")
        seen, killed_at = _run(folder, moment, random, environment)
        journal = program._journal(folder, 0.0, 0)
        try:
            return _look(journal, folder, seen, killed_at, EARLIER if earlier else 0)
        finally:
            journal.close()


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


def _look(journal: Journal, folder: Path, seen: Seen, killed_at: float, earlier: int) -> Killed:
    due = seen.due(killed_at)
    tokens = sum(text.count("w") for text in due.values())
    kept = _texts(journal)
    wrong = [
        f"{run}: {len(kept.get(run, ''))} of {len(text)} characters"
        for run, text in due.items()
        if not kept.get(run, "").startswith(text)
    ]
    if journal.folder is None:
        wrong.append(f"the journal can't be opened: {journal.failure}")
    if sum(row.title.startswith("Earlier") for row in journal.sessions.rows(0, 10_000)) < earlier:
        wrong.append(f"of {earlier} earlier sessions {journal.sessions.count()} are there")
    if settings.load(folder)[1] is not None:
        wrong.append("the settings can't be read")
    with closing(sqlite3.connect(folder / FILE)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            wrong.append("integrity_check fails")
    return Killed(tokens, tuple(wrong))


def texts_of(folder: Path) -> dict[str, str]:
    """The same, of a folder that nobody has open."""
    journal = program._journal(folder, 0.0, 0)
    try:
        return _texts(journal)
    finally:
        journal.close()


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
        session, _, _ = making.answered(journal, f"Earlier {number} about rivers" + FILLING)
        journal.sessions.rename(session, f"Earlier {number}")
    journal.close()


def _damaged(folder: Path) -> None:
    """With a torn page, which the next start finds."""
    _filled(folder)
    damage(folder / FILE, "turn")
    (folder / LOCK).write_text(opening.IN_USE)


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
    session, _, _ = making.answered(journal, "Imported", texts)
    whole = journal.sessions.whole(session)
    journal.close()
    assert whole is not None
    (folder / IMPORTED).write_text(session_text(whole), "utf-8")


MOMENTS: dict[str, Prepare] = {
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
