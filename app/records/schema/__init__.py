"""The journal's tables: one module for each step, applied in order; a file says how many it has behind it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from app.records.schema import v1, v2, v3, v4, v5, v6

Step = Callable[[sqlite3.Connection], None]

STEPS: tuple[Step, ...] = (v1.apply, v2.apply, v3.apply, v4.apply, v5.apply, v6.apply)
APPLICATION_ID = 0x534C4943
"""“SLIC”, in the header of each of our files."""


class NewerError(Exception):
    """The file was written by a later version of the program."""


def version_of(connection: sqlite3.Connection) -> int:
    """How many steps the file has behind it; 0: it is new."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> None:
    """Bring the tables up to date: all steps that are missing or, where one fails, none."""
    version = version_of(connection)
    if version > len(steps):
        raise NewerError(f"schema {version}")
    if version == len(steps):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in steps[version:]:
            step(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
