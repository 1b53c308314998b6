"""How surprising the scripted engine finds a token: made up from its id, always the same."""

from __future__ import annotations

import math

from app.engine.types import Weight

HIGHEST_BITS = 12
STEPS = 8
LIKELIEST = (16, " the")


def weight_of(token: int) -> Weight:
    """Eighths of a bit; what is more surprising than a coin's toss was not the likeliest."""
    bits = token * 37 % (HIGHEST_BITS * STEPS) / STEPS
    logprob = -bits * math.log(2)
    if bits <= 1:
        return Weight(logprob, 1, token, "", logprob)
    return Weight(logprob, round(2**bits), *LIKELIEST, math.log(0.5))
