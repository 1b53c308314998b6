"""One token in words: short, for a tooltip and for whoever hears the page."""

from __future__ import annotations

import unicodedata

from app.engine.trace import Origin, Trace
from app.widgets.escapes import visible
from app.widgets.formatting import chance, short_duration

_INKLESS = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
ORIGINS = {Origin.DRAFT: "from the draft model", Origin.USER: "put there by you"}


def tell(trace: Trace, place: int) -> str:
    """Its text, how likely it was and how long it took, as far as that is known."""
    token = trace.token(place)
    parts = [_named(trace, place)]
    if token.probability is not None:
        parts.append(f"{chance(token.probability)} likely")
    if token.gap is not None:
        parts.append(f"{short_duration(token.gap)} after the last token")
    if token.origin in ORIGINS:
        parts.append(ORIGINS[token.origin])
    if token.rejected:
        parts.append(f"in place of “{legible(token.rejected)}”, which the draft model proposed")
    return ", ".join(parts)


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
        return "a token without text"
    return f"“{text}”" if len(group) == 1 else f"part {place - group.start + 1} of {len(group)} of “{text}”"
