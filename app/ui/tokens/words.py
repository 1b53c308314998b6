"""Descriptions of tokens and of the exact prompt, for tooltips and screen readers."""

import unicodedata
from collections.abc import Iterator

from app.engine.meter.trace import Origin, Trace
from app.engine.types import ExactPrompt, TokenLogprobs, TokenScore, TokenScores
from app.i18n import tr
from app.number_format import chance, short_duration
from app.ui.tokens.colors import LEVELS, PLAIN, TOP_BITS, Coloring, Tone
from app.ui.widgets.escapes import visible

MAX_SPOKEN_CHARACTERS = 2000
FIRST = tr("surprisal undefined: the first token has no context")
STALE = tr("The prompt has changed. Press “Surprisal” again to measure it.")
_INKLESS = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
ORIGINS = {
    Origin.DRAFT: tr("accepted draft token"),
    Origin.USER: tr("inserted by you"),
    Origin.BUDGET: tr("inserted by the reasoning budget"),
}


def describe_token(trace: Trace, position: int) -> str:
    """Describe text, probability and latency of a token, as far as known."""
    token = trace.token(position)
    parts = [_named(trace, position)]
    if token.probability is not None:
        parts.append(tr("probability {chance}").format(chance=chance(token.probability)))
    parts += _constraint(token.observed)
    if token.gap is not None:
        parts.append(tr("latency {time}").format(time=short_duration(token.gap)))
    if token.origin in ORIGINS:
        parts.append(ORIGINS[token.origin])
    if token.rejected:
        words = tr("in place of the rejected draft “{token}”")
        parts.append(words.format(token=legible(token.rejected)))
    return ", ".join(parts)


def _constraint(observed: TokenLogprobs | None) -> Iterator[str]:
    if observed is None or observed.formed is None:
        return
    if observed.formed.forced:
        yield tr("forced by the output format")
    if observed.wanted is not None:
        yield tr("in place of “{token}”, which the output format ruled out").format(token=legible(observed.wanted.text))


def legible(text: str) -> str:
    """Make whitespace and invisible characters visible."""
    shown = visible(text)
    return "".join(f"U+{ord(each):04X}" if _has_no_ink(each, at) else each for at, each in enumerate(shown))


def _has_no_ink(character: str, at: int) -> bool:
    """Return whether a text is invisible alone, such as a combining mark."""
    kind = unicodedata.category(character)
    return kind in _INKLESS or (kind in _MARKS and at == 0)


def _named(trace: Trace, position: int) -> str:
    """Return the text of a token, or of the character that it is part of."""
    group = trace.group(position)
    text = legible(trace.token(group[-1]).name)
    if not text:
        return tr("a token without text")
    if len(group) == 1:
        return f"“{text}”"
    words = tr("part {number} of {count} of “{text}”")
    return words.format(number=position - group.start + 1, count=len(group), text=text)


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


def describe_prompt_token(prompt: ExactPrompt, token: int, details: str) -> str:
    start, end = prompt.offsets[token]
    return tr("{number} of {count}: id {id}, {text}, {details}").format(
        number=f"{token + 1:,}",
        count=f"{len(prompt.ids):,}",
        id=prompt.ids[token],
        text=repr(prompt.text[start:end]),
        details=details,
    )


def surprisal_tone(weight: TokenScore | None) -> Tone:
    """Return the tone of a surprisal, on the same scale as for answers."""
    if weight is None:
        return PLAIN
    return min(LEVELS - 1, int(weight.surprise / TOP_BITS[Coloring.SURPRISE] * LEVELS))


def describe_surprisal(weight: TokenScore | None) -> str:
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


def summarize_surprisal(weighed: TokenScores) -> str:
    bits = [weight.surprise for weight in weighed.weights if weight is not None]
    if not bits:
        return FIRST
    words = tr("mean {mean} bits, total {total} bits")
    return words.format(mean=f"{sum(bits) / len(bits):.1f}", total=f"{sum(bits):,.0f}")
