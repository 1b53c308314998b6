"""Blind comparison of answers: selection of the next pair, and the criterion to stop."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random

from app.engine.types import Reason
from app.evaluation.paired_tests import preferences
from app.evaluation.types import EvaluationOutcome, PairedComparison

NARROW = 0.1
"""The half-width of the confidence interval from which on a preference is conclusive."""
LEAST_VOTES = 60
"""The least number of votes: with fewer, a narrow interval is too often wrong (`make faults POINTS=set_verdicts`)."""


@dataclass(frozen=True, slots=True)
class Blind:
    """The answers of two variants to the same row."""

    first: int
    second: int
    row: int
    turned: bool
    """The second answer is shown on the left."""


def is_conclusive(each: PairedComparison) -> bool:
    """Return whether the confidence interval is narrow enough. A preference is 0 to 1, its difference −1 to 1."""
    return each.n >= LEAST_VOTES and (each.high - each.low) / 4 <= NARROW


def next_blind(outcome: EvaluationOutcome, seed: int = 0) -> Blind | None:
    """Return two answers of the variants that were compared least; None if all are conclusive, or no row is left.

    Rows and sides have a random order that depends on `seed`. Equal texts and failed answers are skipped.
    """
    known = [it for it in outcome.answers if not it.place.repeat and it.reason is not Reason.ERROR]
    texts = {(it.place.arm, it.place.row): it.text for it in known}
    enough = {(each.first, each.second) for each in preferences(outcome.votes) if is_conclusive(each)}
    asked = {(min(vote.first, vote.second), max(vote.first, vote.second), vote.row) for vote in outcome.votes}
    judged = Counter((first, second) for first, second, _ in asked)
    numbered = set(combinations(range(len(outcome.study.arms)), 2))
    for first, second in sorted(numbered - enough, key=lambda arms: (judged[arms], arms)):
        for row, turned in _order(len(outcome.study.prompts.rows), seed):
            ours, theirs = texts.get((first, row)), texts.get((second, row))
            if ours is not None and theirs is not None and ours != theirs and (first, second, row) not in asked:
                return Blind(first, second, row, turned)
    return None


@lru_cache(maxsize=1)
def _order(rows: int, seed: int) -> tuple[tuple[int, bool], ...]:
    """Return each row, and whether its sides are swapped."""
    chance = Random(seed)
    order = [(row, chance.random() < 0.5) for row in range(rows)]
    chance.shuffle(order)
    return tuple(order)
