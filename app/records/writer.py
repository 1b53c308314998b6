"""The writer thread: it writes queued changes to the database several times a second."""

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from app.engine.types import Event, Failure, Finish
from app.records import failures
from app.records.database import Database, SqlWrite
from app.records.types import JournalChange, RunStart

BATCH_S = 0.2
"""Seconds between writes during a run; the guarantee is 0.25 s."""
RETRY_S = 1.0
"""Seconds between retries after a failure."""
LATE_S = 0.8
"""Seconds after which a batch counts as late: text that is a second old is then not on disk."""
SETTLE_S = 0.03
"""Seconds that a read waits for earlier changes; listeners report later ones."""


RunEvent = RunStart | Event | Finish
"""The events of a run, in this order."""


class RunEventWriter(Protocol):
    """Interface that converts a run's events to writes, on the writer's thread."""

    def fold(self, events: list[RunEvent]) -> list[SqlWrite]:
        """Convert events to database writes."""

    @property
    def over(self) -> bool:
        """Whether the run has ended."""


@dataclass(frozen=True, slots=True)
class PendingWrites:
    writes: tuple[SqlWrite, ...]
    change: JournalChange | None


Job = Callable[[], None]
Entry = tuple[RunEventWriter, RunEvent] | PendingWrites | Job


class JournalWriter:
    """Writes everything from one queue, in order."""

    def __init__(self, database: Database, tell: Callable[[JournalChange], None]) -> None:
        self.database = database
        self.failure: Failure | None = None
        """The failure that prevents or prevented writing; None without one."""
        self._tell = tell
        self._queue: deque[Entry] = deque()
        self._put = self._queue.append
        self._wake = threading.Event()
        self._settled = threading.Condition()
        self._posted = 0
        self._done = 0
        self._taken = 0
        self._pending: list[SqlWrite] = []
        self._changes: set[JournalChange] = set()
        self._open: set[RunEventWriter] = set()
        self._closing = False
        self._last: Job = _nothing
        self.stuck = False
        """Whether pending changes can't be written at present."""
        self._began: float | None = None
        """Monotonic start of the current batch; None: nothing is being written."""
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def open(self, recording: RunEventWriter, start: RunStart) -> None:
        """Write a run's events several times a second until it ends."""
        self._open.add(recording)
        self.put(recording, start)
        self.post((), JournalChange.RUNS)

    def put(self, recording: RunEventWriter, event: RunEvent) -> None:
        """Queue an event, from any thread."""
        self._put((recording, event))

    def post(self, writes: Iterable[SqlWrite], change: JournalChange | None = JournalChange.SESSIONS) -> None:
        """Queue writes, and the change to report to listeners."""
        self.do(PendingWrites(tuple(writes), change))

    def do(self, entry: PendingWrites | Job) -> bool:
        """Queue an entry; return False after `close`."""
        with self._settled:
            if self._closing:
                return False
            self._posted += 1
            self._put(entry)
        self._wake.set()
        return True

    def wake(self) -> None:
        """Write at once, because the end of a run is in the queue."""
        self._wake.set()

    @property
    def is_late(self) -> bool:
        """Whether the current batch takes longer than `LATE_S`, because the disk is slow or hangs."""
        began = self._began
        return began is not None and time.monotonic() - began > LATE_S

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until earlier changes are written; return at once if the writer is stuck, or on its own thread."""
        if threading.current_thread() is self._thread:
            return True
        with self._settled:
            wanted = self._posted
            if not self.stuck:
                self._settled.wait_for(lambda: self._done >= wanted, SETTLE_S if seconds is None else seconds)
            return self._done >= wanted

    def trouble(self, error: sqlite3.Error) -> None:
        self.tell(failures.not_read(self.database.path, error))

    def tell(self, failure: Failure) -> None:
        """Report a failure to the listeners, from any thread."""
        self.failure = failure
        self._changes.add(JournalChange.TROUBLE)
        self._wake.set()

    def close(self, last: Job, seconds: float | None = None) -> bool:
        """Write pending changes, close the database and call `last`; return whether all is written in time."""
        with self._settled:
            if not self._closing:
                self._last, self._closing = last, True
        self._wake.set()
        self._thread.join(seconds)
        return not (self._thread.is_alive() or self._pending)

    def _run(self) -> None:
        closing = False
        while not closing:
            self._wake.wait(self._patience())
            self._wake.clear()
            closing = self._closing
            self._began = time.monotonic()
            if self._queue or self._pending:
                _run_safely(partial(self._tell, JournalChange.WRITING))
            self._collect()
            self._commit()
            self._began = None
        _run_safely(self.database.close)
        _run_safely(self._last)

    def _patience(self) -> float | None:
        if self._pending:
            return RETRY_S
        return BATCH_S if self._open or self._queue else None

    def _collect(self) -> None:
        for entry in self._drain():
            if isinstance(entry, PendingWrites):
                self._pending += entry.writes
                if entry.change is not None:
                    self._changes.add(entry.change)
                self._taken += 1
            elif isinstance(entry, tuple):
                self._fold(*entry)
            else:
                self._commit()
                _run_safely(entry)
                self._taken += 1

    def _drain(self) -> Iterator[PendingWrites | Job | tuple[RunEventWriter, list[RunEvent]]]:
        """Yield the queued entries; consecutive events of a run are one list."""
        recording: RunEventWriter | None = None
        events: list[RunEvent] = []
        for _ in range(len(self._queue)):
            entry = self._queue.popleft()
            if isinstance(entry, tuple) and entry[0] is recording:
                events.append(entry[1])
                continue
            if recording is not None:
                yield recording, events
                recording = None
            if isinstance(entry, tuple):
                recording, events = entry[0], [entry[1]]
            else:
                yield entry
        if recording is not None:
            yield recording, events

    def _fold(self, recording: RunEventWriter, events: list[RunEvent]) -> None:
        try:
            self._pending += recording.fold(events)
        except Exception as error:
            self.failure = failures.left_out(error)
            self._changes.add(JournalChange.TROUBLE)
        if recording.over:
            self._open.discard(recording)
            self._changes |= {JournalChange.SESSIONS, JournalChange.RUNS}

    def _commit(self) -> None:
        """Write the pending changes; those that fail stay pending."""
        before = self.failure
        try:
            if self._pending:
                self.database.write(self._pending)
                self._pending = []
                self._clear_failure()
        except Exception as error:
            if not self._blocks_writing(error):
                self._commit_singly()
        if self.failure != before:
            self._changes.add(JournalChange.TROUBLE)
        with self._settled:
            if not self._pending:
                self._done = self._taken
            self._settled.notify_all()
        self._notify()

    def _clear_failure(self) -> None:
        """Clear the failure of a stuck writer; other failures stay until the user dismisses them."""
        if self.stuck:
            self.stuck = False
            self.failure = None

    def _commit_singly(self) -> None:
        """Write the changes one by one, and drop those that fail."""
        while self._pending:
            try:
                self.database.write(self._pending[:1])
            except Exception as error:
                if self._blocks_writing(error):
                    return
                self.failure = failures.left_out(error)
            else:
                self._clear_failure()
            del self._pending[0]

    def _blocks_writing(self, error: Exception) -> bool:
        """Return whether the file and not the change caused the error; if so, mark the writer as stuck."""
        if not isinstance(error, sqlite3.Error) or not failures.kind_of(error):
            return False
        self.stuck = True
        self.failure = failures.not_written(self.database.path, error)
        return True

    def _notify(self) -> None:
        if not self._pending or JournalChange.TROUBLE in self._changes:
            changes, self._changes = self._changes, set()
            for change in sorted(changes):
                _run_safely(partial(self._tell, change))


def _nothing() -> None:
    pass


def _run_safely(job: Job) -> None:
    """Run a job; report an error as unhandled, without raising it."""
    try:
        job()
    except Exception as error:
        details = (type(error), error, error.__traceback__, threading.current_thread())
        threading.excepthook(threading.ExceptHookArgs(details))
