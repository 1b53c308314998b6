"""Sets a damaged journal aside, untouched, and puts what can still be read of it into a new one.

What was rescued gets a name of its own when it is whole. From then on the exchange can be gone on with, whichever step
it died at: the name says so at the next start, and also what the damaged file is called.
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
FURTHEST = 2**40
SHORT_STEPS = 1000
"""More rows than a torn page has."""
COMPANIONS = ("-wal", "-shm", "-journal")
RESCUED = ".rescued"
"""Stands behind the name that the damaged file is to have."""
FOUND = """INSERT INTO session (id, title, named, created, changed, settings)
       SELECT DISTINCT session, ?, 1, strftime('%s') + 0.0, strftime('%s') + 0.0, '{}' FROM turn
       WHERE session NOT IN (SELECT id FROM session)"""
"""Turns whose session is lost get one again."""
LOST = (
    "DELETE FROM run WHERE turn NOT IN (SELECT id FROM turn) OR id NOT IN (SELECT run FROM detail)",
    "DELETE FROM detail WHERE run NOT IN (SELECT id FROM run)",
    "DELETE FROM batch WHERE run NOT IN (SELECT id FROM run)",
    "DELETE FROM study_run WHERE run NOT IN (SELECT id FROM run) OR study NOT IN (SELECT id FROM study)",
    "DELETE FROM vote WHERE study NOT IN (SELECT id FROM study)",
)
"""What belongs to nothing else goes."""


def rescue(path: Path) -> Path:
    """Where the damaged file is now."""
    fresh = path.with_name(f"{path.name}.new")
    for name in ("", *COMPANIONS):  # of a rescue that died
        fresh.with_name(fresh.name + name).unlink(missing_ok=True)
    fresh.touch(PRIVATE)
    new = connect(fresh)
    try:
        with _what_there_is():
            _copy(path, new)
    except sqlite3.Error:
        fresh.unlink()  # the room that it took is wanted
        raise
    finally:
        new.close()
    aside = _free_name(path)
    rescued = aside.with_name(aside.name + RESCUED)
    put_in_place(fresh, rescued)
    return _exchange(path, rescued)


def finish_rescue(path: Path) -> Path | None:
    """Go on with a rescue that died when all was read: where the damaged file is now; None: there was none."""
    left = sorted(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}{RESCUED}"))
    return _exchange(path, left[0]) if left else None


def _exchange(path: Path, rescued: Path) -> Path:
    """Some of it may have been done before."""
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
            with _what_there_is():  # an earlier schema may not have it
                _copy_table(old, new, table)
        new.execute(FOUND, (tr("Recovered"),))
        for statement in LOST:
            with _what_there_is():
                new.execute(statement)
        new.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        new.execute(f"PRAGMA user_version = {version}")
        new.execute("COMMIT")


@contextmanager
def _what_there_is() -> Iterator[None]:
    """What fails is left out; but where there is no room for the rest of it, it is not given up."""
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
        with _what_there_is():
            new.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})", row[1:])


def _readable(old: sqlite3.Connection, sql: str) -> Iterator[tuple[object, ...]]:
    """The rows, with steps over what can't be read: short ones first, then ever longer leaps."""
    last, leap, steps = -1, 1, 0
    while leap < FURTHEST:
        try:
            for row in old.execute(sql, (last,)):
                yield row
                last, leap, steps = row[0], 1, 0
            return
        except sqlite3.DatabaseError:
            last += leap
            steps += 1
            if steps > SHORT_STEPS:
                leap *= 2
