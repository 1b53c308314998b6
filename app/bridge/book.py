"""The book of sessions: what the playground does is written into the journal here, and sessions are read out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal, Slot

from app.bridge import reading, recording
from app.bridge.branches import linked
from app.bridge.current import CurrentRun
from app.bridge.mailbox import Tap
from app.bridge.model_files import ModelFiles
from app.bridge.tasks import Tasks
from app.controls import Controls
from app.engine.meter.curve import Curve
from app.engine.meter.trace import Trace
from app.engine.types import Failure, Model, Observed, Role
from app.leaving import before_journal, left
from app.records.early import EarlyFile
from app.records.handing_over import Handed
from app.records.journal import Journal, open_journal
from app.records.surroundings import versions
from app.records.types import Change, Outcome, RunId, SessionId, TurnId
from app.state import Past, Run, Turn

if TYPE_CHECKING:
    from app.experiments.journal_entries import Keeper

Turns = tuple[Turn, ...]
Opener = Callable[[], Journal]

READING = "session"
OPENING_MS = 400
"""A journal that isn't open by then makes itself felt: what is told now is older than what a crash may cost."""


class Book(QObject):
    """Until the journal of the data folder is open, everything is in one in memory, and is then handed over.

    What is on the page has its numbers in memory until no run of it goes on; meanwhile both journals are written.
    """

    ready = Signal()
    """The journal is open, or goes on in memory: `failure` says why, and was told before."""
    told = Signal(object)
    """A Change in the journal."""
    opened = Signal()
    """The journal is open, and a run of the page goes on: `lasting` is the one by now, and `ready` comes after it."""
    came = Signal(object, object)
    """The Session that was asked for, or None, and its turns as they were left: a Past."""
    moved = Signal(object)
    """Another journal is open now: the numbers that its sessions had before, and those they have."""
    renumbered = Signal(object)
    """The journal is open: the numbers that runs had before, and those they have in `lasting`."""
    _heard = Signal(object)
    _caught_up = Signal()

    def __init__(self, opener: Opener | None = None, parent: QObject | None = None, early: Path | None = None) -> None:
        super().__init__(parent)
        self.tap = Tap(self)
        self._opener = opener
        self._journal: Journal | None = None
        self._coming: Journal | None = None
        self._early = EarlyFile(early, partial(self._heard.emit, Change.DELAY))
        """What comes before the journal is open, kept in the folder `early`; nowhere else without one."""
        self.tasks = Tasks(self)
        """Of reading and moving; what has begun to be written comes to its end."""
        self.models = ModelFiles(self.tasks)
        self._readers: list[Tasks] = []
        self._arranged: tuple[TurnId, ...] = ()
        self._parents: dict[TurnId, TurnId] = {}
        """Of each turn in sight and on a branch: the one that it follows."""
        self.handed = Handed()
        """Which numbers everything has in the journal that took over from the one in memory."""
        self.keeper: Keeper | None = None
        """Somebody else who records in the journal."""
        self._settings: Controls | None = None
        self._draft: tuple[SessionId, str] = (0, "")
        self._going_on = False
        """A run of the page is recorded."""
        self._opening = False
        """The journal is not open yet."""
        self._stands_in = False
        """One in memory, for one that can't be opened."""
        self._behind = False
        """What is handed over to it is not written."""
        self._slow = QTimer(self, singleShot=True, interval=OPENING_MS)
        self._slow.timeout.connect(self._tell_delay)
        self._heard.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._caught_up.connect(self._catch_up, Qt.ConnectionType.QueuedConnection)

    @property
    def journal(self) -> Journal | None:
        """None before `open` and after `close`."""
        return self._journal

    @property
    def lasting(self) -> Journal | None:
        """Where everything is from its start on: the page may have its numbers from another one for a while."""
        return self._coming if self._coming is not None and not self._opening else self._journal

    def lasting_number(self, session: SessionId) -> SessionId:
        """Which one this session of the page has there."""
        return session if self.lasting is self._journal else self.handed.sessions.get(session, 0)

    def lasting_run(self, run: RunId, before: Journal | None = None) -> RunId:
        """The same of a run of the page, or of one that had this number in the journal which lasted before."""
        return run if self.lasting is (before or self._journal) else self.handed.runs.get(run, 0)

    def number_now(self, session: SessionId, before: Journal | None) -> SessionId:
        """Which one it has in the journal of the page, that had this one in the journal which that was before."""
        return session if before is self._journal else self.handed.sessions.get(session, 0)

    @property
    def is_coming(self) -> bool:
        """The journal is not open yet: sessions get other numbers when it is."""
        return self._opening

    @property
    def is_early(self) -> bool:
        """The journal is not open, or could not be: sessions have other numbers than they will have in it."""
        return self._opening or self._stands_in

    @property
    def is_in_memory(self) -> bool:
        """So are its sessions: their numbers are those of others in the file."""
        return self._journal is None or self._journal.folder is None

    @property
    def is_opening(self) -> bool:
        """The journal takes long to be opened, and nothing is kept meanwhile."""
        return self._opening and not self._slow.isActive() and not self._early.holds

    @property
    def is_late(self) -> bool:
        """The disk takes long to write what came last."""
        handed = self._behind and not (self._opening or self._slow.isActive() or self._early.holds)
        return handed or any(each is not None and each.is_late for each in (self._journal, self._coming))

    @property
    def failure(self) -> Failure | None:
        """Why nothing is kept at present, or why something was set aside, in whichever journal is written."""
        failures = [each.failure for each in (self.lasting, self._journal) if each is not None]
        return next(filter(None, failures), None)

    def open(self) -> None:
        """Have the journal opened aside: a file that was damaged is looked through, which may take a while."""
        if self._journal is None:
            self._journal = open_journal(None)
            self._journal.copy_to(self._early.put)
            self._journal.listen(self._heard.emit)
            if self._opener is None:
                self.ready.emit()
            else:
                self._opening = self._behind = True
                self._slow.start()
                self.tasks.start(self._open(self._opener))

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
        if self._coming is not None and self._journal is not None and self._journal.flush(left(until) / 2):
            self.settle()  # waits for the journal in memory, which answers
        journal, self._journal = self._journal, None
        QCoreApplication.removePostedEvents(self)
        if journal is None:
            return True
        unopened = self._opening and journal.sessions.count() > 0
        written = journal.close(left(until))
        if self._coming is not None:
            self._coming.close(left(until))
        self._early.close(unwanted=written and journal.is_kept)
        early = self._early.wait(left(until))
        return early if unopened else written or self._opening

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
            if self._coming is not None and session in self.handed.sessions:
                self._coming.sessions.set_draft(self.handed.sessions[session], text)
        return session

    def keep_controls(self, session: SessionId, controls: Controls, begin: bool = False) -> SessionId:
        """The controls that a session is used with come back with it; `begin`: they are worth one of their own."""
        if begin and self._journal is not None:
            session = session or self._begin_session(controls)
        if self._journal is not None and session and controls != self._settings:
            self._settings = controls
            self._journal.sessions.set_settings(session, controls)
            if self._coming is not None and session in self.handed.sessions:
                self._coming.sessions.set_settings(self.handed.sessions[session], controls)
        return session

    def record(self, session: SessionId, turn: Turn, current: CurrentRun, model: Model) -> None:
        """A run of this answer is about to be ordered."""
        if self._journal is not None and turn.role is Role.ASSISTANT:
            recorder = self._journal.begin(session, turn.id, recording.start_of(current, model, self.models.known))
            current.id = recorder.run
            self._going_on = True
            self.tap.begin(recorder)

    def read(self, session: SessionId) -> None:
        """Have a session read; `came` brings it, unless another one has been asked for since."""
        if self._journal is not None:
            self.tasks.start(self._bring(self._journal, session), READING)

    async def trace(self, turn: Turn) -> Trace | None:
        """The tokens of an answer; None where they are not in the journal."""
        return await self.tasks.in_thread(reading.trace_of, self._journal, turn) if self._journal is not None else None

    def learn(self, run: Run, observed: Sequence[Observed]) -> None:
        """What a replay saw of the choices that a run began with."""
        if self._journal is not None and run.id:
            self.tasks.start(self._learn(self._journal, run.id, observed))

    async def _learn(self, journal: Journal, run: RunId, observed: Sequence[Observed]) -> None:
        """Once more in the journal that took over meanwhile."""
        await self.tasks.in_thread(journal.runs.learn, run, observed)
        if self._journal not in (journal, None) and run in self.handed.runs:
            await self._learn(self._journal, self.handed.runs[run], observed)

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
            tuple(recording.renumbered(turn, self.handed.turns, self.handed.runs) for turn in some)
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
        return reading.whole(self._journal, run) if self._journal is not None else run

    def with_last_run(self, turns: Turns) -> Turns:
        """The turns with the last run whole: Continue goes on from its ids."""
        return reading.with_last_run(self._journal, turns) if self._journal is not None else turns

    def save_elsewhere(self, folder: Path, then: Callable[[Outcome], None]) -> None:
        """Copy everything into this folder, and go on there."""
        if self.lasting is not None:
            self.tasks.start(self._do(partial(self.lasting.save_elsewhere, folder), then))

    def erase(self, then: Callable[[Outcome], None]) -> None:
        """Delete everything that was kept so far, for good. The page must be empty by now."""
        if self._journal is not None:
            self._early.close(unwanted=True)
            self.tasks.start(self._do(self._journal.erase(), then))

    async def _do(self, work: Callable[[], Outcome], then: Callable[[Outcome], None]) -> None:
        then(await self.tasks.in_thread(work))

    def settle(self) -> None:
        """No run of the page goes on: a journal that was opened meanwhile is the only one from now on."""
        self._going_on = False
        if self._coming is not None:
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
        self._coming = journal = opener()
        if self._journal is None:  # it is closed, and did not wait
            journal.close()
        return journal

    def _take(self, journal: Journal) -> None:
        """Go on in this journal, with what is on the page as soon as no run of it goes on."""
        before = self._journal
        if journal is not self._coming or before is None:
            return
        if journal.folder is None:
            self._stay(before, journal)
            return
        first, self._opening = self._opening, False
        if first:
            journal.listen(self._heard.emit)
        self._hand_over(before, journal)
        if first:
            self.renumbered.emit(self.handed.runs)
            journal.once_written(self._caught_up.emit)
            self._tell_delay()
            self.told.emit(Change.TROUBLE)
        if self._going_on:
            self.opened.emit()
            return
        self._coming = None
        before.close()
        self._journal, self._stands_in = journal, False
        if self.handed.sessions:
            self.moved.emit(self.handed.sessions)
        self.ready.emit()

    def _stay(self, before: Journal, journal: Journal) -> None:
        """It can't be opened: go on in memory, and in the early file, which a later start takes in as it was left."""
        self._coming, self._opening, self._behind, self._stands_in = None, False, False, True
        before.stand_in_for(journal)
        journal.close()
        self._slow.stop()
        self._tell_delay()
        self.told.emit(Change.TROUBLE)
        self.ready.emit()

    def _hand_over(self, before: Journal, journal: Journal) -> None:
        """What isn't there yet; what goes on is written on there from now on, as if it had been from the start."""
        keeper = self.keeper
        with keeper.lock if keeper is not None else nullcontext():
            handed = before.hand_over(journal, self.handed.sessions)
            self.handed.add(handed)
            if keeper is not None:
                keeper.move(journal, self.handed.sessions.get(keeper.session, 0))

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

    @Slot()
    def _catch_up(self) -> None:
        self._behind = False
        if self.lasting is not None and self.lasting.is_kept:
            self._early.close(unwanted=True)
        self._slow.stop()
        self._tell_delay()

    @Slot()
    def _tell_delay(self) -> None:
        self.told.emit(Change.DELAY)

    @Slot(object)
    def _tell(self, change: Change) -> None:
        if self._journal is not None:
            self.told.emit(change)
