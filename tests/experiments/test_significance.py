"""A difference is shown only where scatter does not explain it: `make faults POINTS=verdicts` simulates more."""

import random
import re
from itertools import product
from math import comb

import pytest

from app.experiments.questions import EXPERIMENTS
from app.experiments.significance import CHANCE, SMALLEST, Significance, estimate, judge, least_rounds, wilson
from app.experiments.types import Experiment
from tests.experiments.builders import experiment_named
from tests.experiments.studies import CLAIM, GAINS, KINDS, plan_of, study, told_apart, too_many

SIX = (100.0, 101.0, 99.0, 100.0, 102.0, 98.0)


def times(*ratios: float) -> list[tuple[float, float]]:
    """Rounds in which the second was so many times the first, which is different in each."""
    return [(first, first * ratio) for first, ratio in zip(SIX * 4, ratios, strict=False)]


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ((1.2, 1.21, 1.19, 1.22, 1.18, 1.2), Significance.HIGHER),
        ((0.8, 0.81, 0.79, 0.82, 0.78, 0.8), Significance.LOWER),
        ((1.2, 1.21, 1.19, 1.22, 1.18, 0.99), Significance.SAME),  # one round says the opposite
        ((1.01, 1.02, 1.01, 1.02, 1.01, 1.02), Significance.SAME),  # certain, and too small to matter
        ((1.0,) * 6, Significance.SAME),
        ((10.0,) * 5, Significance.UNSURE),
        ((10.0,), Significance.UNSURE),
    ],
)
def test_judge_of_each_scatter_returns_its_verdict(ratios: tuple[float, ...], verdict: Significance) -> None:
    judged = judge(times(*ratios))
    assert judged is not None
    assert judged.verdict is verdict
    assert (judged.rounds, judged.needed) == (len(ratios), 6)
    assert judged.low == pytest.approx(min(ratios)) and judged.high == pytest.approx(max(ratios))


@pytest.mark.parametrize(
    ("ratios", "is_provisional"),
    [
        ((1.6,), True),
        ((0.6,), True),
        ((1.3,), False),  # noise may explain one round
        ((2.3, 2.9), True),
        ((0.4, 0.45), True),
        ((1.08, 1.2), False),
        ((1.1, 3.9), False),  # the rounds are far from each other
        ((1.5,) * 6, False),  # significant
    ],
)
def test_judge_of_few_rounds_is_provisional_where_each_is_apart(
    ratios: tuple[float, ...], is_provisional: bool
) -> None:
    judged = judge(times(*ratios))
    assert judged is not None and judged.is_provisional is is_provisional


def test_judge_of_rounds_at_different_speeds_compares_within_rounds() -> None:
    """The rounds are compared each for itself."""
    rounds = [(100 * slow, 130 * slow) for slow in (1, 3, 0.5, 2, 0.2, 1)]
    judged = judge(rounds)
    assert judged is not None and judged.verdict is Significance.HIGHER and judged.low == pytest.approx(1.3)


@pytest.mark.parametrize("rounds", [[], [(0.0, 1.0)], [(1.0, 0.0)]])
def test_judge_without_positive_values_is_none(rounds: list[tuple[float, float]]) -> None:
    assert judge(rounds) is None


def test_estimate_interval_equals_the_signed_rank_test() -> None:
    """Wilcoxon's tables: of ten values, two-sided 5 % lets 8 go; here 4 % lets 7, so the eighth average bounds."""
    values = [float(2**step) for step in range(10)]
    found = estimate(values)
    averages = sorted((one + other) / 2 for at, one in enumerate(values) for other in values[at:])
    assert found is not None and (found.low, found.high) == (averages[7], averages[-8])


@pytest.mark.parametrize("among", [1, 2, 3, 8, 15, 16, comb(200, 2)])
def test_least_rounds_are_the_fewest_with_a_significant_result(among: int) -> None:
    rounds = least_rounds(among)
    for count, verdict in ((rounds, Significance.HIGHER), (rounds - 1, Significance.UNSURE)):
        judged = judge(times(*(1.5,) * count), among)
        assert judged is not None and judged.verdict is verdict
    assert 2 * among / 2**rounds <= CHANCE < 2 * among / 2 ** (rounds - 1)


@pytest.mark.parametrize("among", [1, 2])
@pytest.mark.parametrize("rounds", [6, 7, 9])
def test_judge_of_random_signs_keeps_the_error_rate(rounds: int, among: int) -> None:
    """All ways in which rounds that differ by chance may have gone: so many are called different, and no more."""
    sizes = [1.1 ** (step + 1) for step in range(rounds)]
    called = 0
    for signs in product((1, -1), repeat=rounds):
        judged = judge([(1.0, size**sign) for size, sign in zip(sizes, signs, strict=True)], among)
        assert judged is not None
        called += judged.verdict in (Significance.HIGHER, Significance.LOWER)
    assert called / 2**rounds <= CHANCE / among
    assert (called > 0) == (rounds >= least_rounds(among))


def test_judge_of_swapped_variants_is_the_inverse() -> None:
    numbers = random.Random(1)
    for _ in range(50):
        rounds = [(numbers.uniform(90, 120), numbers.uniform(90, 120)) for _ in range(8)]
        there, back = judge(rounds), judge([(second, first) for first, second in rounds])
        assert there is not None and back is not None
        assert there.ratio == pytest.approx(1 / back.ratio)
        assert there.low == pytest.approx(1 / back.high) and there.high == pytest.approx(1 / back.low)
        if abs(there.ratio - 1) > 2 * SMALLEST:
            pairs = {
                (Significance.HIGHER, Significance.LOWER),
                (Significance.LOWER, Significance.HIGHER),
                (Significance.SAME, Significance.SAME),
            }
            assert (there.verdict, back.verdict) in pairs


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),
        (1, 1, 0.2065, 1.0),
    ],
)
def test_wilson_of_a_count_equals_published_intervals(count: int, of: int, low: float, high: float) -> None:
    """As Wilson's own formula gives them, and Newcombe's paper for 81 of 263."""
    assert wilson(count, of) == pytest.approx((low, high), abs=1e-4)


STUDIES = 4
"""Of each experiment on each kind of machine."""
EACH = [
    pytest.param(each, id=each.name, marks=() if each.name == "cache" else pytest.mark.slow) for each in EXPERIMENTS
]


@pytest.mark.slow
@pytest.mark.parametrize("experiment", EACH)
def test_experiment_without_a_difference_rarely_claims_one(experiment: Experiment) -> None:
    alarms = sum(told_apart(experiment, kind, STUDIES) for kind in KINDS)
    assert not too_many(alarms, STUDIES * len(KINDS)), f"{alarms} false alarms"


@pytest.mark.parametrize(
    "name", ["cache", *(pytest.param(name, marks=pytest.mark.slow) for name in GAINS if name != "cache")]
)
def test_experiment_with_a_difference_claims_it(name: str) -> None:
    assert told_apart(experiment_named(name), "steady", STUDIES, GAINS[name]) == STUDIES


@pytest.mark.parametrize("experiment", EACH)
def test_experiment_with_too_few_rounds_claims_differences_as_provisional(experiment: Experiment) -> None:
    needed = plan_of(experiment).repeats
    told = study(experiment, "steady", 1, gain=9.0, repeats=max(1, needed - 1))
    claims = [clause for clause in re.split(r"; (?!\d+ more)|(?<=\)\.) ", told) if CLAIM.search(clause)]
    assert all("provisional" in clause or "differs from token" in clause for clause in claims)
    assert needed == 1 or "provisional" in told or "not significant yet" in told.lower()
