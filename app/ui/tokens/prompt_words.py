"""Descriptions of the exact prompt and its tokens, with surprisal."""

from app.engine.types import ExactPrompt, TokenWeights, Weight
from app.i18n import tr
from app.number_format import chance
from app.ui.tokens.colours import LEVELS, PLAIN, TOP_BITS, Colouring, Tone

MAX_SPOKEN_CHARACTERS = 2000
FIRST = tr("surprisal undefined: the first token has no context")
STALE = tr("The prompt has changed. Press “Surprisal” again to measure it.")


def describe_prompt_token(prompt: ExactPrompt, token: int, details: str) -> str:
    start, end = prompt.offsets[token]
    return tr("{number} of {count}: id {id}, {text}, {details}").format(
        number=f"{token + 1:,}",
        count=f"{len(prompt.ids):,}",
        id=prompt.ids[token],
        text=repr(prompt.text[start:end]),
        details=details,
    )


def describe_prompt(prompt: ExactPrompt | None, reused: int) -> str:
    """Describe a prompt: number of tokens, cached tokens, and text."""
    if prompt is None:
        return tr("No prompt yet.")
    words = tr(
        "%n tokens, {reused} cached: {text}",
        "%n token, {reused} cached: {text}",
        len(prompt.ids),
    )
    return words.format(reused=f"{reused:,}", text=prompt.text[:MAX_SPOKEN_CHARACTERS])


def surprisal_tone(weight: Weight | None) -> Tone:
    """Return the tone of a surprisal, on the same scale as for answers."""
    if weight is None:
        return PLAIN
    return min(LEVELS - 1, int(weight.surprise / TOP_BITS[Colouring.SURPRISE] * LEVELS))


def describe_surprisal(weight: Weight | None) -> str:
    """Return a text such as: surprisal 7.31 bits, probability 0.63 %, rank 41; top token: “ the” 31 %."""
    if weight is None:
        return FIRST
    words = tr("surprisal {bits} bits, probability {chance}, rank {rank} (top token)")
    if weight.rank != 1:
        words = tr("surprisal {bits} bits, probability {chance}, rank {rank}; top token: {text} {its_chance}")
    return words.format(
        bits=f"{weight.surprise:.2f}",
        chance=chance(weight.probability),
        rank=f"{weight.rank:,}",
        text=repr(weight.likeliest_text),
        its_chance=chance(weight.likeliest_probability),
    )


def summarize_surprisal(weighed: TokenWeights) -> str:
    bits = [weight.surprise for weight in weighed.weights if weight is not None]
    if not bits:
        return FIRST
    words = tr("mean {mean} bits, total {total} bits")
    return words.format(mean=f"{sum(bits) / len(bits):.1f}", total=f"{sum(bits):,.0f}")
