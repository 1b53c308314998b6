"""The session database: all sessions and runs, written at once by a separate thread."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from app.engine.types import Failure
from app.files.regular_files import put_in_place
from app.records import failures
from app.records.database import Database, JournalSize, open_file, size_of_journal
from app.records.journal_file import FILE, JournalLockedError, Lock, open_database
from app.records.purge import NONE, ExpiredSessions, erase
from app.records.recording import RunRecorder
from app.records.runs import Runs
from app.records.sessions import Sessions
from app.records.store import Store
from app.records.studies import Studies
from app.records.types import JournalChange, Outcome, RunStart, SessionId, TurnId
from app.records.writer import JournalWriter

Listener = Callable[[JournalChange], None]
MOVE_S = 600.0


class Journal:
    """The session database; `open_journal` creates it. New text is on disk within 0.25 s."""

    def __init__(self, folder: Path | None, expired: ExpiredSessions = NONE, patience_s: float = 0.0) -> None:
        self._listeners: list[Listener] = []
        database, self._lock, self._opening = open_database(folder, expired, patience_s)
        self._writer = JournalWriter(database, self._tell)
        self._store = Store(self._writer)
        self.sessions = Sessions(self._store)
        self.runs = Runs(self._store)
        self.studies = Studies(self._store)

    @property
    def failure(self) -> Failure | None:
        """The current failure to save, or the message about a file that was set aside; None without a problem."""
        return self._writer.failure or self._opening

    @property
    def is_late(self) -> bool:
        """Whether the text of a second ago isn't on disk yet. Listeners aren't called for this."""
        return self._writer.is_late

    @property
    def folder(self) -> Path | None:
        """The folder of the file; None if the journal is in memory."""
        path = self._writer.database.path
        return path.parent if path is not None else None

    def listen(self, listener: Listener) -> None:
        """Call `listener` after each change, on the writer's thread."""
        self._listeners.append(listener)

    def begin(self, session: SessionId, turn: TurnId, start: RunStart, begun: float | None = None) -> RunRecorder:
        """Record a run of the answer `turn`: its first one, or a Continue. `begun`: seconds since 1970; None: now."""
        at = time.time() if begun is None else begun
        recorder = RunRecorder(self._writer, self._store.number("run"), session, turn, start, at)
        self._writer.open(recorder, start)
        return recorder

    def flush(self, seconds: float = 5.0) -> bool:
        """Wait until all previous changes are on disk; return whether they are. Returns at once if closed."""
        written = threading.Event()
        return self._writer.do(written.set) and written.wait(seconds) and self._writer.settle(seconds)

    def save_elsewhere(self, folder: Path) -> Outcome:
        """Move the journal to another folder. Waits for the disk: don't call it on the UI thread."""
        late = failures.not_saved(folder, TimeoutError("the disk is too slow"))
        return self._on_writer(partial(self._move, folder), late)()

    def erase(self) -> Callable[[], Outcome]:
        """Erase all sessions and runs, deleted ones too, except those created after this call.

        The returned function waits for the disk: don't call it on the UI thread.
        """
        path = self._writer.database.path
        return self._on_writer(self._erase, failures.not_erased(path, TimeoutError("the disk is too slow")))

    def size(self) -> JournalSize:
        """Return counts and sizes of the stored content. Slow for a large database: don't call it on the UI thread."""
        return size_of_journal(self._writer.database)

    def close(self, seconds: float | None = None) -> bool:
        """Write pending changes, close the file and end the thread; return whether that succeeded within `seconds`.

        Then the listeners are removed, since a hanging thread may run on after their owners are deleted.
        """
        written = self._writer.close(self._release, seconds)
        self._listeners.clear()
        return written

    def _release(self) -> None:
        """Run on the writer's thread."""
        failure, lock, self._lock = self._writer.failure, self._lock, None
        if lock is not None:
            lock.release(well=failure is None or failure.kind != "damaged")

    def _on_writer(self, work: Callable[[], Outcome], late: Failure) -> Callable[[], Outcome]:
        """Run `work` on the writer's thread, after all earlier changes. The returned function waits for it."""
        outcome: list[Outcome] = []
        done = threading.Event()

        def do() -> None:
            outcome.append(work())
            done.set()

        def wait() -> Outcome:
            done.wait(MOVE_S)
            return outcome[0] if outcome else late

        if not self._writer.do(do):
            done.set()
        return wait

    def _erase(self) -> Outcome:
        """Run on the writer's thread."""
        database = self._writer.database
        try:
            erase(database)
        except (sqlite3.Error, OSError) as error:
            return failures.not_erased(database.path, error)
        finally:
            for change in (JournalChange.SESSIONS, JournalChange.RUNS):
                self._tell(change)
        return None

    def _move(self, folder: Path) -> Outcome:
        """Copy the database to another folder, on the writer's thread. The copy is renamed when it is complete."""
        path, unfinished = folder / FILE, folder / f"{FILE}.new"
        lock = None
        try:
            lock = Lock(folder)
            if path.exists():
                lock.release()
                return failures.occupied(folder)
            unfinished.unlink(missing_ok=True)
            self._writer.database.copy_to(unfinished)
            put_in_place(unfinished, path)
            new = open_file(path)
        except JournalLockedError:
            return failures.occupied(folder)
        except (sqlite3.Error, OSError) as error:
            if lock is not None:
                with suppress(OSError):
                    unfinished.unlink(missing_ok=True)
                lock.release()
            return failures.not_saved(folder, error)
        self._switch_to(new, lock)
        return None

    def _switch_to(self, new: Database, lock: Lock) -> None:
        old, self._writer.database = self._writer.database, new
        old.close()
        if self._lock is not None:
            self._lock.release()
        self._lock, self._opening, self._writer.failure = lock, None, None
        self._tell(JournalChange.TROUBLE)

    def _tell(self, change: JournalChange) -> None:
        for listener in self._listeners:
            listener(change)


def unsaved_journal() -> Journal:
    """Return a journal in memory, to replace one that takes too long to open; `failure` says so."""
    journal = Journal(None)
    journal._opening = failures.unsaved()
    return journal


def open_journal(folder: Path | None, expired: ExpiredSessions = NONE, patience_s: float = 0.0) -> Journal:
    """Open the journal in `folder`. If that fails, it is in memory, and `failure` has the reason.

    `folder` None: in memory, without a failure. `expired` sessions are erased before the first read. Waits up to
    `patience_s` seconds for another instance to close the journal.
    """
    return Journal(folder, expired, patience_s)
