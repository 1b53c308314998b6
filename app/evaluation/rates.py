"""Rates of the variants with confidence intervals. Rows are the independent units."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.engine.types import Reason
from app.evaluation.types import CheckKind, EvaluationOutcome, Rate
from app.experiments.significance import wilson


@dataclass(frozen=True, slots=True)
class Tally:
    """The checked answers of a variant."""

    shares: Mapping[int, float]
    """Share of right answers by row, for rows in which every repeat is answered and judged."""
    failed: int
    """Number of failed answers, which count as not right."""
    unjudged: int
    """Number of answers that could not be checked; their rows have no share."""


def tallies(outcome: EvaluationOutcome) -> tuple[Tally, ...]:
    said: list[dict[int, list[bool | None]]] = [defaultdict(list) for _ in outcome.study.arms]
    failed = [0] * len(said)
    by_hand = outcome.study.check.kind is CheckKind.BY_HAND
    for answer in outcome.answers:
        broken = answer.reason is Reason.ERROR
        failed[answer.place.arm] += broken
        if answer.reason is not Reason.STOPPED:
            said[answer.place.arm][answer.place.row].append(False if broken and not by_hand else answer.right)
    return tuple(_tally(rows, outcome.study.repeats, count) for rows, count in zip(said, failed, strict=True))


def rates(outcome: EvaluationOutcome, every: Sequence[Tally]) -> tuple[Rate, ...]:
    """Return the rate of each variant that has a checked row; `every`: the tallies of all variants."""
    found = []
    for arm, tally in enumerate(every):
        if shares := tuple(tally.shares.values()):
            low, high = interval(shares, outcome.study.repeats)
            right = sum(shares)
            found.append(Rate(arm, len(shares), right, right / len(shares), low, high))
    return tuple(found)


def interval(shares: Sequence[float], repeats: int = 1) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval of a rate, for the effective number of rows.

    Rows with equal repeats count once. Rows whose repeats vary as much as the rows do count up to `repeats` times. One
    pseudo-row with equal repeats is added, since few rows can't show how much repeats vary.
    """
    count, rate = len(shares), sum(shares) / len(shares)
    once = rate * (1 - rate)
    scatter = (sum((share - rate) ** 2 for share in shares) + once) / count
    worth = count * min(repeats, max(1.0, once / scatter)) if repeats > 1 and scatter else count
    return wilson(rate * worth, worth)


def _tally(rows: Mapping[int, Sequence[bool | None]], repeats: int, failed: int) -> Tally:
    shares = {
        row: sum(map(bool, each)) / repeats for row, each in rows.items() if len(each) == repeats and None not in each
    }
    return Tally(shares, failed, sum(each.count(None) for each in rows.values()))
