"""Opening of the session database in any state; if all else fails, in memory."""

import fcntl
import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

from app.engine.meter.frame import Summary
from app.engine.meter.speeds import gaps
from app.engine.types import Failure
from app.files import json_values, regular_files
from app.records import failures
from app.records.database import Database, Write, connect, open_file, open_memory
from app.records.packing import unpack_times
from app.records.purge import NONE, Expired, purge
from app.records.rescue import COMPANIONS, finish_rescue, rescue
from app.records.schema import APPLICATION_ID, STEPS, NewerError, version_of
from app.records.store import highest_numbers
from app.records.types import RunId, RunState, TurnId

FILE = "journal.sqlite"
LOCK = "journal.lock"
IN_USE = "in use"
"""Content of the lock file until the journal is closed properly. After a crash the file is checked first."""
RETRY_S = 0.05
"""Seconds between two attempts to lock the journal."""
GOING = "SELECT id, turn FROM run WHERE state = 'running'"
WRITTEN = "SELECT times, drafts, text, reasoning FROM batch WHERE run = ? ORDER BY first"


class JournalLockedError(Exception):
    """Another instance has the journal open."""


class Lock:
    """A file lock of one instance; the system releases it when the process ends.

    `patience_s`: seconds to wait for another instance, which may be quitting.
    """

    def __init__(self, folder: Path, patience_s: float = 0.0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        regular_files.set_aside(folder / LOCK)
        self._file: IO[str] = (folder / LOCK).open("a+", encoding="utf-8")
        try:
            self._lock(time.monotonic() + patience_s)
        except BlockingIOError as error:
            self._file.close()
            raise JournalLockedError from error
        except OSError:
            self._file.close()
            raise
        self._file.seek(0)
        self.was_abandoned = self._file.read(len(IN_USE) + 1) == IN_USE
        """Whether the last owner ended without releasing it."""
        self._write(IN_USE)

    def _lock(self, until: float) -> None:
        """Retry until the deadline; `flock` itself has no timeout."""
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise
            time.sleep(RETRY_S)

    def release(self, well: bool = True) -> None:
        """Release the lock. `well` False: the file must be checked before the next use."""
        if well:
            self._write("")
        self._file.close()

    def _write(self, word: str) -> None:
        with suppress(OSError):  # on a full disk
            self._file.truncate(0)
            self._file.write(word)
            self._file.flush()


def open_database(
    folder: Path | None, expired: Expired = NONE, patience_s: float = 0.0
) -> tuple[Database, Lock | None, Failure | None]:
    """Open the database; return it, its lock, and a failure or None."""
    if folder is None:
        return open_memory(), None, None
    path = folder / FILE
    lock = None
    try:
        lock = Lock(folder, patience_s)
        database, failure = _open(path, lock.was_abandoned, expired)
        return database, lock, failure
    except JournalLockedError:
        failure = failures.in_use(path)
    except NewerError:
        failure = failures.newer(path)
    except (sqlite3.Error, OSError) as error:
        failure = failures.not_opened(path, error)
    if lock is not None:
        lock.release(not lock.was_abandoned)
    return open_memory(), None, failure


def _open(path: Path, suspect: bool, expired: Expired) -> tuple[Database, Failure | None]:
    """Open the file. A damaged file is set aside, as is a pipe or device at its path."""
    aside = finish_rescue(path)
    places = (path, *(path.with_name(path.name + companion) for companion in COMPANIONS))
    if odd := [gone for place in places if (gone := regular_files.set_aside(place)) is not None]:
        return _open_sound(path, suspect, expired), failures.was_odd(odd[0])
    try:
        database = _open_sound(path, suspect, expired)
    except sqlite3.DatabaseError as error:
        if failures.kind_of(error) != "damaged":
            raise
        aside = rescue(path)
        database = _open_sound(path, False, expired)
    if aside is None:
        return database, None
    return database, failures.set_aside(aside, database.read("SELECT count(*) FROM session")[0][0])


def _open_sound(path: Path, suspect: bool, expired: Expired) -> Database:
    try:
        _check(path, suspect)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
            raise
        _roll_back(path)
        _check(path, suspect)
    database = open_file(path)
    try:
        mark_interrupted(database)
        purge(database, expired)
        highest_numbers(database)  # fails now and not later if they can't be read
    except BaseException:
        database.close()
        raise
    return database


def _roll_back(path: Path) -> None:
    """Roll back a migration that a crash interrupted. SQLite does it for a connection that may write."""
    with closing(connect(path)) as connection:
        version_of(connection)


def _check(path: Path, suspect: bool) -> None:
    """Check the file read-only: a file of another program must not be changed."""
    if not path.exists():
        return
    with closing(connect(path, read_only=True)) as connection:
        known = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if version_of(connection) > len(STEPS) or (tables and not known):
            raise NewerError(str(path))
        if suspect and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            damaged = sqlite3.DatabaseError("quick_check failed")
            damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damaged


def mark_interrupted(database: Database) -> None:
    """Mark the runs that a crash interrupted, and give them the text that is on disk.

    No other process may write: the caller holds the journal's lock.
    """
    writes = [write for run, turn in database.read(GOING) for write in _close(database, run, turn)]
    if writes:
        database.write(writes)


def _close(database: Database, run: RunId, turn: TurnId) -> list[Write]:
    batches = database.read(WRITTEN, (run,))
    text = "".join(batch[2] for batch in batches)
    reasoning = "".join(batch[3] for batch in batches)
    summary = _summary(database, run, batches)
    return [
        Write("UPDATE run SET state = ? WHERE id = ?", [(RunState.INTERRUPTED.value, run)]),
        Write(
            "UPDATE detail SET text = ?, reasoning = ?, summary = ? WHERE run = ?", [(text, reasoning, summary, run)]
        ),
        Write("UPDATE turn SET text = text || ?, reasoning = reasoning || ? WHERE id = ?", [(text, reasoning, turn)]),
    ]


def _summary(database: Database, run: RunId, batches: list[tuple[bytes, bytes, str, str]]) -> str | None:
    """Return the summary of the last batch, with the percentiles, which are computed only here."""
    found = database.read("SELECT summary FROM detail WHERE run = ?", (run,))
    if not found or found[0][0] is None:
        return None
    drafts = b"".join(batch[1] for batch in batches)
    try:
        arrivals = [at for batch in batches for at in unpack_times(batch[0])]
        summary = replace(json_values.loads(Summary, found[0][0]), gaps=gaps(arrivals, drafts))
    except ValueError:  # store the text without its summary
        return None
    return json_values.dumps(Summary, summary)
