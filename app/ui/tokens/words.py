"""Descriptions of the tokens of an answer, for tooltips and screen readers."""

import unicodedata
from collections.abc import Iterator

from app.engine.meter.trace import Origin, Trace
from app.engine.types import TokenLogprobs
from app.i18n import tr
from app.number_format import chance, short_duration
from app.ui.widgets.escapes import visible

_INKLESS = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
ORIGINS = {
    Origin.DRAFT: tr("from the draft model"),
    Origin.USER: tr("inserted by you"),
    Origin.BUDGET: tr("inserted by the reasoning budget"),
}


def describe_token(trace: Trace, place: int) -> str:
    """Describe text, probability and latency of a token, as far as known."""
    token = trace.token(place)
    parts = [_named(trace, place)]
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


def _named(trace: Trace, place: int) -> str:
    """Return the text of a token, or of the character that it is part of."""
    group = trace.group(place)
    text = legible(trace.token(group[-1]).name)
    if not text:
        return tr("a token without text")
    if len(group) == 1:
        return f"“{text}”"
    words = tr("part {number} of {count} of “{text}”")
    return words.format(number=place - group.start + 1, count=len(group), text=text)
