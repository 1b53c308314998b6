"""Recorded choices and tokens, made by hand."""

import math

from app.engine.meter.trace import Origin, TraceToken
from app.engine.types import Alternative, Sampling, TokenLogprobs
from app.ui.inspector.subject import InspectedToken

SHARES = (0.4, 0.3, 0.1)


def choice(chosen: int = 0, shares: tuple[float, ...] = SHARES, texts: str = "abcdef") -> TokenLogprobs:
    """Make alternatives with the ids 100, 101 and so on; the sampled token may be below all of them."""
    top = tuple(
        Alternative(100 + position, texts[position], math.log(share), 5.0 - position)
        for position, share in enumerate(shares)
    )
    taken = top[chosen] if chosen < len(top) else Alternative(100 + chosen, "z", math.log(0.05), -1.5)
    entropy = -sum(share * math.log(share) for share in shares)
    return TokenLogprobs(taken, chosen + 1, top, entropy, 0.0123, 1 - sum(shares))


def token(
    position: int = 16, observed: TokenLogprobs | None = None, text: str = " b", origin: Origin = Origin.MODEL
) -> TraceToken:
    return TraceToken(position, 101, text, origin, 1.234, 0.00412, observed)


def subject(
    observed: TokenLogprobs | None = None, position: int = 16, sampling: Sampling | None = None
) -> InspectedToken:
    return InspectedToken(3, token(position, observed), 212, (), sampling or Sampling(1.0, top_k=2))
