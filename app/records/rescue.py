"""Sets a damaged journal aside, untouched, and puts what can still be read of it into a new one."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from app.records.database import PRIVATE, connect
from app.records.schema import APPLICATION_ID, STEPS, version_of
from app.words import tr

TABLES = ("session", "turn", "run", "detail", "batch")
FURTHEST = 2**40
SHORT_STEPS = 1000
"""More rows than a torn page has."""
COMPANIONS = ("-wal", "-shm")
FOUND = """INSERT INTO session (id, title, named, created, changed, settings)
       SELECT DISTINCT session, ?, 1, strftime('%s') + 0.0, strftime('%s') + 0.0, '{}' FROM turn
       WHERE session NOT IN (SELECT id FROM session)"""
"""Turns whose session is lost get one again."""
LOST = (
    "DELETE FROM run WHERE turn NOT IN (SELECT id FROM turn) OR id NOT IN (SELECT run FROM detail)",
    "DELETE FROM detail WHERE run NOT IN (SELECT id FROM run)",
    "DELETE FROM batch WHERE run NOT IN (SELECT id FROM run)",
)
"""What belongs to nothing else goes."""


def rescue(path: Path) -> tuple[Path, int]:
    """Where the damaged file is now, and how many sessions the new one has."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.touch(PRIVATE)
    new = connect(fresh)
    try:
        with suppress(sqlite3.DatabaseError):
            _copy(path, new)
        sessions = _count(new)
    finally:
        new.close()
    aside = _set_aside(path)
    fresh.replace(path)
    return aside, sessions


def _set_aside(path: Path) -> Path:
    stamp = time.strftime("%Y-%m-%d")
    for number in count(1):
        aside = path.with_name(f"{path.stem}.damaged-{stamp}-{number}{path.suffix}")
        if not aside.exists():
            break
    for companion in COMPANIONS:
        with suppress(FileNotFoundError):
            path.with_name(path.name + companion).rename(aside.with_name(aside.name + companion))
    return path.rename(aside)


def _copy(damaged: Path, new: sqlite3.Connection) -> None:
    old = connect(damaged, read_only=True)
    try:
        version = version_of(old)
        new.execute("BEGIN")
        for step in STEPS[:version]:
            step(new)
        for table in TABLES:
            with suppress(sqlite3.OperationalError):  # an earlier schema may not have it
                _copy_table(old, new, table)
        new.execute(FOUND, (tr("Recovered"),))
        for statement in LOST:
            new.execute(statement)
        new.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        new.execute(f"PRAGMA user_version = {version}")
        new.execute("COMMIT")
    finally:
        old.close()


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> None:
    columns = [column[1] for column in new.execute(f"PRAGMA table_info({table})")]
    names = ", ".join(columns)
    marks = ", ".join("?" * len(columns))
    for row in _readable(old, f"SELECT rowid, {names} FROM {table} WHERE rowid > ? ORDER BY rowid"):
        with suppress(sqlite3.Error):
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


def _count(connection: sqlite3.Connection) -> int:
    try:
        found: int = connection.execute("SELECT count(*) FROM session").fetchone()[0]
    except sqlite3.DatabaseError:
        return 0
    return found
