"""How surprising a prompt's tokens are, as grounds and in words."""

from __future__ import annotations

from app.engine.types import Weighed, Weight
from app.widgets.formatting import chance
from app.widgets.token_colours import LEVELS, PLAIN, TOP_BITS, Colouring, Tone

FIRST = "surprise not defined, since nothing stands before it"
STALE = "The prompt is another one now: press “Surprise” again to have it read."


def tone_of(weight: Weight | None) -> Tone:
    """On the same scale as the tokens of an answer."""
    if weight is None:
        return PLAIN
    return min(LEVELS - 1, int(weight.surprise / TOP_BITS[Colouring.SURPRISE] * LEVELS))


def words_of(weight: Weight | None) -> str:
    """Surprise 7.31 bits, probability 0.63 %, rank 41; likeliest: “ the” 31 %."""
    if weight is None:
        return FIRST
    own = f"surprise {weight.surprise:.2f} bits, probability {chance(weight.probability)}, rank {weight.rank:,}"
    if weight.rank == 1:
        return f"{own}, the likeliest"
    return f"{own}; likeliest: {weight.likeliest_text!r} {chance(weight.likeliest_probability)}"


def summary_of(weighed: Weighed) -> str:
    """The whole prompt in two figures."""
    bits = [weight.surprise for weight in weighed.weights if weight is not None]
    return f"mean {sum(bits) / len(bits):.1f} bits, {sum(bits):,.0f} bits in all" if bits else FIRST
