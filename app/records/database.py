"""The journal's SQLite database, in a file or in memory: one connection writes, another one reads."""

import sqlite3
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.records.schema import migrate
from app.records.text_index import separate_characters, title_of

BUSY_S = 0.3
"""Seconds to wait for another program that has locked the file."""
PRIVATE = 0o600
"""Mode of the file and of SQLite's companion files: only the owner may read conversations."""
FILE_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "secure_delete = ON")
"""Commits survive a power cut (macOS needs fullfsync for that), and deleted content is overwritten."""
READERS_MS = 10_000
"""Milliseconds to wait for readers before the write-ahead log can be emptied."""
PRAGMAS = ("foreign_keys = ON", "temp_store = MEMORY")


@dataclass(frozen=True, slots=True)
class SqlWrite:
    """One SQL statement, executed for each of its rows."""

    sql: str
    rows: Sequence[tuple[object, ...]] = ((),)


class Database:
    """A database in the file `path`; None: in memory, where one connection reads and writes."""

    def __init__(self, path: Path | None, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._reading = threading.Lock()
        self._writing = self._reading if writer is reader else threading.Lock()
        self._file = _identity(path)

    def read(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return all result rows. Any thread may call it."""
        with self._reading:
            return self._reader.execute(sql, values).fetchall()

    def write(self, writes: Sequence[SqlWrite]) -> None:
        """Execute all writes in one transaction; if one fails, none takes effect."""
        with self._writing:
            self._refuse_if_gone()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                for write in writes:
                    self._writer.executemany(write.sql, write.rows)
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def copy_to(self, path: Path) -> None:
        path.touch(PRIVATE)
        with self._writing:
            self._writer.execute("VACUUM INTO ?", (str(path),))

    def settle(self, rewrite: bool = False) -> None:
        """Erase deleted content from disk: empty the write-ahead log, and with `rewrite` rewrite the file."""
        with self._writing:
            if rewrite:
                self._writer.execute("VACUUM")
            self._writer.execute(f"PRAGMA busy_timeout = {READERS_MS}")
            busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._writer.execute(f"PRAGMA busy_timeout = {int(BUSY_S * 1000)}")
        if busy:
            error = sqlite3.OperationalError("the log is still being read")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error

    def _refuse_if_gone(self) -> None:
        """Raise an error if the file was deleted, since SQLite would silently write to the deleted file."""
        if self._file is not None and _identity(self.path) != self._file:
            error = sqlite3.OperationalError("the file was deleted or moved")
            error.sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED
            raise error

    def close(self) -> None:
        """Close a file's connections. A database in memory stays open while another thread may read it."""
        if self.path is not None:
            with self._reading:
                self._reader.close()
            self._writer.close()


def _identity(path: Path | None) -> tuple[int, int] | None:
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found is not None else None


def open_file(path: Path) -> Database:
    """Migrate the file and open it; raises SQLite's errors."""
    path.touch(PRIVATE)
    writer = connect(path, FILE_PRAGMAS + PRAGMAS)
    try:
        migrate(writer)
        reader = connect(path, PRAGMAS, read_only=True)
    except BaseException:
        writer.close()
        raise
    return Database(path, writer, reader)


def open_memory() -> Database:
    connection = connect(None, PRAGMAS)
    migrate(connection)
    database = Database(None, connection, connection)
    weakref.finalize(database, connection.close).atexit = False
    return database


def connect(path: Path | None, pragmas: Sequence[str] = (), read_only: bool = False) -> sqlite3.Connection:
    """Connect, with Sluice's SQL functions and without automatic transactions."""
    name = ":memory:" if path is None else f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(name, BUSY_S, isolation_level=None, check_same_thread=False, uri=True)
    try:
        connection.create_function("spread", 1, separate_characters, deterministic=True)
        connection.create_function("title_of", 2, title_of, deterministic=True)
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


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
