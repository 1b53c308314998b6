"""Rescue of a damaged journal: it is set aside, unchanged, and its readable rows are copied into a new one.

The new file is renamed when it is complete. If the process is killed after that, the next start completes the exchange:
the file's name contains the damaged file's new name.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, count
from pathlib import Path

from app.files.atomic_file import put_in_place, sync_folder
from app.i18n import tr
from app.records import failures
from app.records.database import PRIVATE, connect
from app.records.schema import APPLICATION_ID, STEPS, version_of

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


def rescue(path: Path) -> Path:
    """Rescue the journal; return the damaged file's new path."""
    fresh = path.with_name(f"{path.name}.new")
    for name in ("", *COMPANIONS):  # of an interrupted rescue
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


def finish_rescue(path: Path) -> Path | None:
    """Complete an interrupted rescue; return the damaged file's path, or None if there was none."""
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
