"""Studies of prompt sets that are made up: how often an interval holds the truth, and how often a difference is told.

Rows are drawn, and what is drawn goes through the program's own functions.
"""

from itertools import product
from math import sqrt

import numpy as np

from app.evaluation import paired_tests, rates
from app.evaluation.estimates import PARTED, smallest
from app.evaluation.paired_tests import is_conclusive
from app.evaluation.types import EvaluationOutcome
from app.evaluation.verdict import verdict
from tests.evaluation.builders import answer, study

RATES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
ROWS = (30, 50, 100, 200, 400)
LIKENESS = (0.2, 0.6)
"""How much two arms' rows go together."""
STEPS = (0.0, 0.05, 0.1)
REPEATS = 5
STUBBORN = (0.0, 0.3, 1.0)
"""How alike the repeats of a row are: as other rows', or all the same."""


def rate_held(rows: int, rate: float, studies: int) -> float:
    """How often the range of a rate holds it."""
    drawn = np.random.default_rng((rows, round(1000 * rate))).binomial(rows, rate, studies)
    ranges = {
        int(count): rates.wilson_interval([1.0] * count + [0.0] * (rows - count)) for count in set(drawn.tolist())
    }
    return float(np.mean([ranges[count][0] <= rate <= ranges[count][1] for count in drawn.tolist()]))


def repeated_held(rows: int, rate: float, alike: float, studies: int) -> float:
    """The same where each row is asked five times."""
    chance = np.random.default_rng((rows, round(1000 * rate), round(10 * alike)))
    held = 0
    for shares in _shares(chance, rate, alike, (studies, rows)).tolist():
        low, high = rates.wilson_interval(shares, REPEATS)
        held += low <= rate <= high
    return held / studies


def differing(rows: int, rate: float, step: float, alike: float, studies: int) -> tuple[float, float]:
    """How often the range of a difference holds it, and how often one is told."""
    _, less, more = _parted(rate, step, alike)
    chance = np.random.default_rng((rows, round(1000 * rate), round(1000 * abs(step)), round(10 * alike)))
    drawn = chance.multinomial(rows, (less, more, 1 - less - more), studies).tolist()
    found = {(down, up): paired_tests.pair(0, 1, [-1.0] * down + [1.0] * up + [0.0] * same) for down, up, same in drawn}
    each = [found[down, up] for down, up, _ in drawn]
    truth = more - less
    held = sum(it.low <= truth <= it.high for it in each)
    return held / studies, sum(map(paired_tests.differs, each)) / studies


def bootstrap_held(rows: int, rate: float, step: float, alike: float, studies: int) -> float:
    """What the program doesn't do, and why: how often the percentiles of 2,000 resamples hold the difference."""
    _, less, more = _parted(rate, step, alike)
    chance = np.random.default_rng(rows)
    drawn = list(map(tuple, chance.multinomial(rows, (less, more, 1 - less - more), studies).tolist()))
    found = {}
    for counts in set(drawn):
        again = chance.multinomial(rows, [count / rows for count in counts], 2_000)
        found[counts] = np.percentile((again[:, 1] - again[:, 0]) / rows, (2.5, 97.5))
    return float(np.mean([found[counts][0] <= more - less <= found[counts][1] for counts in drawn]))


def grid() -> list[tuple[float, float, float]]:
    """Rates, steps from them and likenesses that can be."""
    cells = ((rate, step if rate < 0.5 else -step, alike) for rate, step, alike in product(RATES, STEPS, LIKENESS))
    return [cell for cell in cells if min(*(_parted(*cell)), 1 - sum(_parted(*cell))) >= 0]


def repeated_differing(rows: int, rate: float, step: float, alike: float, studies: int) -> tuple[float, float]:
    """The same where each row is asked five times."""
    chance = np.random.default_rng((rows, round(1000 * rate), round(1000 * abs(step)), round(10 * alike)))
    first, second = (_shares(chance, rate + more, alike, (studies, rows)) for more in (0, step))
    each = [paired_tests.pair(0, 1, row, REPEATS) for row in (second - first).tolist()]
    return sum(it.low <= step <= it.high for it in each) / studies, sum(map(paired_tests.differs, each)) / studies


def alarms(rows: int, arms: int, rate: float, studies: int) -> float:
    """How often any sentence tells a difference where no variant differs from another."""
    chance = np.random.default_rng((rows, arms, round(1000 * rate)))
    made, told = study(rows, arms), 0
    for right in (chance.random((studies, arms, rows)) < rate).tolist():
        answers = tuple(answer(arm, row, said) for arm, of_arm in enumerate(right) for row, said in enumerate(of_arm))
        told += any(" is better" in sentence for sentence in verdict(EvaluationOutcome(made, answers)).sentences)
    return told / studies


def planted(rows: int, studies: int, among: int = 1) -> tuple[float, float]:
    """How often a difference is told that is as large as promised, where as many rows part as assumed; and its size."""
    step = smallest(rows, among)
    assert step is not None
    parted = max(PARTED, step)
    chance = np.random.default_rng((rows, among))
    drawn = chance.multinomial(rows, ((parted - step) / 2, (parted + step) / 2, 1 - parted), studies).tolist()
    found = {(down, up): paired_tests.mcnemar(down, up) * among <= paired_tests.CHANCE for down, up, _ in drawn}
    return sum(found[down, up] for down, up, _ in drawn) / studies, step


def voted(liked: float, ties: float, studies: int, most: int = 400) -> tuple[float, float]:
    """Votes until the range is narrow: how often it holds the truth then, and how many votes that took on average."""
    chance = np.random.default_rng((round(1000 * liked), round(1000 * ties)))
    shares = ((1 - ties) * (1 - liked), ties, (1 - ties) * liked)
    held = votes = 0
    for likes in chance.choice((-1.0, 0.0, 1.0), (studies, most), p=shares).tolist():
        count = next(
            at for at in range(1, most + 1) if at == most or is_conclusive(paired_tests.pair(0, 1, likes[:at]))
        )
        low, high = paired_tests.confidence_interval(likes[:count])
        held += low <= shares[2] - shares[0] <= high
        votes += count
    return held / studies, votes / studies


def error(share: float, studies: int) -> float:
    """Two and a half standard errors of a share that was found in so many."""
    return 2.5 * sqrt(share * (1 - share) / studies)


def _parted(rate: float, step: float, alike: float) -> tuple[float, float, float]:
    """Of two arms: how often both are right, only the first, only the second."""
    other = rate + step
    both = rate * other + alike * sqrt(rate * (1 - rate) * other * (1 - other))
    return both, rate - both, other - both


def _shares(chance: np.random.Generator, rate: float, alike: float, size: tuple[int, int]) -> np.ndarray:
    """Of the repeats of each row, the share that is right."""
    if alike == 0:
        return chance.binomial(REPEATS, rate, size) / REPEATS
    if alike == 1:
        return chance.binomial(1, rate, size).astype(float)
    weight = 1 / alike - 1
    return chance.binomial(REPEATS, chance.beta(rate * weight, (1 - rate) * weight, size)) / REPEATS
