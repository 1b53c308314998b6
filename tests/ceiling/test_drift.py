"""A change is told where scatter does not explain it: exact chances, known ones beside them, and 500 updates each."""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations

import pytest

from app.ceiling.drift import CHANCE, chance_of, changes
from app.ceiling.probes import NAMES, ROUNDS

SCATTER, DAYS = 0.02, 0.01
"""Of one measurement beside the next, and of all of one day beside those of another, as shares of it."""
Took = Mapping[str, Sequence[float]]


def test_the_chance_is_that_of_all_orders() -> None:
    """By dealing every order anew, ties among them."""
    for before, now in (((1.0, 2.0, 3.0), (4.0, 5.0)), ((1.0, 2.0, 2.0), (2.0, 3.0)), ((1.0, 5.0), (2.0, 3.0, 4.0))):
        every = [*before, *now]
        ranks = [sum(each > other for other in every) + (every.count(each) + 1) / 2 for each in every]
        usual = len(now) * (len(every) + 1) / 2
        seen = abs(sum(ranks[len(before) :]) - usual)
        orders = [abs(sum(order[: len(now)]) - usual) >= seen for order in permutations(ranks)]
        assert chance_of(before, now) == pytest.approx(Fraction(sum(orders), len(orders)))


def test_five_of_five_is_one_in_126() -> None:
    assert chance_of((1, 2, 3, 4, 5), (6, 7, 8, 9, 10)) == pytest.approx(1 / 126)
    assert chance_of((1, 2, 3), (1, 2, 3)) == 1


def took(dice: random.Random, slower: Mapping[str, float] | None = None) -> Took:
    day = dice.lognormvariate(0, DAYS)
    return {
        name: [day * (slower or {}).get(name, 1.0) * dice.lognormvariate(0, SCATTER) for _ in range(ROUNDS)]
        for name in NAMES
    }


def test_of_500_updates_that_change_nothing_few_are_told_of() -> None:
    dice = random.Random(28)
    false = sum(bool(changes(took(dice), took(dice))) for _ in range(500))
    assert false <= 500 * CHANCE


def test_of_500_updates_that_make_one_probe_a_tenth_slower_most_are_found() -> None:
    dice, found = random.Random(29), 0
    for _ in range(500):
        name = dice.choice(list(NAMES))
        told = changes(took(dice), took(dice, {name: 1.1}))
        found += any(each.name == name and each.ratio > 1 for each in told)
    assert found >= 450


def test_holm_asks_less_of_the_next_one() -> None:
    """Two of five: alone the second would have to be as sure as the first."""
    low, high = (1.0, 1.01, 1.02, 1.03, 1.04), (1.2, 1.21, 1.22, 1.23, 1.24)
    same = (1.0, 1.01, 1.02, 1.03, 1.04)
    before = {"prefill": low, "start": low, "far": same}
    told = changes(before, {"prefill": high, "start": high, "far": same})
    assert {each.name for each in told} == {"prefill", "start"}
    assert all((each.beyond, each.of) == (5, 5) and each.ratio == pytest.approx(1.22 / 1.02) for each in told)


def test_nothing_is_told_of_what_nobody_notices_or_nobody_knows() -> None:
    low = (1.0, 1.001, 1.002, 1.003, 1.004)
    assert changes({"load": low}, {"load": tuple(1.01 + each / 1000 for each in low)}) == ()
    assert changes({}, {"load": low}) == () and changes({"load": low[:2]}, {"load": (5.0, 6.0)}) == ()
