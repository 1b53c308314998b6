"""The journal's tables, made in steps of statements, taken in order; a file says how many it has behind it."""

import sqlite3
from collections.abc import Sequence
from itertools import chain

from app.records.schema.first import V1
from app.records.schema.later import V2, V3, V4, V5, V6

STEPS: tuple[tuple[str, ...], ...] = (V1, V2, V3, V4, V5, V6)
APPLICATION_ID = 0x534C4943
"""“SLIC”, in the header of each of our files."""


class NewerError(Exception):
    """The file was written by a later version of the program."""


def version_of(connection: sqlite3.Connection) -> int:
    """How many steps the file has behind it; 0: it is new."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[Sequence[str]] = STEPS) -> None:
    """Bring the tables up to date: all steps that are missing or, where one fails, none."""
    version = version_of(connection)
    if version > len(steps):
        raise NewerError(f"schema {version}")
    if version == len(steps):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in chain.from_iterable(steps[version:]):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
