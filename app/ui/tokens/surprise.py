"""How surprising a prompt's tokens are, as grounds and in words."""

from app.engine.types import TokenWeights, Weight
from app.i18n import tr
from app.number_format import chance
from app.ui.tokens.colours import LEVELS, PLAIN, TOP_BITS, Colouring, Tone

FIRST = tr("surprise not defined, since nothing stands before it")
STALE = tr("The prompt is another one now: press “Surprise” again to have it read.")


def tone_of(weight: Weight | None) -> Tone:
    """On the same scale as the tokens of an answer."""
    if weight is None:
        return PLAIN
    return min(LEVELS - 1, int(weight.surprise / TOP_BITS[Colouring.SURPRISE] * LEVELS))


def words_of(weight: Weight | None) -> str:
    """Surprise 7.31 bits, probability 0.63 %, rank 41; likeliest: “ the” 31 %."""
    if weight is None:
        return FIRST
    words = tr("surprise {bits} bits, probability {chance}, rank {rank}, the likeliest")
    if weight.rank != 1:
        words = tr("surprise {bits} bits, probability {chance}, rank {rank}; likeliest: {text} {its_chance}")
    return words.format(
        bits=f"{weight.surprise:.2f}",
        chance=chance(weight.probability),
        rank=f"{weight.rank:,}",
        text=repr(weight.likeliest_text),
        its_chance=chance(weight.likeliest_probability),
    )


def summary_of(weighed: TokenWeights) -> str:
    """The whole prompt in two figures."""
    bits = [weight.surprise for weight in weighed.weights if weight is not None]
    if not bits:
        return FIRST
    words = tr("mean {mean} bits, {total} bits in all")
    return words.format(mean=f"{sum(bits) / len(bits):.1f}", total=f"{sum(bits):,.0f}")
