"""The journal: everything the user did, written as it happens, on a thread of its own."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from app.engine.types import Failure
from app.files.atomic_file import put_in_place
from app.records import failures
from app.records.database import Database, open_file
from app.records.journal_file import FILE, JournalLockedError, Lock, open_database
from app.records.journal_size import JournalSize, held_by
from app.records.purge import NONE, Expired, erase
from app.records.recording import RunRecorder
from app.records.runs import Runs
from app.records.sessions import Sessions
from app.records.store import Store
from app.records.studies import Studies
from app.records.types import JournalChange, Outcome, RunStart, SessionId, TurnId
from app.records.writer import Writer

Listener = Callable[[JournalChange], None]
MOVE_S = 600.0


class Journal:
    """Open it with `open_journal`. Text reaches the disk at most a quarter of a second after it came."""

    def __init__(self, folder: Path | None, outlived: Expired = NONE, patience_s: float = 0.0) -> None:
        self._listeners: list[Listener] = []
        database, self._lock, self._opening = open_database(folder, outlived, patience_s)
        self._writer = Writer(database, self._tell)
        self._store = Store(self._writer)
        self.sessions = Sessions(self._store)
        self.runs = Runs(self._store)
        self.studies = Studies(self._store)

    @property
    def failure(self) -> Failure | None:
        """Why nothing is kept at present, or why something was set aside, in a sentence, and what to do."""
        return self._writer.failure or self._opening

    @property
    def is_late(self) -> bool:
        """What came a second ago is not on the disk yet. No listener is called when that changes."""
        return self._writer.is_late

    @property
    def folder(self) -> Path | None:
        """Where it is kept; None while it is only in memory."""
        path = self._writer.database.path
        return path.parent if path is not None else None

    def dismiss(self) -> None:
        """The failure has been read. One that still keeps the journal from writing comes back by itself."""
        self._opening = None
        self._writer.dismiss()

    def listen(self, listener: Listener) -> None:
        """Call it after each change. It is called on the writer's thread: post to your own from there."""
        self._listeners.append(listener)

    def begin(self, session: SessionId, turn: TurnId, start: RunStart, begun: float | None = None) -> RunRecorder:
        """A run of the answer `turn` is sent: the first one, or a Continue. `begun`: when, if not now."""
        at = time.time() if begun is None else begun
        recorder = RunRecorder(self._writer, self._store.number("run"), session, turn, start, at)
        self._writer.open(recorder, start)
        return recorder

    def flush(self, seconds: float = 5.0) -> bool:
        """Wait until everything so far is on the disk; tells whether it is. One that is closed keeps nobody waiting."""
        written = threading.Event()
        return self._writer.do(written.set) and written.wait(seconds) and self._writer.settle(seconds)

    def save_elsewhere(self, folder: Path) -> Outcome:
        """Put everything into another folder and go on there. Waits for the disk: not on the window's thread."""
        late = failures.not_saved(folder, TimeoutError("the disk is too slow"))
        return self._in_its_turn(partial(self._move, folder), late)()

    def erase(self) -> Callable[[], Outcome]:
        """Delete all sessions and runs for good, deleted ones too, but none that are begun after this call.

        What comes back waits for the disk: call it elsewhere than on the window's thread.
        """
        path = self._writer.database.path
        return self._in_its_turn(self._erase, failures.not_erased(path, TimeoutError("the disk is too slow")))

    def held(self) -> JournalSize:
        """What is kept, and what it takes. Long for a long journal: not on the window's thread."""
        return held_by(self._writer.database)

    def close(self, seconds: float | None = None) -> bool:
        """Write the rest, close the file and end the thread; whether all is on the disk, after so long at the most.

        Nobody hears of it any more: a thread that hangs may go on when who listened is gone.
        """
        written = self._writer.close(self._release, seconds)
        self._listeners.clear()
        return written

    def _release(self) -> None:
        """On the writer's thread."""
        failure, lock, self._lock = self._writer.failure, self._lock, None
        if lock is not None:
            lock.release(well=failure is None or failure.kind != "damaged")

    def _in_its_turn(self, work: Callable[[], Outcome], late: Failure) -> Callable[[], Outcome]:
        """Done on the writer's thread, after all that was posted before; what comes back waits for it."""
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
        """On the writer's thread."""
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
        """On the writer's thread. The copy gets its name when it is whole."""
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
        self._go_on_with(new, lock)
        return None

    def _go_on_with(self, new: Database, lock: Lock) -> None:
        old, self._writer.database = self._writer.database, new
        old.close()
        if self._lock is not None:
            self._lock.release()
        self._lock, self._opening = lock, None
        self._writer.dismiss()
        self._tell(JournalChange.TROUBLE)

    def _tell(self, change: JournalChange) -> None:
        for listener in self._listeners:
            listener(change)


def unsaved_journal() -> Journal:
    """A journal in memory in place of one that takes too long to open; `failure` says so."""
    journal = Journal(None)
    journal._opening = failures.unsaved()
    return journal


def open_journal(folder: Path | None, outlived: Expired = NONE, patience_s: float = 0.0) -> Journal:
    """The journal in `folder`. Where that is not possible it goes on in memory, and `failure` says why.

    `folder` None: only in memory, and that is no failure. What is `outlived` goes for good before anything is read.
    Another instance that has the journal is waited for up to `patience_s`.
    """
    return Journal(folder, outlived, patience_s)
