"""The session store: writes the playground's changes into the journal, and reads sessions from it."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot

from app.bridge import journal_reader
from app.bridge.conversation import link_turns
from app.bridge.mailbox import JournalTap
from app.bridge.runner import ActiveRun
from app.bridge.tasks import Tasks
from app.controls import Controls
from app.engine.meter.speeds import Curve
from app.engine.meter.trace import Trace
from app.engine.types import Failure, Model, Request, Role, TokenLogprobs
from app.platform.shutdown import engine_deadline, seconds_left
from app.records.journal import Journal, open_journal, unsaved_journal
from app.records.run_environment import model_ref, versions
from app.records.types import JournalChange, ModelRef, Outcome, SessionId, TurnId
from app.state import Conversation, Run, Turn

Turns = tuple[Turn, ...]
Opener = Callable[[], Journal]

READING = "session"
SLOW_MS = 2000
"""Milliseconds after which the user can continue without saving."""


class ModelFileCache:
    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self.known: dict[Path, ModelRef] = {}

    def look_at(self, model: Model) -> None:
        """Read the file lists of a model, its draft model and its adapter, before its first run."""
        for each in (model, model.draft, model.adapter):
            if each is not None:
                self._tasks.start(self._look_at(each.name, each.folder))

    async def _look_at(self, name: str, folder: Path) -> None:
        self.known[folder] = await self._tasks.in_thread(model_ref, name, folder)


class SessionStore(QObject):
    """Writes into the journal of the data folder, which is opened on a thread.

    A journal that can't be opened is replaced by one in memory; its `failure` is the reason.
    """

    ready = Signal()
    """The journal is open."""
    slow = Signal()
    """The journal is not open after `SLOW_MS`; `go_on_unsaved` replaces it."""
    journal_changed = Signal(object)
    """A JournalChange."""
    session_read = Signal(object, object)
    """The Session that was read, or None, and its turns: a ConversationSnapshot."""
    _journal_written = Signal(object)

    def __init__(self, opener: Opener | None = None, parent: QObject | None = None) -> None:
        """Without an `opener` the journal is in memory and open at once."""
        super().__init__(parent)
        self.tap = JournalTap(self)
        self._opener = opener
        self._journal: Journal | None = None
        self._late: Journal | None = None
        """A journal that was opened on the thread, until the GUI thread uses it."""
        self._closing = threading.Lock()
        """If the store closes while the journal is opened, exactly one of the two threads closes it."""
        self.tasks = Tasks(self)
        """Tasks that read and move. Started writes are completed."""
        self.models = ModelFileCache(self.tasks)
        self._readers: list[Tasks] = []
        self._settings: Controls | None = None
        self._draft: tuple[SessionId, str] = (0, "")
        self._typed: tuple[str, Controls] = ("", Controls())
        """A draft to store when the journal is open."""
        self.is_opening = self._unsaved = self._closed = False
        self._slow = QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow.timeout.connect(self.slow)
        self._journal_written.connect(self._on_journal_changed, Qt.ConnectionType.QueuedConnection)

    @property
    def journal(self) -> Journal | None:
        """None before it is open and after `close`."""
        return self._journal

    @property
    def is_slow(self) -> bool:
        return self.is_opening and not self._slow.isActive()

    @property
    def is_unsaved(self) -> bool:
        """Whether the journal of the data folder is not open, so that session ids differ from those in it."""
        return self.is_opening or self._unsaved

    @property
    def is_in_memory(self) -> bool:
        """Whether the sessions are in memory; their ids don't match the file."""
        return self._journal is None or self._journal.folder is None

    @property
    def is_late(self) -> bool:
        """Whether the disk is slow to write the last changes."""
        return self._journal is not None and self._journal.is_late

    @property
    def failure(self) -> Failure | None:
        """Why nothing is saved, or why a damaged file was moved; None: all is well."""
        return self._journal.failure if self._journal is not None else None

    def open(self) -> None:
        """Open the journal on a thread, since checking a damaged file may take long."""
        if self._journal is not None:
            return
        if self._opener is None:
            self._use(open_journal(None))
        else:
            self.is_opening = True
            self._slow.start()
            self.tasks.start(self._open(self._opener))
            self.tasks.start(self._read_versions())

    def go_on_unsaved(self) -> None:
        """Use a journal in memory until Sluice quits, instead of waiting for the file."""
        if self.is_opening:
            self._use(unsaved_journal())

    def keep_open_for(self, tasks: Tasks) -> None:
        """Register tasks that export from the journal: they finish before it is closed."""
        self._readers.append(tasks)

    def close(self, until: float) -> bool:
        """Write all changes by this time; return whether that succeeded. The engine must have ended its run."""
        self.blockSignals(True)
        self._slow.stop()
        self.tasks.close()
        for tasks in (self.tasks, *self._readers):
            tasks.wait(engine_deadline(until))
        with self._closing:
            self._closed, late = True, self._late
        journal, self._journal = self._journal, None
        QCoreApplication.removePostedEvents(self)
        if late is not None and journal is None:
            self._store_typed(late)
        elif late is not None:
            late.close(seconds_left(until))
        if (last := journal or late) is None:
            return not self._typed[0].strip()
        return last.close(seconds_left(until))

    def _store_typed(self, journal: Journal) -> None:
        """Store a draft that was typed before the journal was open, if the window closes before then."""
        text, controls = self._typed
        if text.strip():
            journal.sessions.set_draft(journal.sessions.new(controls), text)

    def keep(self, page: Conversation, turns: Turns, others: Turns, controls: Controls) -> tuple[SessionId, Turns]:
        """Store these turns as the turns of the conversation `page`, and `others` as its branches.

        Turns without an id get one.
        """
        session = page.session
        if self._journal is None or not (session or turns):
            return session, turns
        session = session or self._begin_session(controls)
        stored = {turn.id: turn.parent for turn in (*page.turns, *page.others)}
        before = [turn.id for turn in page.turns]
        turns = link_turns(tuple(self._with_id(session, turn, before) for turn in turns), others)
        numbers = tuple(turn.id for turn in turns)
        parents = {turn.id: turn.parent for turn in others}
        moved: dict[TurnId, TurnId | None] = dict(parents.items() - stored.items())
        moved |= dict.fromkeys(stored.keys() - parents.keys() - set(numbers))
        if numbers != tuple(before) or moved:
            self._journal.sessions.arrange(session, numbers, moved)
        return session, turns

    def _with_id(self, session: SessionId, turn: Turn, before: list[TurnId]) -> Turn:
        """Return the turn with an id. A turn without one is stored, and its new id is appended to `before`."""
        assert self._journal is not None
        if turn.id:
            return turn
        number = self._journal.sessions.add_turn(session, turn.role, turn.text, turn.reasoning, turn.forked)
        before.append(number)
        return replace(turn, id=number)

    def keep_draft(self, session: SessionId, text: str, controls: Controls) -> SessionId:
        """Store the unsent text; start a session for it if there is none."""
        if self._journal is None:
            self._typed = (text, controls)
            return session
        if not (session or text.strip()):
            return session
        session = session or self._begin_session(controls)
        if (session, text) != self._draft:
            self._draft = (session, text)
            self._journal.sessions.set_draft(session, text)
        return session

    def keep_controls(self, session: SessionId, controls: Controls, begin: bool = False) -> SessionId:
        """Store the controls with the session; `begin`: start one if there is none."""
        if begin and self._journal is not None:
            session = session or self._begin_session(controls)
        if self._journal is not None and session and controls != self._settings:
            self._settings = controls
            self._journal.sessions.set_settings(session, controls)
        return session

    def record(self, session: SessionId, turn: Turn, current: ActiveRun, model: Model) -> None:
        """Start recording a run of this answer. Call it before the run starts."""
        if self._journal is not None and turn.role is Role.ASSISTANT:
            recorder = self._journal.begin(
                session, turn.id, journal_reader.run_start(current, model, self.models.known)
            )
            current.id = recorder.run
            self.tap.begin(recorder)

    def read(self, session: SessionId) -> None:
        """Read a session and emit `session_read`, unless another session is requested meanwhile."""
        if self._journal is not None:
            self.tasks.start(self._read(self._journal, session), READING)

    async def trace(self, turn: Turn) -> Trace | None:
        """Return the tokens of an answer; None if they aren't in the journal."""
        return (
            await self.tasks.in_thread(journal_reader.trace_of, self._journal, turn)
            if self._journal is not None
            else None
        )

    def store_logprobs(self, run: Run, observed: Sequence[TokenLogprobs]) -> None:
        """Store the logprobs that a replay recorded for a run."""
        if self._journal is not None and run.id:
            self.tasks.start(self.tasks.in_thread(self._journal.runs.learn, run.id, observed))

    async def curve(self, run: Run) -> Curve | None:
        """Return the speed curve of a run; None if it is not in the journal."""
        if self._journal is None or not run.id:
            return None
        return await self.tasks.in_thread(journal_reader.curve_of, self._journal, run.id)

    def title(self, session: SessionId) -> str:
        return self._journal.sessions.title(session) if self._journal is not None and session else ""

    def leave(self) -> None:
        """Stop reading and writing the session."""
        self.tasks.cancel(READING)
        self._settings = None

    async def conversation(self, session: SessionId) -> Conversation | None:
        """Return a session with its turns; None if it no longer exists."""
        if self._journal is None:
            return None
        found, past = await self.tasks.in_thread(journal_reader.session_of, self._journal, session)
        return Conversation(session, found.info.title, past.turns, past.others) if found is not None else None

    def load_full(self, run: Run) -> Run:
        """Return a run with its request, prompt, ids and text."""
        return journal_reader.load_full(self._journal, run) if self._journal is not None else run

    def request_of(self, run: Run) -> Request | None:
        """Return the request of a run, fast enough for a pointer that moves; None if it can't be read."""
        if not run.is_partial:
            return run.request
        return self._journal.runs.request(run.id) if self._journal is not None else None

    def with_last_run_loaded(self, turns: Turns) -> Turns:
        """Return the turns with the last run loaded fully, since Continue needs its ids."""
        return journal_reader.with_last_run_loaded(self._journal, turns) if self._journal is not None else turns

    def save_elsewhere(self, folder: Path, then: Callable[[Outcome], None]) -> None:
        """Copy all data into this folder, and use the journal there."""
        if self._journal is not None:
            self.tasks.start(self._run(partial(self._journal.save_elsewhere, folder), then))

    def erase(self, then: Callable[[Outcome], None]) -> None:
        """Delete all sessions. The page must be empty."""
        if self._journal is not None:
            self.tasks.start(self._run(self._journal.erase(), then))

    async def _run(self, work: Callable[[], Outcome], then: Callable[[Outcome], None]) -> None:
        then(await self.tasks.in_thread(work))

    def _begin_session(self, controls: Controls) -> SessionId:
        assert self._journal is not None
        self._settings = controls
        return self._journal.sessions.new(controls)

    async def _open(self, opener: Opener) -> None:
        try:
            journal = await self.tasks.in_thread(self._open_on_thread, opener)
        except Exception:
            self.go_on_unsaved()
            raise
        if self.is_opening:
            self._late = None
            self._use(journal)
        else:  # the user went on without saving
            await self.tasks.in_thread(journal.close)
            self._late = None

    async def _read_versions(self) -> None:
        """Read the library versions, which the first run records, from files."""
        await self.tasks.in_thread(versions)

    def _open_on_thread(self, opener: Opener) -> Journal:
        journal = opener()
        with self._closing:
            is_late = self._closed
            if not is_late:
                self._late = journal
        if is_late:
            journal.close()
        return journal

    def _use(self, journal: Journal) -> None:
        self._slow.stop()
        self.is_opening = False
        self._unsaved = self._opener is not None and journal.folder is None
        self._journal = journal
        journal.listen(self._journal_written.emit)
        self.journal_changed.emit(JournalChange.TROUBLE)
        self.ready.emit()

    async def _read(self, journal: Journal, number: SessionId) -> None:
        try:
            session, past = await self.tasks.in_thread(journal_reader.session_of, journal, number)
        except Exception:
            self.session_read.emit(None, journal_reader.NOTHING)
            raise
        self._draft = (number, session.draft) if session is not None else (0, "")
        self._settings = session.settings if session is not None else None
        self.session_read.emit(session, past)

    @Slot(object)
    def _on_journal_changed(self, change: JournalChange) -> None:
        if self._journal is not None:
            self.journal_changed.emit(change)
