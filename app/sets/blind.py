"""Judging by hand without knowing whose answer it is: which two come next, and when it is enough."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from random import Random

from app.sets.pairs import preferences
from app.sets.types import Outcome, Pair

NARROW = 0.1
"""Half the range of how often an arm is preferred; then it is enough."""


@dataclass(frozen=True, slots=True)
class Blind:
    """Two arms' answers to a row."""

    first: int
    second: int
    row: int
    turned: bool
    """The second stands on the left."""


def narrow(each: Pair, half: float = NARROW) -> bool:
    """Whether the range of a preference is small enough; a preference goes from 0 to 1, its difference from −1."""
    return (each.high - each.low) / 4 <= half


def next_blind(outcome: Outcome, seed: int = 0, half: float = NARROW) -> Blind | None:
    """Of the arms that were compared least. None: every range is narrow, or no row is left.

    Rows, and the side of each, come in an order of chance that is the same for the same seed. Where both answers are
    the same text there is nothing to judge.
    """
    texts: dict[int, dict[int, str]] = defaultdict(dict)
    for answer in outcome.answers:
        if not answer.place.repeat:
            texts[answer.place.arm][answer.place.row] = answer.text
    enough = {(each.first, each.second) for each in preferences(outcome.votes) if narrow(each, half)}
    judged = Counter((min(vote.first, vote.second), max(vote.first, vote.second)) for vote in outcome.votes)
    asked = {(min(vote.first, vote.second), max(vote.first, vote.second), vote.row) for vote in outcome.votes}
    chance = Random(seed)
    order = [(row, chance.random() < 0.5) for row in range(len(outcome.study.prompts.rows))]
    chance.shuffle(order)
    numbered = combinations(range(len(outcome.study.arms)), 2)
    for first, second in sorted(set(numbered) - enough, key=lambda arms: (judged[arms], arms)):
        ours, theirs = texts[first], texts[second]
        for row, turned in order:
            known = row in ours and row in theirs and ours[row] != theirs[row]
            if known and (first, second, row) not in asked:
                return Blind(first, second, row, turned)
    return None
