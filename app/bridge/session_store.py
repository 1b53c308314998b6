"""The book of sessions: what the playground does is written into the journal here, and sessions are read out of it."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot

from app.bridge import journal_reader, recording
from app.bridge.active_run import ActiveRun
from app.bridge.branches import linked
from app.bridge.mailbox import JournalTap
from app.bridge.model_files import ModelFiles
from app.bridge.tasks import Tasks
from app.controls import Controls
from app.engine.meter.curve import Curve
from app.engine.meter.trace import Trace
from app.engine.types import Failure, Model, Role, TokenLogprobs
from app.platform.shutdown import before_journal, left
from app.records.journal import Journal, open_journal, unsaved_journal
from app.records.run_environment import versions
from app.records.types import JournalChange, Outcome, SessionId, TurnId
from app.state import ConversationSnapshot, Run, Turn

Turns = tuple[Turn, ...]
Opener = Callable[[], Journal]

READING = "session"
SLOW_MS = 2000
"""A journal that is not open after so long need not be waited for."""


class SessionStore(QObject):
    """Writes into the journal of the data folder, which is opened on a thread: before that there is none.

    One that can't be opened is replaced by one in memory, whose `failure` says why.
    """

    ready = Signal()
    """The journal is open."""
    slow = Signal()
    """The journal is not open after `SLOW_MS`: `go_on_unsaved` would do without it."""
    told = Signal(object)
    """A Change in the journal."""
    came = Signal(object, object)
    """The Session that was asked for, or None, and its turns as they were left: a Past."""
    _heard = Signal(object)

    def __init__(self, opener: Opener | None = None, parent: QObject | None = None) -> None:
        """Without an `opener` the journal is one in memory, open at once."""
        super().__init__(parent)
        self.tap = JournalTap(self)
        self._opener = opener
        self._journal: Journal | None = None
        self._late: Journal | None = None
        """Is opened, though nothing is written into it yet."""
        self._closing = threading.Lock()
        """A journal that is opened while the book closes is closed by one of the two threads, and only by that one."""
        self.tasks = Tasks(self)
        """Of reading and moving; what has begun to be written comes to its end."""
        self.models = ModelFiles(self.tasks)
        self._readers: list[Tasks] = []
        self._arranged: tuple[TurnId, ...] = ()
        self._parents: dict[TurnId, TurnId] = {}
        """Of each turn in sight and on a branch: the one that it follows."""
        self._settings: Controls | None = None
        self._draft: tuple[SessionId, str] = (0, "")
        self._typed: tuple[str, Controls] = ("", Controls())
        """A draft that is kept when the journal is open."""
        self._opening = self._unsaved = self._closed = False
        self._slow = QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow.timeout.connect(self.slow)
        self._heard.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    @property
    def journal(self) -> Journal | None:
        """None before it is open and after `close`."""
        return self._journal

    @property
    def is_opening(self) -> bool:
        """The journal is being opened: nothing can be written yet."""
        return self._opening

    @property
    def is_slow(self) -> bool:
        """Opening the journal has taken longer than `SLOW_MS`."""
        return self._opening and not self._slow.isActive()

    @property
    def is_unsaved(self) -> bool:
        """The journal of the data folder is not open, or could not be: its sessions have other numbers than these."""
        return self._opening or self._unsaved

    @property
    def is_in_memory(self) -> bool:
        """So are its sessions: their numbers are those of others in the file."""
        return self._journal is None or self._journal.folder is None

    @property
    def is_late(self) -> bool:
        """The disk takes long to write what came last."""
        return self._journal is not None and self._journal.is_late

    @property
    def failure(self) -> Failure | None:
        """Why nothing is kept at present, or why something was set aside."""
        return self._journal.failure if self._journal is not None else None

    def open(self) -> None:
        """Have the journal opened on a thread: a file that was damaged is looked through, which may take a while."""
        if self._journal is not None:
            return
        if self._opener is None:
            self._take(open_journal(None))
        else:
            self._opening = True
            self._slow.start()
            self.tasks.start(self._open(self._opener))
            self.tasks.start(self._know_versions())

    def go_on_unsaved(self) -> None:
        """Don't wait for the journal any longer: all goes into one in memory, until Sluice quits."""
        if self._opening:
            self._take(unsaved_journal())

    def keep_open_for(self, tasks: Tasks) -> None:
        """These make files of what is in the journal: those that are begun are read out before it is closed."""
        self._readers.append(tasks)

    def close(self, until: float) -> bool:
        """Write the rest by this moment; return whether it was. The engine must have had its last word."""
        self.blockSignals(True)
        self._slow.stop()
        self.tasks.close()
        for tasks in (self.tasks, *self._readers):
            tasks.wait(before_journal(until))
        with self._closing:
            self._closed, late = True, self._late
        journal, self._journal = self._journal, None
        QCoreApplication.removePostedEvents(self)
        if late is not None and journal is None:
            self._keep_typed(late)
        elif late is not None:
            late.close(left(until))
        if (last := journal or late) is None:
            return not self._typed[0].strip()
        return last.close(left(until))

    def _keep_typed(self, journal: Journal) -> None:
        """Save a draft that was typed before the journal was open, where the window closes before it is used."""
        text, controls = self._typed
        if text.strip():
            journal.sessions.set_draft(journal.sessions.new(controls), text)

    def keep(self, session: SessionId, turns: Turns, others: Turns, controls: Controls) -> tuple[SessionId, Turns]:
        """These turns are the conversation now, and the others its branches. Those without a number get one."""
        if self._journal is None or not (session or turns):
            return session, turns
        session = session or self._begin_session(controls)
        before = list(self._arranged)
        turns = linked(tuple(self._numbered(session, turn, before) for turn in turns), others)
        numbers = tuple(turn.id for turn in turns)
        parents = {turn.id: turn.parent for turn in others}
        moved: dict[TurnId, TurnId | None] = dict(parents.items() - self._parents.items())
        moved |= dict.fromkeys(self._parents.keys() - parents.keys() - set(numbers))
        if numbers != tuple(before) or moved:
            self._journal.sessions.arrange(session, numbers, moved)
        self._stand(turns, others)
        return session, turns

    def _numbered(self, session: SessionId, turn: Turn, before: list[TurnId]) -> Turn:
        """With a number; one that is new stands behind those that were there before."""
        assert self._journal is not None
        if turn.id:
            return turn
        number = self._journal.sessions.add_turn(session, turn.role, turn.text, turn.reasoning, turn.forked)
        before.append(number)
        return replace(turn, id=number)

    def _stand(self, turns: Turns, others: Turns) -> None:
        """So they stand in the journal."""
        self._arranged = tuple(turn.id for turn in turns)
        self._parents = {turn.id: turn.parent for turn in (*turns, *others)}

    def keep_draft(self, session: SessionId, text: str, controls: Controls) -> SessionId:
        """What is typed and not sent; it is worth a session of its own."""
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
        """The controls that a session is used with come back with it; `begin`: they are worth one of their own."""
        if begin and self._journal is not None:
            session = session or self._begin_session(controls)
        if self._journal is not None and session and controls != self._settings:
            self._settings = controls
            self._journal.sessions.set_settings(session, controls)
        return session

    def record(self, session: SessionId, turn: Turn, current: ActiveRun, model: Model) -> None:
        """A run of this answer is about to be ordered."""
        if self._journal is not None and turn.role is Role.ASSISTANT:
            recorder = self._journal.begin(session, turn.id, recording.run_start(current, model, self.models.known))
            current.id = recorder.run
            self.tap.begin(recorder)

    def read(self, session: SessionId) -> None:
        """Have a session read; `came` brings it, unless another one has been asked for since."""
        if self._journal is not None:
            self.tasks.start(self._bring(self._journal, session), READING)

    async def trace(self, turn: Turn) -> Trace | None:
        """The tokens of an answer; None where they are not in the journal."""
        return (
            await self.tasks.in_thread(journal_reader.trace_of, self._journal, turn)
            if self._journal is not None
            else None
        )

    def learn(self, run: Run, observed: Sequence[TokenLogprobs]) -> None:
        """What a replay saw of the choices that a run began with."""
        if self._journal is not None and run.id:
            self.tasks.start(self.tasks.in_thread(self._journal.runs.learn, run.id, observed))

    async def curve(self, run: Run) -> Curve | None:
        """A run's speed curve; None where it is not in the journal."""
        if self._journal is None or not run.id:
            return None
        return await self.tasks.in_thread(journal_reader.curve_of, self._journal, run.id)

    def title(self, session: SessionId) -> str:
        return self._journal.sessions.title(session) if self._journal is not None and session else ""

    def leave(self) -> None:
        """The page is empty: what is written next begins a session."""
        self.turn_to(ConversationSnapshot((), ()))

    def turn_to(self, past: ConversationSnapshot) -> None:
        """Another session is open now, and these are its turns."""
        self.tasks.drop(READING)
        self._stand(past.turns, past.others)
        self._settings = None

    def whole(self, run: Run) -> Run:
        """A run that was read briefly, whole."""
        return journal_reader.whole(self._journal, run) if self._journal is not None else run

    def with_last_run(self, turns: Turns) -> Turns:
        """The turns with the last run whole: Continue goes on from its ids."""
        return journal_reader.with_last_run(self._journal, turns) if self._journal is not None else turns

    def save_elsewhere(self, folder: Path, then: Callable[[Outcome], None]) -> None:
        """Copy everything into this folder, and go on there."""
        if self._journal is not None:
            self.tasks.start(self._do(partial(self._journal.save_elsewhere, folder), then))

    def erase(self, then: Callable[[Outcome], None]) -> None:
        """Delete everything that was kept so far, for good. The page must be empty by now."""
        if self._journal is not None:
            self.tasks.start(self._do(self._journal.erase(), then))

    async def _do(self, work: Callable[[], Outcome], then: Callable[[Outcome], None]) -> None:
        then(await self.tasks.in_thread(work))

    def _begin_session(self, controls: Controls) -> SessionId:
        assert self._journal is not None
        self._stand((), ())
        self._settings = controls
        return self._journal.sessions.new(controls)

    async def _open(self, opener: Opener) -> None:
        try:
            journal = await self.tasks.in_thread(self._opened, opener)
        except Exception:
            self.go_on_unsaved()
            raise
        if self._opening:
            self._late = None
            self._take(journal)
        else:  # it was not waited for
            await self.tasks.in_thread(journal.close)
            self._late = None

    async def _know_versions(self) -> None:
        """The first run needs them, and files are read for them."""
        await self.tasks.in_thread(versions)

    def _opened(self, opener: Opener) -> Journal:
        """On the thread."""
        journal = opener()
        with self._closing:
            is_late = self._closed
            if not is_late:
                self._late = journal
        if is_late:
            journal.close()
        return journal

    def _take(self, journal: Journal) -> None:
        self._slow.stop()
        self._opening = False
        self._unsaved = self._opener is not None and journal.folder is None
        self._journal = journal
        journal.listen(self._heard.emit)
        self.told.emit(JournalChange.TROUBLE)
        self.ready.emit()

    async def _bring(self, journal: Journal, number: SessionId) -> None:
        try:
            session, past = await self.tasks.in_thread(journal_reader.session_of, journal, number)
        except Exception:
            self.came.emit(None, journal_reader.NOTHING)
            raise
        self._stand(past.turns, past.others)
        self._draft = (number, session.draft) if session is not None else (0, "")
        self._settings = session.settings if session is not None else None
        self.came.emit(session, past)

    @Slot(object)
    def _tell(self, change: JournalChange) -> None:
        if self._journal is not None:
            self.told.emit(change)
