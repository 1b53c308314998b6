"""Diff of two texts by words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from app.engine.text import common_prefix

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
LONGEST = 20_000
"""The most words that are compared; others count as different, since the time grows quadratically."""


class DiffSide(StrEnum):
    """The text that contains a segment: the first, the second, or both."""

    BOTH = "both"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """Consecutive words and whitespace on the same side."""

    side: DiffSide
    text: str


def word_diff(first: str, second: str) -> tuple[DiffSegment, ...]:
    """Return the segments in reading order. BOTH and FIRST make the first text, BOTH and SECOND the second."""
    return tuple(_joined(_stretches(first, second)))


def _stretches(first: str, second: str) -> Iterator[DiffSegment]:
    left, right = _WORD.findall(first), _WORD.findall(second)
    head = common_prefix(left, right)
    tail = common_prefix(left[head:][::-1], right[head:][::-1])
    yield DiffSegment(DiffSide.BOTH, "".join(left[:head]))
    yield from _differing(left[head : len(left) - tail], right[head : len(right) - tail])
    yield DiffSegment(DiffSide.BOTH, "".join(left[len(left) - tail :]))


def _differing(left: list[str], right: list[str]) -> Iterator[DiffSegment]:
    matcher = SequenceMatcher(None, left[:LONGEST], right[:LONGEST], autojunk=len(left) + len(right) > LONGEST // 10)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag == "equal":
            yield DiffSegment(DiffSide.BOTH, "".join(left[start:end]))
        else:
            yield DiffSegment(DiffSide.FIRST, "".join(left[start:end]))
            yield DiffSegment(DiffSide.SECOND, "".join(right[other_start:other_end]))
    yield DiffSegment(DiffSide.FIRST, "".join(left[LONGEST:]))
    yield DiffSegment(DiffSide.SECOND, "".join(right[LONGEST:]))


def _joined(stretches: Iterator[DiffSegment]) -> Iterator[DiffSegment]:
    """Drop empty segments and join adjacent ones of the same side."""
    held: DiffSegment | None = None
    for stretch in stretches:
        if not stretch.text:
            continue
        if held is not None and held.side is stretch.side:
            held = DiffSegment(held.side, held.text + stretch.text)
        else:
            if held is not None:
                yield held
            held = stretch
    if held is not None:
        yield held
