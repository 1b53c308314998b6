"""Common base of sessions, runs and evaluations: reads that never raise, and new ids."""

import sqlite3
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypeVar

from app.records import failures
from app.records.database import Database
from app.records.types import RunId
from app.records.writer import JournalWriter

NUMBERED = ("session", "turn", "run", "study")
Made = TypeVar("Made")


class Store:
    """Reading of the database, and new ids, which are known before their rows are written."""

    def __init__(self, writer: JournalWriter) -> None:
        self.writer = writer
        self._unread: set[RunId] = set()
        self._numbers = {table: count(last + 1) for table, last in highest_numbers(writer.database).items()}

    def number(self, table: str) -> int:
        return next(self._numbers[table])

    def read(self, sql: str, values: Sequence[object] = (), settled: bool = True) -> list[Any]:
        """Return all result rows; empty if the file can't be read.

        `settled`: wait for pending changes first. Listeners of changes pass False.
        """
        if settled:
            self.writer.settle()
        database = self.writer.database
        try:
            return database.read(sql, values)
        except sqlite3.Error as error:
            if self.writer.database is not database:  # it has just moved to another folder
                return self.read(sql, values, settled)
            self.writer.trouble(error)
            return []

    def read_steady(self, sql: str, values: Sequence[object], make: Callable[[list[Any]], Made]) -> Made:
        """Read rows and return `make(rows)`, which may read related rows; repeat both if the rows changed meanwhile."""
        rows = self.read(sql, values)
        made = make(rows)
        while (again := self.read(sql, values, settled=False)) != rows:
            rows, made = again, make(again)
        return made

    def report_unread(self, run: RunId, error: Exception) -> None:
        """Report a run as unreadable, once."""
        if run not in self._unread:
            self._unread.add(run)
            self.writer.tell(failures.unread(error))


def highest_numbers(database: Database) -> dict[str, int]:
    return {table: database.read(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0] for table in NUMBERED}
