"""What sessions and runs share: reads that never raise, the writer, and the numbers that are free."""

import sqlite3
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypeVar

from app.records import failures
from app.records.database import Database
from app.records.types import RunId
from app.records.writer import Writer

NUMBERED = ("session", "turn", "run", "study")
Made = TypeVar("Made")


class Store:
    """Numbers are given out here, so that whoever makes something knows its number before it is written."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self._unread: set[RunId] = set()
        self._numbers = {table: count(last + 1) for table, last in highest_numbers(writer.database).items()}

    def number(self, table: str) -> int:
        """A number that no session, turn, run or study has."""
        return next(self._numbers[table])

    def read(self, sql: str, values: Sequence[object] = (), settled: bool = True) -> list[Any]:
        """All rows, with the changes that were asked for before; none where the file can't be read.

        Not `settled`: as it is written now. Whoever is told of each change need not wait for the next one.
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
        """What is made of these rows and of others that belong to them, anew where they have changed meanwhile."""
        rows = self.read(sql, values)
        made = make(rows)
        while (again := self.read(sql, values, settled=False)) != rows:
            rows, made = again, make(again)
        return made

    def tell_unread(self, run: RunId, error: Exception) -> None:
        """Nobody can read any more what was kept of this run. It is told once."""
        if run not in self._unread:
            self._unread.add(run)
            self.writer.tell(failures.unread(error))


def highest_numbers(database: Database) -> dict[str, int]:
    """The highest number of a session, a turn, a run and a study."""
    return {table: database.read(f"SELECT coalesce(max(id), 0) FROM {table}")[0][0] for table in NUMBERED}
