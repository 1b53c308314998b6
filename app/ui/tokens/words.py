"""One token in words: short, for a tooltip and for whoever hears the page."""

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
    Origin.USER: tr("put there by you"),
    Origin.BUDGET: tr("put in to end the thoughts"),
}


def tell(trace: Trace, place: int) -> str:
    """Its text, how likely it was and how long it took, as far as that is known."""
    token = trace.token(place)
    parts = [_named(trace, place)]
    if token.probability is not None:
        parts.append(tr("{chance} likely").format(chance=chance(token.probability)))
    parts += _by_form(token.observed)
    if token.gap is not None:
        parts.append(tr("{time} after the last token").format(time=short_duration(token.gap)))
    if token.origin in ORIGINS:
        parts.append(ORIGINS[token.origin])
    if token.rejected:
        words = tr("in place of “{token}”, which the draft model proposed")
        parts.append(words.format(token=legible(token.rejected)))
    return ", ".join(parts)


def _by_form(observed: TokenLogprobs | None) -> Iterator[str]:
    """What the form of the answer had to do with it."""
    if observed is None or observed.formed is None:
        return
    if observed.formed.forced:
        yield tr("forced by the form")
    if observed.wanted is not None:
        yield tr("in place of “{token}”, which the form forbade").format(token=legible(observed.wanted.text))


def legible(text: str) -> str:
    """A text in which nothing is missed: blanks have a sign, and a character without ink of its own has its number."""
    shown = visible(text)
    return "".join(f"U+{ord(each):04X}" if _has_no_ink(each, at) else each for at, each in enumerate(shown))


def _has_no_ink(character: str, at: int) -> bool:
    """A mark has some where there is a letter before it."""
    kind = unicodedata.category(character)
    return kind in _INKLESS or (kind in _MARKS and at == 0)


def _named(trace: Trace, place: int) -> str:
    """Its text; tokens that form one character are told by it."""
    group = trace.group(place)
    text = legible(trace.token(group[-1]).name)
    if not text:
        return tr("a token without text")
    if len(group) == 1:
        return f"“{text}”"
    words = tr("part {number} of {count} of “{text}”")
    return words.format(number=place - group.start + 1, count=len(group), text=text)
