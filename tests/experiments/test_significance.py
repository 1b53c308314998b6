"""A difference is called one only where scatter can't have made it."""

from __future__ import annotations

import random
from itertools import combinations
from statistics import median

import pytest

from app.experiments.significance import CHANCE, SMALLEST, Verdict, judge


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ([100, 101, 99], [120, 121, 119], Verdict.HIGHER),
        ([100, 101, 99], [80, 81, 79], Verdict.LOWER),
        ([100, 101, 99], [101, 102, 99.5], Verdict.SAME),
        ([100, 100, 100], [101, 101, 101], Verdict.SAME),  # certain, and too small to matter
        ([100, 140, 90], [105, 150, 95], Verdict.SAME),
        ([100, 100, 100], [100, 100, 100], Verdict.SAME),
        ([100], [1000], Verdict.UNSURE),
        ([100, 101], [1000, 1001], Verdict.UNSURE),
        ([100, 101, 102, 103, 104, 150], [130, 131, 132, 133, 134, 135], Verdict.HIGHER),  # one hiccup hides nothing
    ],
)
def test_verdicts(first: list[float], second: list[float], verdict: Verdict) -> None:
    judged = judge(first, second)
    assert judged is not None
    assert judged.verdict is verdict
    assert judged.ratio == pytest.approx(median(second) / median(first))
    assert judged.low == pytest.approx(min(b / a for a in first for b in second))
    assert judged.high == pytest.approx(max(b / a for a in first for b in second))


@pytest.mark.parametrize(("first", "second"), [([], [1.0]), ([1.0], []), ([0.0, 1.0], [1.0])])
def test_nothing_is_said_of_nothing(first: list[float], second: list[float]) -> None:
    assert judge(first, second) is None


def test_the_best_of_many_needs_more_runs() -> None:
    few = judge([100, 101, 102], [110, 111, 112], among=8)
    many = judge([100, 101, 102, 103, 104], [110, 111, 112, 113, 114], among=8)
    assert few is not None and few.verdict is Verdict.UNSURE
    assert many is not None and many.verdict is Verdict.HIGHER


@pytest.mark.parametrize("size", [3, 4, 5])
def test_scatter_alone_is_seldom_taken_for_a_difference(size: int) -> None:
    """All ways to deal the same numbers out to two sets: so many are called different, and no more."""
    values = [100 * 1.1**step for step in range(2 * size)]
    deals = list(combinations(range(2 * size), size))
    called = 0
    for deal in deals:
        judged = judge([values[at] for at in deal], [values[at] for at in range(2 * size) if at not in deal])
        assert judged is not None
        called += judged.verdict in (Verdict.HIGHER, Verdict.LOWER)
    assert 0 < called / len(deals) <= CHANCE


def test_turned_round_it_says_the_opposite() -> None:
    numbers = random.Random(1)
    for _ in range(50):
        first, second = ([numbers.uniform(90, 120) for _ in range(5)] for _ in range(2))
        there, back = judge(first, second), judge(second, first)
        assert there is not None and back is not None
        assert there.ratio == pytest.approx(1 / back.ratio)
        if abs(there.ratio - 1) > 2 * SMALLEST:
            pairs = {(Verdict.HIGHER, Verdict.LOWER), (Verdict.LOWER, Verdict.HIGHER), (Verdict.SAME, Verdict.SAME)}
            assert (there.verdict, back.verdict) in pairs
