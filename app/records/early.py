"""What comes before the journal is open: also in a small one beside it, which the next start takes in after a crash."""

import shutil
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

from app.records.database import Write
from app.records.handing_over import AT_ONCE, hand_over
from app.records.journal import Journal, open_journal
from app.records.lateness import Lateness
from app.records.opening import open_database
from app.records.sessions import Sessions
from app.records.types import SessionId

PREFIX = "early-"


class EarlyFile:
    """Repeats, on a thread of its own, what is written into the journal in memory; made with the first of it."""

    def __init__(self, data: Path | None, tell: Callable[[], None]) -> None:
        self._data = data
        self._tell = tell
        self._queue: SimpleQueue[Sequence[Write] | None] = SimpleQueue()
        self._lateness: Lateness | None = None
        self._thread: threading.Thread | None = None
        self._closed = data is None
        self._failed = False
        self._unwanted = False

    @property
    def holds(self) -> bool:
        """What came so far is on the disk, or will be in a moment."""
        late = self._lateness is not None and self._lateness.late
        return not (self._closed or self._failed or late)

    def put(self, writes: Sequence[Write]) -> None:
        """On the thread of the journal in memory."""
        if self._closed:
            return
        self._queue.put(tuple(writes))
        if self._thread is None:
            self._lateness = Lateness(self._tell)
            self._thread = threading.Thread(target=self._run, name="early journal", daemon=True)
            self._thread.start()

    def close(self, unwanted: bool) -> None:
        """Nothing comes any more. Unwanted: it goes, since another journal has it all."""
        self._unwanted |= unwanted
        if not self._closed:
            self._closed = True
            self._queue.put(None)

    def wait(self, seconds: float) -> bool:
        """After `close`: whether all of it is written by then."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is not None and not self._thread.is_alive() and not self._failed

    def _run(self) -> None:
        assert self._lateness is not None and self._data is not None
        try:
            self._write(self._lateness, self._data)
        except (sqlite3.Error, OSError):
            self._failed = True
            self._tell()
        finally:
            self._lateness.close()

    def _write(self, lateness: Lateness, data: Path) -> None:
        with lateness:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=data))
            database, lock, _ = open_database(folder)
        try:
            if lock is None:
                raise OSError(folder)
            while (writes := self._queue.get()) is not None:
                with lateness:
                    database.write(writes)
        finally:
            database.close()
            if lock is not None:
                lock.release()
            if self._unwanted:
                shutil.rmtree(folder, ignore_errors=True)


def adopt(folder: Path, journal: Journal) -> None:
    """Take in what programs that died had kept before their journal was open. Waits for the disk."""
    for left in folder.glob(f"{PREFIX}*") if journal.folder is not None else ():
        with closing(open_journal(left)) as early:  # without a folder it has another Sluice, or nobody can read it
            adopted = early.folder is not None and _adopted(early.sessions, journal)
        if adopted:
            shutil.rmtree(left, ignore_errors=True)


def _adopted(early: Sessions, journal: Journal) -> bool:
    """Whether all of it is in the journal now; some may have got there, in part, just before the program died."""
    there = {info.created: info.id for info in journal.sessions.rows(0, sys.maxsize)}
    double = {info.id: there[info.created] for info in early.rows(0, AT_ONCE) if info.created in there}
    whole = {here for here, other in double.items() if _length(early, here) <= _length(journal.sessions, other)}
    hand_over(early, (), journal.sessions, journal.begin, whole)
    for here in double.keys() - whole:
        journal.sessions.delete(double[here])
    return journal.flush()


def _length(sessions: Sessions, session: SessionId) -> int:
    """Characters in it."""
    whole = sessions.whole(session)
    return len(whole.draft) + sum(len(turn.text) + len(turn.reasoning) for turn in whole.turns) if whole else 0
