"""Analyzes why a run stopped: EOS probability at the last token, and its earlier peak."""

from dataclasses import dataclass
from math import isnan

from app.engine.meter.trace import Trace, TraceToken
from app.engine.types import Finish, Reason

HIGH = 0.2
"""An earlier peak of the EOS probability at or above this is mentioned. At 20 %, four of five samples still continue,
and greedy decoding always does.
"""
NOTICED = 0.01
"""Peaks of the EOS probability below this are not shown."""


@dataclass(frozen=True, slots=True)
class TokenMoment:
    """EOS probability at one token."""

    place: int
    probability: float


@dataclass(frozen=True, slots=True)
class StopAnalysis:
    """The last token of a run and the peak of the EOS probability."""

    last: TraceToken
    """Last token of the run; the EOS token or the end of a stop string, if one ended it."""
    in_reasoning: bool
    """Whether the last token, or the last visible text before it, is in the reasoning."""
    likeliest: TokenMoment | None
    """Peak of the EOS probability before the last token; None without recorded alternatives."""

    @property
    def end(self) -> float | None:
        """EOS probability at the last token."""
        observed = self.last.observed
        return observed.eos_probability if observed is not None and not isnan(observed.eos_probability) else None


def analyze_stop(trace: Trace, finish: Finish) -> StopAnalysis | None:
    """Analyze the newest run of an answer; None if it generated nothing."""
    written = min(finish.tokens, len(trace))
    if not written:
        return None
    first, last = len(trace) - written, len(trace) - 1
    # The token that ended the answer doesn't count as an earlier peak.
    others = range(first, last if finish.reason is Reason.STOP else last + 1)
    return StopAnalysis(trace.token(last), _in_reasoning(trace, first, last), _likeliest(trace, others))


def _likeliest(trace: Trace, places: range) -> TokenMoment | None:
    """Return the token with the highest EOS probability; None without one: servers don't report any."""
    best: TokenMoment | None = None
    for place in places:
        observed = trace.observed_at(place)
        if observed is not None and observed.eos_probability > (best.probability if best is not None else -1.0):
            best = TokenMoment(place, observed.eos_probability)
    return best


def _in_reasoning(trace: Trace, first: int, last: int) -> bool:
    """Return whether a token is in the reasoning; a token without text counts like the one before it."""
    seen = next((seen for place in range(last, first - 1, -1) if (seen := trace.seen(place)) is not None), None)
    return seen is not None and seen.reasoning
