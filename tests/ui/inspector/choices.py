"""Recorded choices and tokens, made by hand."""

import math

from app.engine.meter.trace import Origin, Traced
from app.engine.types import Candidate, Observed, Sampling
from app.ui.inspector import Subject

SHARES = (0.4, 0.3, 0.1)


def choice(chosen: int = 0, shares: tuple[float, ...] = SHARES, texts: str = "abcdef") -> Observed:
    """Candidates with the ids 100, 101 and so on; the one that was taken may be below all of them."""
    top = tuple(
        Candidate(100 + place, texts[place], math.log(share), 5.0 - place) for place, share in enumerate(shares)
    )
    taken = top[chosen] if chosen < len(top) else Candidate(100 + chosen, "z", math.log(0.05), -1.5)
    entropy = -sum(share * math.log(share) for share in shares)
    return Observed(taken, chosen + 1, top, entropy, 0.0123, 1 - sum(shares))


def token(place: int = 16, observed: Observed | None = None, text: str = " b", origin: Origin = Origin.MODEL) -> Traced:
    return Traced(place, 101, text, origin, 1.234, 0.00412, observed)


def subject(observed: Observed | None = None, place: int = 16, sampling: Sampling | None = None) -> Subject:
    return Subject(3, token(place, observed), 212, (), sampling or Sampling(1.0, top_k=2))
