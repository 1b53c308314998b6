"""Puts together what the inspector is told of a token: from its answer's trace, and from the run that it came in."""

from dataclasses import dataclass
from typing import NamedTuple

from app.bridge import conversation
from app.bridge.playground import Playground
from app.displayed_run import DisplayedRun
from app.engine.meter.trace import Trace
from app.engine.types import Form, Request, Sampling
from app.i18n import tr
from app.records.types import RunId, TurnId
from app.state import Turn
from app.ui.inspector import InspectedToken
from app.ui.inspector.form_state import FormReader, FormState


@dataclass(frozen=True, slots=True)
class InspectedTokenRef:
    """One token: the number of its turn, that turn's index on the page, and the token's place in the answer."""

    turn: TurnId
    index: int
    place: int


class _Asked(NamedTuple):
    """What of a run's request is told with its tokens."""

    sampling: Sampling
    ends: frozenset[int]
    form: Form


class Subjects:
    """Asks the playground; a run that was read back without its request is read whole once."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self._past: dict[RunId, _Asked | None] = {}
        self._present: _Asked | None = None
        """Of the run that goes on."""
        self._forms = FormReader()
        self._guess: tuple[TurnId, range, int] = (0, range(0), 0)
        """The least certain of these places of an answer."""

    def begin(self) -> None:
        """A run begins; a fork samples as the answer did that it goes on with."""
        asked = self._playground.request
        if asked is not None:
            self._present = _asked(asked)

    def trace_of(self, spot: InspectedTokenRef) -> Trace | None:
        """The trace that a spot is in, while it is there."""
        turns = self._playground.state.turns
        if spot.index >= len(turns) or turns[spot.index].id != spot.turn:
            return None
        trace = self._playground.traces.of(spot.turn)
        return trace if trace is not None and 0 <= spot.place < len(trace) else None

    def spot(self, index: int, place: int) -> InspectedTokenRef | None:
        """The token at this place of the turn `index`."""
        turns = self._playground.state.turns
        if not 0 <= index < len(turns):
            return None
        spot = InspectedTokenRef(turns[index].id, index, place)
        return spot if self.trace_of(spot) is not None else None

    def first_guess(self, shown: DisplayedRun) -> InspectedTokenRef | None:
        """Where to begin with the run that is shown: at its least certain token, or the newest while it goes on."""
        turns = self._playground.state.turns
        if shown.replay or not 0 <= shown.index < len(turns):
            return None
        trace = self._playground.traces.of(shown.turn)
        if trace is None:
            self._playground.traces.want(turns[shown.index])
            return None
        places = trace.places(shown.number)
        if not places:
            return None
        return self.spot(shown.index, places[-1] if shown.live else self._least_certain(shown.turn, trace, places))

    def run_of(self, spot: InspectedTokenRef) -> int:
        """Which of the answer's runs; what was kept in a fork belongs to the first."""
        trace = self.trace_of(spot)
        return max(0, trace.run(spot.place)[0]) if trace is not None else 0

    def of(self, spot: InspectedTokenRef) -> InspectedToken | None:
        """All that is told of it."""
        trace = self.trace_of(spot)
        if trace is None:
            return None
        turn, group = self._playground.state.turns[spot.index], trace.group(spot.place)
        number = self.run_of(spot)
        settings, eos, token = self._settings(turn, number), dict(self._eos(turn, number)), trace.token(spot.place)
        return InspectedToken(
            index=spot.index,
            token=token,
            of=len(trace),
            group=tuple(map(trace.token, group)) if len(group) > 1 else (),
            sampling=settings.sampling if settings is not None else None,
            ends=frozenset(eos) | (settings.ends if settings is not None else frozenset()),
            form=self._form(spot, trace, settings.form if settings is not None else Form()),
            end_text=eos.get(token.id, ""),
            precision=self._precision(turn, number),
            silent=self._silent(turn, trace.run(spot.place)[0]),
            growing=turn.open,
        )

    def _form(self, spot: InspectedTokenRef, trace: Trace, form: Form) -> FormState | None:
        return self._forms.before(spot.turn, form, trace, spot.place) if form else None

    def _silent(self, turn: Turn, number: int) -> str:
        """Why a replay could not tell what else this run might have said."""
        model = self._playground.state.model
        if number < 0:
            return tr("It was kept from another branch, whose run is to be replayed there.")
        if number >= len(turn.runs):
            return ""
        run = turn.runs[number]
        if run.finish.wire is not None:
            return tr("The server that wrote this answer did not tell.")
        known = self._playground.book.models.known
        return conversation.mismatch_reason(run, model, known) if model is not None else ""

    def _least_certain(self, turn: TurnId, trace: Trace, places: range) -> int:
        """The last one where nothing was recorded."""
        if self._guess[:2] != (turn, places):
            seen = ((place, trace.observed_at(place)) for place in places)
            chances = [(choice.chosen.logprob, place) for place, choice in seen if choice is not None]
            self._guess = (turn, places, min(chances, default=(0.0, places[-1]))[1])
        return self._guess[2]

    def _settings(self, turn: Turn, number: int) -> _Asked | None:
        """How the run with this number chose, and at which tokens the user has it end.

        What was kept in a fork was chosen as that goes on, and so belongs to its first run.
        """
        if number >= len(turn.runs):
            return self._present
        run = turn.runs[number]
        if not run.is_partial:
            return _asked(run.request)
        if run.id not in self._past:
            whole = self._playground.load_full(run)
            self._past[run.id] = None if whole.is_partial else _asked(whole.request)
        return self._past[run.id]

    def _precision(self, turn: Turn, number: int) -> str:
        """Of a run that goes on, as the model has it that is open."""
        model = self._playground.state.model
        return turn.runs[number].finish.precision if number < len(turn.runs) else model.precision if model else ""

    def _eos(self, turn: Turn, number: int) -> tuple[tuple[int, str], ...]:
        """The tokens that end the model's answers, with what it calls them, as far as that model is known."""
        run, open_one = turn.runs[number] if number < len(turn.runs) else None, self._playground.state.model
        if run is not None and run.on is not None:
            return run.on.eos
        same = open_one is not None and (run is None or run.model == open_one.name)
        return open_one.eos if open_one is not None and same else ()


def _asked(request: Request) -> _Asked:
    return _Asked(request.sampling, frozenset(request.limits.stop_ids), request.form)
