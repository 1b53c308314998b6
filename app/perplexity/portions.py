"""Parts of a text: blocks of adjacent tokens, kinds of tokens, and lengths of context."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from app.engine.types import ExactPrompt
from app.perplexity.figures import STRETCH, standard_error

LEAST_CONTEXT = 16
CODE = re.compile(r"^```.*?(?:^```|\Z)|^(?: {4}|\t)[^\n]*", re.MULTILINE | re.DOTALL)
"""Markdown code blocks: fenced or indented."""


class Kind(StrEnum):
    """The kind of most of a token's characters."""

    WORDS = "words"
    DIGITS = "digits"
    PUNCTUATION = "punctuation"
    CODE = "code"
    BLANKS = "blanks"


@dataclass(frozen=True, slots=True)
class Portion:
    """Mean values of a group of tokens. `start`: the group's first token, as an index into the counted tokens."""

    name: str | int
    start: int
    tokens: int
    nats_per_token: float
    standard_error: float | None
    kl_mean: float | None


def by_kind(prompt: ExactPrompt, places: Sequence[int], nats: Sequence[float], kl: Sequence[float]) -> list[Portion]:
    """Group the tokens by kind, the most frequent kind first."""
    found = _portions([str(each) for each in kinds(prompt, places)], nats, kl)
    return sorted(found, key=lambda each: -each.tokens)


def by_stretch(nats: Sequence[float], kl: Sequence[float]) -> list[Portion]:
    """Group the tokens by blocks of `STRETCH`, in the order of the text; a name is the block's number."""
    return _portions([place // STRETCH for place in range(len(nats))], nats, kl)


def by_context(before: Sequence[int], nats: Sequence[float], kl: Sequence[float]) -> list[Portion]:
    """Group the tokens by the length of their context.

    A name n means n to 2n - 1 tokens of context; 0: fewer than LEAST_CONTEXT.
    """
    found = _portions([_at_least(each) for each in before], nats, kl)
    return sorted(found, key=lambda each: int(each.name))


def kinds(prompt: ExactPrompt, places: Sequence[int]) -> list[Kind]:
    """Return the kinds of the tokens at these positions."""
    code = bytearray(len(prompt.text))
    for found in CODE.finditer(prompt.text):
        code[found.start() : found.end()] = b"\1" * (found.end() - found.start())
    return [_kind(prompt.text[slice(*prompt.offsets[at])], any(code[slice(*prompt.offsets[at])])) for at in places]


def _kind(text: str, in_code: bool) -> Kind:
    if in_code:
        return Kind.CODE
    if not text.strip():
        return Kind.BLANKS
    if any(map(str.isalpha, text)):
        return Kind.WORDS
    return Kind.DIGITS if any(map(str.isdigit, text)) else Kind.PUNCTUATION


def _at_least(before: int) -> int:
    return 1 << (before.bit_length() - 1) if before >= LEAST_CONTEXT else 0


def _portions(names: Sequence[str | int], nats: Sequence[float], kl: Sequence[float]) -> list[Portion]:
    places: dict[str | int, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    return [_portion(name, at, nats, kl) for name, at in places.items()]


def _portion(name: str | int, places: Sequence[int], nats: Sequence[float], kl: Sequence[float]) -> Portion:
    own = [nats[place] for place in places]
    apart = [kl[place] for place in places if place < len(kl)]
    mean = fsum(apart) / len(apart) if apart else None
    return Portion(name, places[0], len(own), fsum(own) / len(own), standard_error(own, places), mean)
