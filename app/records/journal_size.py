"""Counts and sizes of a journal."""

from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.records.database import Database, connect

COUNTS = "SELECT count(*), count(deleted) FROM session"
RUNS = "SELECT count(*), coalesce(sum(tokens), 0) FROM run"
TEXTS = ("texts", "observed", "text", "reasoning")
BLOBS = ("ids", "times", "drafts")
_LENGTHS = (*(f"length({blob})" for blob in BLOBS), *(f"coalesce(length(CAST({text} AS BLOB)), 0)" for text in TEXTS))
Query = Callable[[str], Any]
TRACES = f"SELECT coalesce(sum({' + '.join(_LENGTHS)}), 0) FROM batch"


@dataclass(frozen=True, slots=True)
class JournalSize:
    """Numbers of listed sessions, of deleted ones that can be restored, of runs and of tokens; sizes in bytes."""

    sessions: int = 0
    deleted: int = 0
    runs: int = 0
    tokens: int = 0
    traces: int = 0
    """Bytes of token traces."""
    files: int = 0
    """Bytes of the journal's files; 0: in memory."""


def size_of_journal(database: Database) -> JournalSize:
    """Measure a journal, on a separate connection, so that other reads don't wait."""
    if database.path is None:
        return _count(lambda sql: database.read(sql)[0], 0)
    with closing(connect(database.path, read_only=True)) as connection:
        return _count(lambda sql: connection.execute(sql).fetchone(), size_of(database.path))


def size_of(journal: Path) -> int:
    """Return the bytes of the database file, of SQLite's companion files, and of damaged files."""
    total = 0
    for path in journal.parent.glob(f"{journal.stem}.*"):
        with suppress(OSError):
            total += path.stat().st_size
    return total


def _count(ask: Query, files: int) -> JournalSize:
    everything, deleted = ask(COUNTS)
    runs, tokens = ask(RUNS)
    return JournalSize(everything - deleted, deleted, runs, tokens, ask(TRACES)[0], files)
