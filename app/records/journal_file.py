"""Opening of the session database in any state; if all else fails, in memory.

A damaged file is set aside, unchanged, and its readable rows are copied into a new one, which is renamed when it is
complete. If the process is killed after that, the next start completes the exchange: the file's name contains the
damaged file's new name.
"""

import fcntl
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import IO

from app.engine.meter.meter import Summary
from app.engine.meter.speeds import gaps
from app.engine.types import Failure
from app.files import json_values, regular_files
from app.files.regular_files import put_in_place, sync_folder
from app.i18n import tr
from app.records import failures
from app.records.columns import unpack_times
from app.records.database import PRIVATE, Database, SqlWrite, connect, open_file, open_memory
from app.records.purge import NONE, ExpiredSessions, purge
from app.records.schema import APPLICATION_ID, STEPS, NewerError, version_of
from app.records.store import highest_numbers
from app.records.types import RunId, RunState, TurnId

TABLES = ("session", "turn", "run", "detail", "batch", "study", "study_run", "vote")
MAX_STEP = 2**40
SHORT_STEPS = 1000
"""Number of skipped ids after which the steps grow: more rows than a page has."""
COMPANIONS = ("-wal", "-shm", "-journal")
RESCUED = ".rescued"
"""Suffix of the new file's name, which begins with the damaged file's new name."""
NEW_SESSIONS = """INSERT INTO session (id, title, named, created, changed, settings)
       SELECT DISTINCT session, ?, 1, strftime('%s') + 0.0, strftime('%s') + 0.0, '{}' FROM turn
       WHERE session NOT IN (SELECT id FROM session)"""
"""SQL that creates sessions for turns whose session is lost."""
ORPHANS = (
    "DELETE FROM run WHERE turn NOT IN (SELECT id FROM turn) OR id NOT IN (SELECT run FROM detail)",
    "DELETE FROM detail WHERE run NOT IN (SELECT id FROM run)",
    "DELETE FROM batch WHERE run NOT IN (SELECT id FROM run)",
    "DELETE FROM study_run WHERE run NOT IN (SELECT id FROM run) OR study NOT IN (SELECT id FROM study)",
    "DELETE FROM vote WHERE study NOT IN (SELECT id FROM study)",
)
"""SQL that deletes rows whose parents are lost."""


def recover_damaged_file(path: Path) -> Path:
    """Copy the readable rows of a damaged file into a new one, and set it aside; return its new path."""
    fresh = path.with_name(f"{path.name}.new")
    for name in ("", *COMPANIONS):  # of an interrupted recovery
        fresh.with_name(fresh.name + name).unlink(missing_ok=True)
    fresh.touch(PRIVATE)
    new = connect(fresh)
    try:
        with _skip_unreadable():
            _copy(path, new)
    except sqlite3.Error:
        fresh.unlink()  # frees its disk space
        raise
    finally:
        new.close()
    aside = _free_name(path)
    rescued = aside.with_name(aside.name + RESCUED)
    put_in_place(fresh, rescued)
    return _exchange(path, rescued)


def finish_recovery(path: Path) -> Path | None:
    """Complete an interrupted recovery; return the damaged file's path, or None if there was none."""
    left = sorted(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}{RESCUED}"))
    return _exchange(path, left[0]) if left else None


def _exchange(path: Path, rescued: Path) -> Path:
    """Exchange the files; an interrupted exchange is continued."""
    aside = rescued.with_name(rescued.name.removesuffix(RESCUED))
    for name in (*COMPANIONS, ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + name).rename(aside.with_name(aside.name + name))
    sync_folder(path.parent)
    put_in_place(rescued, path)
    return aside


def _free_name(path: Path) -> Path:
    stamp = time.strftime("%Y-%m-%d")
    names = (path.with_name(f"{path.stem}.damaged-{stamp}-{number}{path.suffix}") for number in count(1))
    return next(name for name in names if not name.exists())


def _copy(damaged: Path, new: sqlite3.Connection) -> None:
    with closing(connect(damaged, read_only=True)) as old:
        version = version_of(old)
        new.execute("BEGIN")
        for statement in chain.from_iterable(STEPS[:version]):
            new.execute(statement)
        for table in TABLES:
            with _skip_unreadable():  # an earlier schema may not have it
                _copy_table(old, new, table)
        new.execute(NEW_SESSIONS, (tr("Recovered"),))
        for statement in ORPHANS:
            with _skip_unreadable():
                new.execute(statement)
        new.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        new.execute(f"PRAGMA user_version = {version}")
        new.execute("COMMIT")


@contextmanager
def _skip_unreadable() -> Iterator[None]:
    """Ignore errors, except a full disk."""
    try:
        yield
    except sqlite3.Error as error:
        if failures.kind_of(error) == "full":
            raise


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> None:
    columns = [column[1] for column in new.execute(f"PRAGMA table_info({table})")]
    names = ", ".join(columns)
    marks = ", ".join("?" * len(columns))
    for row in _readable(old, f"SELECT rowid, {names} FROM {table} WHERE rowid > ? ORDER BY rowid"):
        with _skip_unreadable():
            new.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", row[1:])


def _readable(old: sqlite3.Connection, sql: str) -> Iterator[tuple[object, ...]]:
    """Yield the readable rows, skipping unreadable ones in steps that grow."""
    last, step_size, steps = -1, 1, 0
    while step_size < MAX_STEP:
        try:
            for row in old.execute(sql, (last,)):
                yield row
                last, step_size, steps = row[0], 1, 0
            return
        except sqlite3.DatabaseError:
            last += step_size
            steps += 1
            if steps > SHORT_STEPS:
                step_size *= 2


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
    folder: Path | None, expired: ExpiredSessions = NONE, patience_s: float = 0.0
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


def _open(path: Path, suspect: bool, expired: ExpiredSessions) -> tuple[Database, Failure | None]:
    """Open the file. A damaged file is set aside, as is a pipe or device at its path."""
    aside = finish_recovery(path)
    files = (path, *(path.with_name(path.name + companion) for companion in COMPANIONS))
    if odd := [gone for file in files if (gone := regular_files.set_aside(file)) is not None]:
        return _open_sound(path, suspect, expired), failures.was_odd(odd[0])
    try:
        database = _open_sound(path, suspect, expired)
    except sqlite3.DatabaseError as error:
        if failures.kind_of(error) != "damaged":
            raise
        aside = recover_damaged_file(path)
        database = _open_sound(path, False, expired)
    if aside is None:
        return database, None
    return database, failures.set_aside(aside, database.read("SELECT count(*) FROM session")[0][0])


def _open_sound(path: Path, suspect: bool, expired: ExpiredSessions) -> Database:
    try:
        _check(path, suspect)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
            raise
        _roll_back(path)
        _check(path, suspect)
    database = open_file(path)
    try:
        recover_interrupted_runs(database)
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


def recover_interrupted_runs(database: Database) -> None:
    """Mark the runs that a crash interrupted, and give them the text that is on disk.

    No other process may write: the caller holds the journal's lock.
    """
    writes = [write for run, turn in database.read(GOING) for write in _close(database, run, turn)]
    if writes:
        database.write(writes)


def _close(database: Database, run: RunId, turn: TurnId) -> list[SqlWrite]:
    batches = database.read(WRITTEN, (run,))
    text = "".join(batch[2] for batch in batches)
    reasoning = "".join(batch[3] for batch in batches)
    summary = _summary(database, run, batches)
    return [
        SqlWrite("UPDATE run SET state = ? WHERE id = ?", [(RunState.INTERRUPTED.value, run)]),
        SqlWrite(
            "UPDATE detail SET text = ?, reasoning = ?, summary = ? WHERE run = ?", [(text, reasoning, summary, run)]
        ),
        SqlWrite(
            "UPDATE turn SET text = text || ?, reasoning = reasoning || ? WHERE id = ?", [(text, reasoning, turn)]
        ),
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
