"""Rows sorted by how much the variants' answers differ."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from app.evaluation.rates import tallies
from app.evaluation.types import EvaluationAnswer, EvaluationOutcome
from app.i18n import tr

TITLE = tr("Rows with the largest differences")
"""The title of their table in a report."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A row that at least two variants answered."""

    row: int
    spread: float
    """The best variant's share of right answers minus the worst one's; 0 if no answer is checked."""
    apart: float
    """Share of the words that only some of the variants use."""


def disagreements(outcome: EvaluationOutcome) -> tuple[Disagreement, ...]:
    """Return the rows, sorted by `spread`, then by `apart`, then in the order of the set."""
    shares = [tally.shares for tally in tallies(outcome)]
    found = []
    for row, by_arm in by_row(outcome).items():
        if len(by_arm) > 1:
            right = [each[row] for each in shares if row in each] or [0.0]
            texts = [answer.text for answer in by_arm.values()]
            found.append(Disagreement(row, max(right) - min(right), _word_difference(texts)))
    return tuple(sorted(found, key=lambda each: (-each.spread, -each.apart, each.row)))


def by_row(outcome: EvaluationOutcome) -> Mapping[int, Mapping[int, EvaluationAnswer]]:
    """Return the first answer of each variant to each row."""
    found: dict[int, dict[int, EvaluationAnswer]] = defaultdict(dict)
    for each in outcome.answers:
        if not each.place.repeat:
            found[each.place.row][each.place.arm] = each
    return found


def _word_difference(texts: list[str]) -> float:
    """Return the share of words that only some texts use; 0.001 if only order or whitespace differ."""
    words = [set(text.split()) for text in texts]
    every = len(set.union(*words))
    differing = 1 - len(set.intersection(*words)) / every if every else 0.0
    return max(differing, 0.001 * (len(set(texts)) > 1))
