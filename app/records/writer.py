"""The one thread that writes: it takes what has come, a few times a second, and puts it into the database."""

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
from app.records.database import Database, Write
from app.records.types import JournalChange, RunStart

BATCH_S = 0.2
"""A run's tokens are written so often; the promise is a quarter of a second."""
RETRY_S = 1.0
"""So long after a failure it is tried again."""
LATE_S = 0.8
"""After so long in one batch, what came last is a second old and not on the disk."""
SETTLE_S = 0.03
"""A read waits at most so long for the changes before it; afterwards a listener is told of them."""


Happening = RunStart | Event | Finish
"""What a run consists of, in this order."""


class RunEventWriter(Protocol):
    """Makes writes of a run's events, on the writer's thread."""

    def fold(self, events: list[Happening]) -> list[Write]:
        """What is to be written of the events."""

    @property
    def over(self) -> bool:
        """Whether the last word was said."""


@dataclass(frozen=True, slots=True)
class PendingWrites:
    """Changes that were asked for from outside, to be written together."""

    writes: tuple[Write, ...]
    change: JournalChange | None


Job = Callable[[], None]
Entry = tuple[RunEventWriter, Happening] | PendingWrites | Job


class Writer:
    """Everything goes through one queue, so that it is written in the order in which it happened."""

    def __init__(self, database: Database, tell: Callable[[JournalChange], None]) -> None:
        self.database = database
        self.failure: Failure | None = None
        """Why what is waiting can't be written at present."""
        self._tell = tell
        self._queue: deque[Entry] = deque()
        self._put = self._queue.append
        self._wake = threading.Event()
        self._settled = threading.Condition()
        self._posted = 0
        self._done = 0
        self._taken = 0
        self._pending: list[Write] = []
        self._changes: set[JournalChange] = set()
        self._open: set[RunEventWriter] = set()
        self._closing = False
        self._last: Job = _nothing
        self.stuck = False
        """What is pending can't be written at present."""
        self._began: float | None = None
        """When the batch began that is being written now; None: nothing is being written."""
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def open(self, recording: RunEventWriter, start: RunStart) -> None:
        """From now on look into the queue several times a second, until the last word was said."""
        self._open.add(recording)
        self.put(recording, start)
        self.post((), JournalChange.RUNS)

    def put(self, recording: RunEventWriter, event: Happening) -> None:
        """From any thread, and done at once: the queue is looked at in a moment anyway."""
        self._put((recording, event))

    def post(self, writes: Iterable[Write], change: JournalChange | None = JournalChange.SESSIONS) -> None:
        """Write these as soon as possible, in this order."""
        self.do(PendingWrites(tuple(writes), change))

    def do(self, entry: PendingWrites | Job) -> bool:
        """Whether that will be: what comes after `close` is left out."""
        with self._settled:
            if self._closing:
                return False
            self._posted += 1
            self._put(entry)
        self._wake.set()
        return True

    def wake(self) -> None:
        """There is a last word in the queue: no need to wait for the next batch."""
        self._wake.set()

    @property
    def is_late(self) -> bool:
        """The batch that is being written takes longer than `LATE_S`: the disk is slow, or hangs."""
        began = self._began
        return began is not None and time.monotonic() - began > LATE_S

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until what was posted so far is written; not while nothing can be written, and not in a job."""
        if threading.current_thread() is self._thread:
            return True
        with self._settled:
            wanted = self._posted
            if not self.stuck:
                self._settled.wait_for(lambda: self._done >= wanted, SETTLE_S if seconds is None else seconds)
            return self._done >= wanted

    def trouble(self, error: sqlite3.Error) -> None:
        """A read has failed."""
        self.tell(failures.not_read(self.database.path, error))

    def tell(self, failure: Failure) -> None:
        """Of something that a read came upon, from any thread."""
        self.failure = failure
        self._changes.add(JournalChange.TROUBLE)
        self._wake.set()

    def dismiss(self) -> None:
        """The failure has been read."""
        self.failure = None

    def close(self, last: Job, seconds: float | None = None) -> bool:
        """Write the rest, if that is possible, close the database, then do this; whether all is written by then."""
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
                _outlive(partial(self._tell, JournalChange.WRITING))
            self._collect()
            self._commit()
            self._began = None
        _outlive(self.database.close)
        _outlive(self._last)

    def _patience(self) -> float | None:
        if self._pending:
            return RETRY_S
        return BATCH_S if self._open or self._queue else None

    def _collect(self) -> None:
        for entry in self._taken_entries():
            if isinstance(entry, PendingWrites):
                self._pending += entry.writes
                if entry.change is not None:
                    self._changes.add(entry.change)
                self._taken += 1
            elif isinstance(entry, tuple):
                self._fold(*entry)
            else:
                self._commit()
                _outlive(entry)
                self._taken += 1

    def _taken_entries(self) -> Iterator[PendingWrites | Job | tuple[RunEventWriter, list[Happening]]]:
        """What is in the queue, a run's events that follow each other as one list."""
        recording: RunEventWriter | None = None
        events: list[Happening] = []
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

    def _fold(self, recording: RunEventWriter, events: list[Happening]) -> None:
        try:
            self._pending += recording.fold(events)
        except Exception as error:
            self.failure = failures.left_out(error)
            self._changes.add(JournalChange.TROUBLE)
        if recording.over:
            self._open.discard(recording)
            self._changes |= {JournalChange.SESSIONS, JournalChange.RUNS}

    def _commit(self) -> None:
        """What can't be written now stays pending."""
        before = self.failure
        try:
            if self._pending:
                self.database.write(self._pending)
                self._pending = []
                self._recover()
        except Exception as error:
            if not self._is_lasting(error):
                self._commit_singly()
        if self.failure != before:
            self._changes.add(JournalChange.TROUBLE)
        with self._settled:
            if not self._pending:
                self._done = self._taken
            self._settled.notify_all()
        self._say()

    def _recover(self) -> None:
        """There is room again, or whatever it was; other failures stay until somebody has read them."""
        if self.stuck:
            self.stuck = False
            self.failure = None

    def _commit_singly(self) -> None:
        """One of them can't be written whatever the disk says: leave out that one."""
        while self._pending:
            try:
                self.database.write(self._pending[:1])
            except Exception as error:
                if self._is_lasting(error):
                    return
                self.failure = failures.left_out(error)
            else:
                self._recover()
            del self._pending[0]

    def _is_lasting(self, error: Exception) -> bool:
        """Whether it is the file's trouble, so that all must wait; else it is that of one change."""
        if not isinstance(error, sqlite3.Error) or not failures.kind_of(error):
            return False
        self.stuck = True
        self.failure = failures.not_written(self.database.path, error)
        return True

    def _say(self) -> None:
        if not self._pending or JournalChange.TROUBLE in self._changes:
            changes, self._changes = self._changes, set()
            for change in sorted(changes):
                _outlive(partial(self._tell, change))


def _nothing() -> None:
    pass


def _outlive(job: Job) -> None:
    """Whatever is done here for others, their errors are not to end this thread; they are told as any thread's."""
    try:
        job()
    except Exception as error:
        told = (type(error), error, error.__traceback__, threading.current_thread())
        threading.excepthook(threading.ExceptHookArgs(told))
