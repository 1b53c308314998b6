"""From a journal in memory into the one that was opened meanwhile: sessions, and runs that are still going on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field

from app.engine.types import Event, Finish
from app.records.recording import RunRecorder
from app.records.sessions import Sessions
from app.records.types import RunId, RunStart, SessionId, TurnId, WholeSession
from app.records.writer import Writer

AT_ONCE = 1000
Begin = Callable[[SessionId, TurnId, RunStart, float], RunRecorder]


@dataclass(frozen=True, slots=True)
class Handed:
    """Which numbers sessions, turns and runs have there, by those that they had here."""

    sessions: dict[SessionId, SessionId] = field(default_factory=dict)
    turns: dict[TurnId, TurnId] = field(default_factory=dict)
    runs: dict[RunId, RunId] = field(default_factory=dict)

    def add(self, more: Handed) -> None:
        self.sessions.update(more.sessions)
        self.turns.update(more.turns)
        self.runs.update(more.runs)


class EarlyRecorder(RunRecorder):
    """In a journal that is only in memory: it remembers what it was told for the one that takes the run over."""

    def __init__(
        self, writer: Writer, run: RunId, session: SessionId, turn: TurnId, start: RunStart, begun: float
    ) -> None:
        super().__init__(writer, run, session, turn, start, begun)
        self.session, self.turn, self.start, self.begun = session, turn, start, begun
        self._told: list[Event | Finish] = []
        self._heir: RunRecorder | None = None
        self._handing = threading.Lock()

    @property
    def is_handed(self) -> bool:
        return self._heir is not None

    def put(self, event: Event) -> None:
        with self._handing:
            super().put(event)
            self._hand_on(event)

    def finish(self, finish: Finish) -> None:
        with self._handing:
            super().finish(finish)
            self._hand_on(finish)

    def hand_to(self, heir: RunRecorder) -> None:
        """What was told so far, and from now on what will be: as if it had been there from the start."""
        with self._handing:
            self._heir = heir
            told, self._told = self._told, []
            for each in told:
                self._hand_on(each)

    def _hand_on(self, told: Event | Finish) -> None:
        if self._heir is None:
            self._told.append(told)
        elif isinstance(told, Finish):
            self._heir.finish(told)
        else:
            self._heir.put(told)


def hand_over(
    early: Sessions, going: Iterable[EarlyRecorder], into: Sessions, begin: Begin, known: Container[SessionId]
) -> Handed:
    """All sessions that aren't `known` there yet. Nothing may be written into `early` meanwhile."""
    handed = Handed()
    for info in early.rows(0, AT_ONCE):
        if info.id not in known and (whole := early.whole(info.id, going=False)) is not None:
            _add(early.numbers(info.id), info.id, whole, into, handed)
    for run in going:
        if run.session in handed.sessions and not run.is_handed:
            heir = begin(handed.sessions[run.session], handed.turns[run.turn], run.start, run.begun)
            handed.runs[run.run] = heir.run
            run.hand_to(heir)
    return handed


def _add(turns: tuple[TurnId, ...], session: SessionId, whole: WholeSession, into: Sessions, handed: Handed) -> None:
    """Nothing is read back, since a slow disk may take its time to write it."""
    added = into.add(whole)
    handed.sessions[session] = added.session
    handed.turns.update(zip(turns, added.turns, strict=True))
    for turn, runs in zip(whole.turns, added.runs, strict=True):
        handed.runs.update(zip((run.run.id for run in turn.runs), runs, strict=True))
