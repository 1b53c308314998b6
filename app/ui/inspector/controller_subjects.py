"""Looks up tokens for the inspector in the traces and runs of their answers."""

from dataclasses import dataclass

from app.bridge import conversation
from app.bridge.playground import Playground
from app.engine.meter.trace import Trace
from app.engine.types import OutputFormat, Request
from app.i18n import tr
from app.records.types import RunId, TurnId
from app.state import DisplayedRun, Turn
from app.ui.inspector.subject import FormatReader, InspectedToken


@dataclass(frozen=True, slots=True)
class InspectedTokenRef:
    """A token: id of its turn, index of the turn on the page, place in the answer."""

    turn: TurnId
    index: int
    position: int


class TokenLookup:
    """A lookup of tokens. It loads the request of each run from the session database only once."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self._past: dict[RunId, Request | None] = {}
        self._present: Request | None = None
        """The request of the active run."""
        self._formats = FormatReader()
        self._guess: tuple[TurnId, range, int] = (0, range(0), 0)
        """The least probable token among these places of an answer."""

    def begin(self) -> None:
        """Store the request of a starting run."""
        self._present = self._playground.request or self._present

    def trace_of(self, spot: InspectedTokenRef) -> Trace | None:
        """Return the trace of a token that is still on the page."""
        turns = self._playground.state.turns
        if spot.index >= len(turns) or turns[spot.index].id != spot.turn:
            return None
        trace = self._playground.traces.of(spot.turn)
        return trace if trace is not None and 0 <= spot.position < len(trace) else None

    def spot(self, index: int, position: int) -> InspectedTokenRef | None:
        turns = self._playground.state.turns
        if not 0 <= index < len(turns):
            return None
        spot = InspectedTokenRef(turns[index].id, index, position)
        return spot if self.trace_of(spot) is not None else None

    def first_guess(self, shown: DisplayedRun) -> InspectedTokenRef | None:
        """Return the token of a run to show first: the least probable one, or the newest while it streams."""
        turns = self._playground.state.turns
        if shown.replay or not 0 <= shown.index < len(turns):
            return None
        trace = self._playground.traces.of(shown.turn)
        if trace is None:
            self._playground.traces.want(turns[shown.index])
            return None
        positions = trace.positions(shown.number)
        if not positions:
            return None
        return self.spot(
            shown.index, positions[-1] if shown.live else self._least_certain(shown.turn, trace, positions)
        )

    def run_of(self, spot: InspectedTokenRef) -> int:
        """Return the number of the run within its answer; tokens from before a fork belong to the first."""
        trace = self.trace_of(spot)
        return max(0, trace.run(spot.position)[0]) if trace is not None else 0

    def inspect(self, spot: InspectedTokenRef) -> InspectedToken | None:
        trace = self.trace_of(spot)
        if trace is None:
            return None
        turn, group = self._playground.state.turns[spot.index], trace.group(spot.position)
        number = self.run_of(spot)
        request, eos, token = self._request(turn, number), dict(self._eos(turn, number)), trace.token(spot.position)
        output_format = request.form if request is not None else OutputFormat()
        return InspectedToken(
            index=spot.index,
            token=token,
            of=len(trace),
            group=tuple(map(trace.token, group)) if len(group) > 1 else (),
            sampling=request.sampling if request is not None else None,
            ends=frozenset(eos) | frozenset(request.limits.stop_ids if request is not None else ()),
            output_format=self._formats.before(spot.turn, output_format, trace, spot.position)
            if output_format
            else None,
            end_text=eos.get(token.id, ""),
            precision=self._precision(turn, number),
            unavailable=self._why_unavailable(turn, trace.run(spot.position)[0]),
            growing=turn.open,
        )

    def _why_unavailable(self, turn: Turn, number: int) -> str:
        """Return the reason that a rerun can't record the alternatives of this run; empty if it can."""
        model = self._playground.state.model
        if number < 0:
            return tr("This token is from another branch. Rerun it there.")
        if number >= len(turn.runs):
            return ""
        run = turn.runs[number]
        if run.finish.wire is not None:
            return tr("The server did not send them.")
        known = self._playground.book.models.known
        return conversation.mismatch_reason(run, model, known) if model is not None else ""

    def _least_certain(self, turn: TurnId, trace: Trace, positions: range) -> int:
        """Return the least probable token; the last one without recorded logprobs."""
        if self._guess[:2] != (turn, positions):
            seen = ((position, trace.logprobs_at(position)) for position in positions)
            chances = [(choice.chosen.logprob, position) for position, choice in seen if choice is not None]
            self._guess = (turn, positions, min(chances, default=(0.0, positions[-1]))[1])
        return self._guess[2]

    def _request(self, turn: Turn, number: int) -> Request | None:
        """Return the request of a run; tokens from before a fork have that of its first run."""
        if number >= len(turn.runs):
            return self._present
        run = turn.runs[number]
        if not run.is_partial:
            return run.request
        if run.id not in self._past:
            full_run = self._playground.load_full(run)
            self._past[run.id] = None if full_run.is_partial else full_run.request
        return self._past[run.id]

    def _precision(self, turn: Turn, number: int) -> str:
        """Return the dtype of a run, or of the open model while it streams."""
        model = self._playground.state.model
        return turn.runs[number].finish.precision if number < len(turn.runs) else model.precision if model else ""

    def _eos(self, turn: Turn, number: int) -> tuple[tuple[int, str], ...]:
        """Return the EOS tokens of the model with their names; empty if unknown."""
        run, open_one = turn.runs[number] if number < len(turn.runs) else None, self._playground.state.model
        if run is not None and run.on is not None:
            return run.on.eos
        same = open_one is not None and (run is None or run.model == open_one.name)
        return open_one.eos if open_one is not None and same else ()
