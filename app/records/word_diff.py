"""Two texts word by word: what both say, what only the first says, what only the second."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from app.engine.text import common_prefix

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
LONGEST = 20_000
"""So many words are compared; what follows is told as different, since the time grows with the square."""


class DiffSide(StrEnum):
    """Whose words they are."""

    BOTH = "both"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words in a row, blanks included, that belong to one side."""

    side: DiffSide
    text: str


def word_diff(first: str, second: str) -> tuple[Stretch, ...]:
    """The stretches in reading order. Those of BOTH and FIRST joined are the first text, and so for the second."""
    return tuple(_joined(_stretches(first, second)))


def _stretches(first: str, second: str) -> Iterator[Stretch]:
    left, right = _WORD.findall(first), _WORD.findall(second)
    head = common_prefix(left, right)
    tail = common_prefix(left[head:][::-1], right[head:][::-1])
    yield Stretch(DiffSide.BOTH, "".join(left[:head]))
    yield from _differing(left[head : len(left) - tail], right[head : len(right) - tail])
    yield Stretch(DiffSide.BOTH, "".join(left[len(left) - tail :]))


def _differing(left: list[str], right: list[str]) -> Iterator[Stretch]:
    matcher = SequenceMatcher(None, left[:LONGEST], right[:LONGEST], autojunk=len(left) + len(right) > LONGEST // 10)
    for tag, start, end, other_start, other_end in matcher.get_opcodes():
        if tag == "equal":
            yield Stretch(DiffSide.BOTH, "".join(left[start:end]))
        else:
            yield Stretch(DiffSide.FIRST, "".join(left[start:end]))
            yield Stretch(DiffSide.SECOND, "".join(right[other_start:other_end]))
    yield Stretch(DiffSide.FIRST, "".join(left[LONGEST:]))
    yield Stretch(DiffSide.SECOND, "".join(right[LONGEST:]))


def _joined(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    """Without empty ones, and neighbours of one side as one."""
    held: Stretch | None = None
    for stretch in stretches:
        if not stretch.text:
            continue
        if held is not None and held.side is stretch.side:
            held = Stretch(held.side, held.text + stretch.text)
        else:
            if held is not None:
                yield held
            held = stretch
    if held is not None:
        yield held
