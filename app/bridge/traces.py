"""The traces of the answers in sight: those written while the window was open, and those read back from the journal."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from app.bridge.session_store import SessionStore
from app.engine.meter.frame import Frame
from app.engine.meter.trace import Trace
from app.engine.types import Finish, Prompted, TokenLogprobs
from app.records.types import TurnId
from app.state import Turn

KEPT_TOKENS = 200_000
KEPT_ANSWERS = 1_000
"""Beyond so many of either the traces that were made first are let go; the journal has them."""


class Traces(QObject):
    """One trace for each answer, by the number of its turn."""

    grew = Signal(object)
    """The TurnId of the answer that is being written, with each frame: few need to know."""
    changed = Signal(object)
    """The TurnId of an answer whose trace is whole, is there now, or knows more."""

    def __init__(self, book: SessionStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._known: dict[TurnId, Trace] = {}
        self._asked: dict[TurnId, Turn] = {}
        self._open: TurnId = 0
        """The answer that is being written, where its trace is here."""
        self._going: Turn | None = None
        self._sent = 0.0

    def of(self, turn: TurnId) -> Trace | None:
        """What is known at once; `want` has the rest read."""
        return self._known.get(turn)

    def want(self, turn: Turn) -> None:
        """Have the trace of an answer read from the journal, unless it is here; `changed` tells when it has come."""
        here = turn.id in self._known or turn.id in self._asked or turn.open
        if turn.id and turn.runs and not here:
            self._asked[turn.id] = turn
            self._book.tasks.start(self._read(turn))

    def begin(self, turn: Turn, sent: float) -> None:
        """A run of this answer is about to begin: the first one, or one that goes on with it."""
        self._going, self._sent = turn, sent
        trace = self._known.get(turn.id) if turn.runs else Trace()
        if turn.forked is not None and not turn.runs and turn.forked.turn not in self._known:
            trace = None
        self._open = turn.id if trace is not None else 0
        if trace is not None:
            self._known[turn.id] = trace
            if turn.runs or turn.forked is None:
                trace.begin_run(sent)

    def advance(self, frame: Frame) -> None:
        """What has come of the run that goes on."""
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

    def _fork(self, trace: Trace, prompted: Prompted) -> None:
        """What the answer begins with is known now."""
        assert self._going is not None and self._going.forked is not None
        forked, prompt = self._going.forked, prompted.prompt
        ids = prompt.ids[len(prompt.ids) - len(prompt.begun) :]
        trace.fork(self._known[forked.turn], forked.place, ids, prompt.begun, self._sent)
        trace.show(prompted.shown)

    def finish(self, finish: Finish) -> None:
        """The run is over; `advance` has had its last frame."""
        turn, self._open, self._going = self._open, 0, None
        trace = self._known.get(turn)
        if trace is not None:
            trace.show(finish.released)
            if finish.drafted is not None:
                trace.reject(finish.drafted.rejected)
            if finish.thinking is not None:
                trace.put_in(finish.thinking.put)
            self.changed.emit(turn)
        self._let_go()

    def store_logprobs(self, turn: Turn, number: int, observed: Sequence[TokenLogprobs]) -> None:
        """What a replay saw of the choices that one of its runs began with; it is kept with that run."""
        trace = self._known.get(turn.id)
        if trace is not None:
            trace.learn(number, observed)
            self._book.store_logprobs(turn.runs[number], observed)
            self.changed.emit(turn.id)

    def forget(self) -> None:
        """There are none of these turns any more."""
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
            self._let_go(turn.id)

    def _let_go(self, spared: TurnId = 0) -> None:
        """So many at the most; the last one always stays."""
        total = sum(map(len, self._known.values()))
        for turn in list(self._known)[:-1]:
            if total <= KEPT_TOKENS and len(self._known) <= KEPT_ANSWERS:
                return
            if turn not in self._spared(spared):
                total -= len(self._known.pop(turn))

    def _spared(self, asked: TurnId) -> tuple[TurnId, ...]:
        """What is in use: also the answer that the open one is being forked from."""
        forked = self._going.forked if self._going is not None else None
        return (self._open, asked, forked.turn if forked is not None else 0)
