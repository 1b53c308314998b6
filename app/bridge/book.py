"""The book of sessions: what the playground does is written into the journal here, and sessions are read out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal, Slot

from app.bridge import reading, recording
from app.bridge.branches import linked
from app.bridge.current import CurrentRun
from app.bridge.tap import Tap
from app.bridge.tasks import PATIENCE_S, Tasks
from app.controls import Controls
from app.engine.curve import Curve
from app.engine.trace import Trace
from app.engine.types import Model, Role
from app.records.journal import Journal, open_journal
from app.records.surroundings import model_ref, versions
from app.records.types import (
    Change,
    ModelRef,
    Outcome,
    RunId,
    SessionId,
    TurnId,
    WholeSession,
)
from app.state import Past, Run, Turn

Turns = tuple[Turn, ...]
Opener = Callable[[], Journal]

MOVED_AT_ONCE = 1000
READING = "session"


class Book(QObject):
    """Until the journal of the data folder is open, everything is kept in one in memory, and then moved over."""

    ready = Signal()
    """The journal is open, or goes on in memory: its `failure` says why."""
    told = Signal(object)
    """A Change in the journal."""
    came = Signal(object, object)
    """The Session that was asked for, or None, and its turns as they were left: a Past."""
    moved = Signal(object)
    """Another journal is open now: the numbers that its sessions had before, and those they have."""
    _heard = Signal(object)

    def __init__(self, opener: Opener | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tap = Tap(self)
        self._opener = opener
        self._journal: Journal | None = None
        self._coming: Journal | None = None
        self.tasks = Tasks(self)
        """Of reading and moving; what has begun to be written comes to its end."""
        self._known: dict[Path, ModelRef] = {}
        self._arranged: tuple[TurnId, ...] = ()
        self._parents: dict[TurnId, TurnId] = {}
        """Of each turn in sight and on a branch: the one that it follows."""
        self._numbers: dict[TurnId, TurnId] = {}
        """Which number a turn has in the journal that took over from the one in memory."""
        self._run_numbers: dict[RunId, RunId] = {}
        self._settings: Controls | None = None
        self._draft: tuple[SessionId, str] = (0, "")
        self._held = False
        self._heard.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    @property
    def journal(self) -> Journal | None:
        """None before `open` and after `close`."""
        return self._journal

    @property
    def known(self) -> Mapping[Path, ModelRef]:
        """The models whose files were looked at."""
        return self._known

    def hold(self, held: bool) -> None:
        """Stay in this journal: somebody else records in it."""
        self._held = held
        self.settle()

    def open(self) -> None:
        """Have the journal opened aside: a file that was damaged is looked through, which may take a while."""
        if self._journal is None:
            self._use(open_journal(None))
            if self._opener is None:
                self.ready.emit()
            else:
                self.tasks.start(self._open(self._opener))

    def close(self) -> None:
        """Write the rest. The engine must have had its last word."""
        self.blockSignals(True)
        self.tasks.close(PATIENCE_S)
        self.settle()
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        QCoreApplication.removePostedEvents(self)

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
        if self._journal is None or not (session or text.strip()):
            return session
        session = session or self._begin_session(controls)
        if (session, text) != self._draft:
            self._draft = (session, text)
            self._journal.sessions.set_draft(session, text)
        return session

    def keep_controls(self, session: SessionId, controls: Controls) -> None:
        """The controls that a session is used with come back with it."""
        if self._journal is not None and session and controls != self._settings:
            self._settings = controls
            self._journal.sessions.set_settings(session, controls)

    def record(self, session: SessionId, turn: Turn, current: CurrentRun, model: Model) -> None:
        """A run of this answer is about to be ordered."""
        if self._journal is not None and turn.role is Role.ASSISTANT:
            recorder = self._journal.begin(session, turn.id, recording.start_of(current, model, self._known))
            current.id = recorder.run
            self.tap.begin(recorder)

    def read(self, session: SessionId) -> None:
        """Have a session read; `came` brings it, unless another one has been asked for since."""
        if self._journal is not None:
            self.tasks.start(self._bring(self._journal, session), READING)

    async def trace(self, turn: Turn) -> Trace | None:
        """The tokens of an answer; None where they are not in the journal."""
        return await self.tasks.in_thread(reading.trace_of, self._journal, turn) if self._journal is not None else None

    async def curve(self, run: Run) -> Curve | None:
        """A run's speed curve; None where it is not in the journal."""
        if self._journal is None or not run.id:
            return None
        return await self.tasks.in_thread(reading.curve_of, self._journal, run.id)

    def title(self, session: SessionId) -> str:
        return self._journal.sessions.title(session) if self._journal is not None and session else ""

    def adopt(self, past: Past) -> Past:
        """These turns under the numbers that they have in the journal that is open now."""
        turns, others = (
            tuple(recording.renumbered(turn, self._numbers, self._run_numbers) for turn in some)
            for some in (past.turns, past.others)
        )
        self._stand(turns, others)
        return Past(turns, others)

    def leave(self) -> None:
        """The page is empty: what is written next begins a session."""
        self.turn_to(Past((), ()))

    def turn_to(self, past: Past) -> None:
        """Another session is open now, and these are its turns."""
        self.tasks.drop(READING)
        self._stand(past.turns, past.others)
        self._settings = None

    def whole(self, run: Run) -> Run:
        """A run that was read briefly, whole."""
        record = self._journal.runs.get(run.id) if self._journal is not None and run.brief else None
        return replace(recording.run_of(record), on=run.on) if record is not None else run

    def with_last_run(self, turns: Turns) -> Turns:
        """The turns with the last run whole: Continue goes on from its ids."""
        runs = turns[-1].runs if turns else ()
        if not runs or not runs[-1].brief:
            return turns
        return (*turns[:-1], replace(turns[-1], runs=(*runs[:-1], self.whole(runs[-1]))))

    def know(self, model: Model) -> None:
        """Have the model's files looked at before its first run is sent."""
        draft = model.draft
        for name, folder in ((model.name, model.folder), *([(draft.name, draft.folder)] if draft else [])):
            self.tasks.start(self._look_at(name, folder))

    async def _look_at(self, name: str, folder: Path) -> None:
        self._known[folder] = await self.tasks.in_thread(model_ref, name, folder)

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

    def settle(self) -> None:
        """A journal that was opened while a run was recorded in memory takes over when the run is over."""
        if self._coming is not None and not (self.tap.open or self._held):
            self._take(self._coming)

    def _begin_session(self, controls: Controls) -> SessionId:
        assert self._journal is not None
        self._stand((), ())
        self._settings = controls
        return self._journal.sessions.new(controls)

    async def _open(self, opener: Opener) -> None:
        self._take(await self.tasks.in_thread(self._opened, opener))

    def _opened(self, opener: Opener) -> Journal:
        """On the thread: also what else takes a while and will be needed."""
        versions()
        self._coming = opener()
        return self._coming

    def _take(self, journal: Journal) -> None:
        """Go on in this journal; a run that has ended since it was opened may have asked for that already."""
        if self.tap.open or self._held or journal is not self._coming:
            return
        self._coming = None
        before, moved = self._journal, {}
        if before is not None:
            before.flush()
            for info in before.sessions.rows(0, MOVED_AT_ONCE):
                whole = before.sessions.whole(info.id)
                if whole is not None:
                    moved[info.id] = self._move(before.sessions.numbers(info.id), whole, journal)
            before.close()
        self._use(journal)
        if moved:
            self.moved.emit(moved)
        self.ready.emit()

    def _move(self, turns: Sequence[TurnId], whole: WholeSession, journal: Journal) -> SessionId:
        """Nothing is read back, since a slow disk may take its time to write it."""
        added = journal.sessions.add(whole)
        self._numbers |= zip(turns, added.turns, strict=True)
        for turn, runs in zip(whole.turns, added.runs, strict=True):
            self._run_numbers |= zip((run.run.id for run in turn.runs), runs, strict=True)
        return added.session

    def _use(self, journal: Journal) -> None:
        self._journal = journal
        journal.listen(self._heard.emit)

    async def _bring(self, journal: Journal, number: SessionId) -> None:
        try:
            session, past = await self.tasks.in_thread(reading.session_of, journal, number)
        except Exception:
            self.came.emit(None, reading.NOTHING)
            raise
        self._stand(past.turns, past.others)
        self._draft = (number, session.draft) if session is not None else (0, "")
        self._settings = session.settings if session is not None else None
        self.came.emit(session, past)

    @Slot(object)
    def _tell(self, change: Change) -> None:
        if self._journal is not None:
            self.told.emit(change)
