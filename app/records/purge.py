"""Takes sessions out for good: deleted ones after weeks, old ones where the user wants that, or all there are."""

import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass

from app.records.database import Database, Write
from app.records.types import SessionId

KEPT_S = 30 * 24 * 3600.0
"""So long after Delete a session can still be brought back."""
OLD = "pinned = 0 AND changed < ? AND id != ?"
SET_ASIDE = "{stem}.damaged-*"
# Deleted words stay in the index until its parts are merged.
MERGE = tuple(Write(f"INSERT INTO {words} ({words}) VALUES ('optimize')") for words in ("turn_words", "title_words"))
EMPTY = tuple(Write(f"INSERT INTO {words} ({words}) VALUES ('delete-all')") for words in ("turn_words", "title_words"))


@dataclass(frozen=True, slots=True)
class Expired:
    """Sessions that were last changed before this moment, but no pinned one and not the one that is `kept`."""

    before: float = 0.0
    """In seconds since 1970."""
    kept: SessionId = 0

    @property
    def values(self) -> tuple[float, SessionId]:
        """What `OLD` asks for."""
        return self.before, self.kept


NONE = Expired()


def purge(database: Database, outlived: Expired = NONE, now: float | None = None) -> None:
    """What was deleted long ago, and what the user was told of before."""
    before = (time.time() if now is None else now) - KEPT_S
    gone, values = f"deleted < ? OR ({OLD})", (before, *outlived.values)
    if database.read(f"SELECT 1 FROM session WHERE {gone} LIMIT 1", values):
        database.write([Write(f"DELETE FROM session WHERE {gone}", [values]), *MERGE])
        with suppress(sqlite3.OperationalError):  # somebody reads the file: the log is emptied another time
            database.settle()


def erase(database: Database) -> None:
    """Everything, and what was set aside of a damaged file; nothing of it can be read in the files any more."""
    database.write([Write("DELETE FROM session"), Write("DELETE FROM study"), *EMPTY])
    database.settle(anew=True)
    if database.path is not None:
        for aside in database.path.parent.glob(SET_ASIDE.format(stem=database.path.stem)):
            with suppress(FileNotFoundError):
                aside.unlink()
