"""The traces of the displayed answers: generated since startup, or read from the journal."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.bridge.session_store import SessionStore
from app.engine.meter.meter import Frame
from app.engine.meter.trace import Trace
from app.engine.types import Finish, PromptEvent, TokenLogprobs
from app.records.types import TurnId
from app.state import Turn

KEPT_TOKENS = 200_000
KEPT_ANSWERS = 1_000
"""Limits of tokens and answers. Beyond them the oldest traces are dropped; they are still in the journal."""


class Traces(QObject):
    """The traces of answers, by the id of the turn."""

    grew = Signal(object)
    """The TurnId of the answer that is being generated, after each frame."""
    changed = Signal(object)
    """The TurnId of an answer whose trace was completed, read or extended."""

    def __init__(self, book: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._known: dict[TurnId, Trace] = {}
        self._asked: dict[TurnId, Turn] = {}
        self._open: TurnId = 0
        """The answer that is being generated; 0 if it has no trace."""
        self._open_turn: Turn | None = None
        self._sent = 0.0

    def of(self, turn: TurnId) -> Trace | None:
        """Return a trace in memory; None if it isn't (`want` reads it)."""
        return self._known.get(turn)

    def want(self, turn: Turn) -> None:
        """Read the trace of an answer from the journal, unless it is in memory; then emit `changed`."""
        here = turn.id in self._known or turn.id in self._asked or turn.open
        if turn.id and turn.runs and not here:
            self._asked[turn.id] = turn
            self._book.tasks.start(self._read(turn))

    def begin(self, turn: Turn, sent: float) -> None:
        """Prepare for a run that begins or continues this answer."""
        self._open_turn, self._sent = turn, sent
        trace = self._known.get(turn.id) if turn.runs else Trace()
        if turn.forked is not None and not turn.runs and turn.forked.turn not in self._known:
            trace = None
        self._open = turn.id if trace is not None else 0
        if trace is not None:
            self._known[turn.id] = trace
            if turn.runs or turn.forked is None:
                trace.begin_run(sent)

    def advance(self, frame: Frame) -> None:
        trace = self._known.get(self._open)
        if trace is None:
            return
        if frame.prompted is not None and frame.prompted.prompt.begun:
            self._fork(trace, frame.prompted)
        trace.extend(frame.tokens)
        for token in frame.tokens:
            trace.show(token.shown)
        if frame.tokens or (len(trace) and frame.prompted is not None):
            self.grew.emit(self._open)

    def _fork(self, trace: Trace, prompted: PromptEvent) -> None:
        assert self._open_turn is not None and self._open_turn.forked is not None
        forked, prompt = self._open_turn.forked, prompted.prompt
        ids = prompt.ids[len(prompt.ids) - len(prompt.begun) :]
        trace.fork(self._known[forked.turn], forked.place, ids, prompt.begun, self._sent)
        trace.show(prompted.shown)

    def finish(self, finish: Finish) -> None:
        turn, self._open, self._open_turn = self._open, 0, None
        trace = self._known.get(turn)
        if trace is not None:
            trace.show(finish.released)
            if finish.drafted is not None:
                trace.reject(finish.drafted.rejected)
            if finish.thinking is not None:
                trace.mark_inserted(finish.thinking.put)
            self.changed.emit(turn)
        self._drop_oldest()

    def store_logprobs(self, turn: Turn, number: int, observed: Sequence[TokenLogprobs]) -> None:
        """Store the logprobs that a replay recorded for one of the runs of this answer."""
        trace = self._known.get(turn.id)
        if trace is not None:
            trace.learn(number, observed)
            self._book.store_logprobs(turn.runs[number], observed)
            self.changed.emit(turn.id)

    def forget(self) -> None:
        self._known.clear()
        self._asked.clear()

    async def _read(self, turn: Turn) -> None:
        try:
            trace = await self._book.trace(turn)
        finally:
            wanted = self._asked.get(turn.id) is turn
            if wanted:
                del self._asked[turn.id]
        if wanted and trace is not None and turn.id not in self._known:
            self._known[turn.id] = trace
            self.changed.emit(turn.id)
            self._drop_oldest(turn.id)

    def _drop_oldest(self, spared: TurnId = 0) -> None:
        """Drop the oldest traces above the limits; the last one always stays."""
        total = sum(map(len, self._known.values()))
        for turn in list(self._known)[:-1]:
            if total <= KEPT_TOKENS and len(self._known) <= KEPT_ANSWERS:
                return
            if turn not in self._in_use(spared):
                total -= len(self._known.pop(turn))

    def _in_use(self, asked: TurnId) -> tuple[TurnId, ...]:
        """Return the turns whose traces are in use, including the origin of the open fork."""
        forked = self._open_turn.forked if self._open_turn is not None else None
        return (self._open, asked, forked.turn if forked is not None else 0)
