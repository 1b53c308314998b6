"""The journal's file, or memory in its place: a connection that writes and one that reads, each used by turns."""

import sqlite3
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.records.schema import migrate
from app.records.text_index import spread, title_of

BUSY_S = 0.3
"""How long a program is waited for that has locked the file."""
PRIVATE = 0o600
"""What people say to their models is nobody else's: the file, and what SQLite puts beside it, is for its owner."""
FILE_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "secure_delete = ON")
"""What is committed survives a power cut (macOS has to be told twice), and what is deleted is overwritten."""
READERS_MS = 10_000
"""How long whoever reads the file is waited for before its log can be emptied."""
PRAGMAS = ("foreign_keys = ON", "temp_store = MEMORY")


@dataclass(frozen=True, slots=True)
class Write:
    """One statement for each of some rows."""

    sql: str
    rows: Sequence[tuple[object, ...]] = ((),)


class Database:
    """`path` None: in memory, where one connection does both."""

    def __init__(self, path: Path | None, writer: sqlite3.Connection, reader: sqlite3.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._reading = threading.Lock()
        self._writing = self._reading if writer is reader else threading.Lock()
        self._file = _identity(path)

    def read(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows at once, from any thread."""
        with self._reading:
            return self._reader.execute(sql, values).fetchall()

    def write(self, writes: Sequence[Write]) -> None:
        """All of them or, where one fails, none."""
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
        """The whole content into a new file."""
        path.touch(PRIVATE)
        with self._writing:
            self._writer.execute("VACUUM INTO ?", (str(path),))

    def settle(self, anew: bool = False) -> None:
        """Leave nothing deleted readable: the log goes into the file and is emptied; `anew` writes the file anew."""
        with self._writing:
            if anew:
                self._writer.execute("VACUUM")
            self._writer.execute(f"PRAGMA busy_timeout = {READERS_MS}")
            busy = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._writer.execute(f"PRAGMA busy_timeout = {int(BUSY_S * 1000)}")
        if busy:
            error = sqlite3.OperationalError("the log is still being read")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error

    def _refuse_if_gone(self) -> None:
        """SQLite would go on in the deleted file without a word, and all of it would be lost at the end."""
        if self._file is not None and _identity(self.path) != self._file:
            error = sqlite3.OperationalError("the file was deleted or moved")
            error.sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED
            raise error

    def close(self) -> None:
        """One in memory goes with the last who holds it: another thread may still read from it."""
        if self.path is not None:
            with self._reading:
                self._reader.close()
            self._writer.close()


def _identity(path: Path | None) -> tuple[int, int] | None:
    """Which file it is, whatever it is called; None where there is none."""
    try:
        found = path.stat() if path is not None else None
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found is not None else None


def open_file(path: Path) -> Database:
    """Bring the file up to date and open it; raises what SQLite does."""
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
    """A connection that knows our own functions and begins no transaction by itself."""
    name = ":memory:" if path is None else f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
    connection = sqlite3.connect(name, BUSY_S, isolation_level=None, check_same_thread=False, uri=True)
    try:
        connection.create_function("spread", 1, spread, deterministic=True)
        connection.create_function("title_of", 2, title_of, deterministic=True)
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection
