"""Why a run stopped, as far as its own tokens tell: how likely its last token was, and how near it came to an end."""

from dataclasses import dataclass
from math import isnan

from app.engine.meter.trace import Trace, TraceToken
from app.engine.types import Finish, Reason

HIGH = 0.2
"""An earlier peak of the EOS probability from which on it is mentioned of an answer that ended with EOS. Four of five
samples still continue there, and greedy decoding always does."""
NOTICED = 0.01
"""Peaks of the EOS probability below this are not shown."""


@dataclass(frozen=True, slots=True)
class TokenMoment:
    """How likely the end of the answer was when a token was chosen."""

    place: int
    probability: float


@dataclass(frozen=True, slots=True)
class StopAnalysis:
    """The last token of a run, and when its answer was likeliest to end."""

    last: TraceToken
    """The one after which the run was over; where the model or a stop string ended it, the one that did."""
    in_reasoning: bool
    """The reader sees it, or what was written last before it, as reasoning."""
    likeliest: TokenMoment | None
    """Where the end was likeliest among the tokens that did not end it; None where no candidates were recorded."""

    @property
    def end(self) -> float | None:
        """How likely the end was at the last token."""
        observed = self.last.observed
        return observed.eos_probability if observed is not None and not isnan(observed.eos_probability) else None


def stopping_of(trace: Trace, finish: Finish) -> StopAnalysis | None:
    """What the newest run of an answer tells of its end; None if it wrote nothing."""
    written = min(finish.tokens, len(trace))
    if not written:
        return None
    first, last = len(trace) - written, len(trace) - 1
    # The token that ends the answer is an end, not a moment at which it almost came.
    others = range(first, last if finish.reason is Reason.STOP else last + 1)
    return StopAnalysis(trace.token(last), _in_reasoning(trace, first, last), _likeliest(trace, others))


def _likeliest(trace: Trace, places: range) -> TokenMoment | None:
    """A server doesn't tell how likely an end was: that is above nothing."""
    best: TokenMoment | None = None
    for place in places:
        observed = trace.observed_at(place)
        if observed is not None and observed.eos_probability > (best.probability if best is not None else -1.0):
            best = TokenMoment(place, observed.eos_probability)
    return best


def _in_reasoning(trace: Trace, first: int, last: int) -> bool:
    """A token that is seen nowhere, such as one without text, stands where the one before it does."""
    seen = next((seen for place in range(last, first - 1, -1) if (seen := trace.seen(place)) is not None), None)
    return seen is not None and seen.reasoning
