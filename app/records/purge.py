"""Erasure of sessions: deleted ones after 30 days, old ones if the user wants that, or all."""

import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass

from app.records.database import Database, SqlWrite
from app.records.types import SessionId

KEPT_S = 30 * 24 * 3600.0
"""Seconds during which a deleted session can be restored."""
OLD = "pinned = 0 AND changed < ? AND id != ?"
SET_ASIDE = "{stem}.damaged-*"
# Deleted words stay in the index until its parts are merged.
MERGE = tuple(SqlWrite(f"INSERT INTO {words} ({words}) VALUES ('optimize')") for words in ("turn_words", "title_words"))
EMPTY = tuple(
    SqlWrite(f"INSERT INTO {words} ({words}) VALUES ('delete-all')") for words in ("turn_words", "title_words")
)


@dataclass(frozen=True, slots=True)
class ExpiredSessions:
    """Selection of sessions last changed before a time, except pinned ones and the open session."""

    before: float = 0.0
    """In seconds since 1970."""
    open_session: SessionId = 0

    @property
    def values(self) -> tuple[float, SessionId]:
        return self.before, self.open_session


NONE = ExpiredSessions()


def purge(database: Database, expired: ExpiredSessions = NONE, now: float | None = None) -> None:
    """Erase sessions that were deleted long ago, and expired ones."""
    before = (time.time() if now is None else now) - KEPT_S
    condition, values = f"deleted < ? OR ({OLD})", (before, *expired.values)
    if database.read(f"SELECT 1 FROM session WHERE {condition} LIMIT 1", values):
        database.write([SqlWrite(f"DELETE FROM session WHERE {condition}", [values]), *MERGE])
        with suppress(sqlite3.OperationalError):  # the file is being read: the log is emptied another time
            database.settle()


def erase(database: Database) -> None:
    """Erase all content, also damaged files; nothing stays readable in the files."""
    database.write([SqlWrite("DELETE FROM session"), SqlWrite("DELETE FROM study"), *EMPTY])
    database.settle(rewrite=True)
    if database.path is not None:
        for aside in database.path.parent.glob(SET_ASIDE.format(stem=database.path.stem)):
            with suppress(FileNotFoundError):
                aside.unlink()
