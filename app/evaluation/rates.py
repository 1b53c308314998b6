"""Rates of the variants with confidence intervals (rows are the independent units), and rows with differences."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.engine.types import Reason
from app.evaluation.likelihood import judge_scores
from app.evaluation.templates import expected_of
from app.evaluation.types import (
    CheckKind,
    Evaluation,
    EvaluationAnswer,
    EvaluationOutcome,
    Rate,
    Scoring,
    ScoringRate,
)
from app.experiments.significance import wilson
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Tally:
    shares: Mapping[int, float]
    """Share of right answers by row, for rows in which every repeat is answered and judged."""
    failed: int
    """Number of failed answers, which count as not right."""
    unjudged: int
    """Number of answers that could not be checked; their rows have no share."""


def tallies(outcome: EvaluationOutcome) -> tuple[Tally, ...]:
    judgments: list[dict[int, list[bool | None]]] = [defaultdict(list) for _ in outcome.study.arms]
    failed = [0] * len(judgments)
    by_hand = outcome.study.check.kind is CheckKind.BY_HAND
    for answer in outcome.answers:
        broken = answer.reason is Reason.ERROR
        failed[answer.key.arm] += broken
        if answer.reason is not Reason.STOPPED:
            judgments[answer.key.arm][answer.key.row].append(False if broken and not by_hand else answer.right)
    found, repeats = [], outcome.study.repeats
    for rows, count in zip(judgments, failed, strict=True):
        whole = {row: each for row, each in rows.items() if len(each) == repeats and None not in each}
        shares = {row: sum(map(bool, each)) / repeats for row, each in whole.items()}
        found.append(Tally(shares, count, sum(each.count(None) for each in rows.values())))
    return tuple(found)


def rates(outcome: EvaluationOutcome, every: Sequence[Tally]) -> tuple[Rate, ...]:
    """Return the rate of each variant that has a checked row; `every`: the tallies of all variants."""
    found = []
    for arm, tally in enumerate(every):
        if shares := tuple(tally.shares.values()):
            low, high = wilson_interval(shares, outcome.study.repeats)
            right = sum(shares)
            found.append(Rate(arm, len(shares), right, right / len(shares), low, high))
    return tuple(found)


def scoring_rates(outcome: EvaluationOutcome) -> tuple[ScoringRate, ...]:
    """Return the rate of each variant `by_likelihood` by each score that all its answers have."""
    study, found = outcome.study, []
    for arm in range(len(study.arms)):
        answers = [each for each in outcome.answers if each.key.arm == arm and each.scores]
        for scoring in Scoring:
            judged = [_judged(study, each, scoring) for each in answers]
            known = [each for each in judged if each is not None]
            if known and (scoring is not Scoring.UNCONDITIONAL or len(known) == len(judged)):
                right = sum(known)
                low, high = wilson(right, len(known))
                found.append(ScoringRate(scoring, Rate(arm, len(known), right, right / len(known), low, high)))
    return tuple(found)


def _judged(study: Evaluation, answer: EvaluationAnswer, scoring: Scoring) -> bool | None:
    values = study.prompts.values(answer.key.row)
    return judge_scores(answer.scores, scoring, values, expected_of(study.template, values))[0]


def wilson_interval(shares: Sequence[float], repeats: int = 1) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval of a rate, for the effective number of rows.

    Rows with equal repeats count once. Rows whose repeats vary as much as the rows do count up to `repeats` times. One
    pseudo-row with equal repeats is added, since few rows can't show how much repeats vary.
    """
    count, rate = len(shares), sum(shares) / len(shares)
    once = rate * (1 - rate)
    scatter = (sum((share - rate) ** 2 for share in shares) + once) / count
    worth = count * min(repeats, max(1.0, once / scatter)) if repeats > 1 and scatter else count
    return wilson(rate * worth, worth)


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
        if not each.key.repeat:
            found[each.key.row][each.key.arm] = each
    return found


def _word_difference(texts: list[str]) -> float:
    """Return the share of words that only some texts use; 0.001 if only order or whitespace differ."""
    words = [set(text.split()) for text in texts]
    every = len(set.union(*words))
    differing = 1 - len(set.intersection(*words)) / every if every else 0.0
    return max(differing, 0.001 * (len(set(texts)) > 1))
