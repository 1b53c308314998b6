"""The ceiling, the share of it, and the bottleneck; a change is shown where scatter does not explain it."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from app.ceiling.drift import CHANCE, chance_of, changes
from app.ceiling.figures import Bound, Ceiling, cause
from app.ceiling.probes import NAMES, ROUNDS
from app.engine.types import Decoded, Matrix, Reads, Speeds

GB = 1e9
MATRIX = Matrix(1, 1, 1, "float32")
READS = Reads(context=0, weights=2_000_000_000, kv=0, readout=100, products=1_000_000_000, largest=MATRIX)
SPEEDS = Speeds(100 * GB, 100 * GB, 5e12, 512_000_000)


def ceiling(reads: Reads = READS, speeds: Speeds = SPEEDS, tokens_per_s: float = 40.0, grown_s: float = 0.0) -> Ceiling:
    return Ceiling(reads, speeds, Decoded(tokens_per_s, grown_s, 500.0))


def test_the_ceiling_is_bandwidth_over_bytes_and_falls_with_the_context() -> None:
    assert ceiling().tokens_per_s == pytest.approx(50) and ceiling().share == pytest.approx(0.8)
    assert ceiling(replace(READS, kv=3_000_000_000)).tokens_per_s == pytest.approx(20)
    assert ceiling().prompt_tokens_per_s == pytest.approx(5_000)


@pytest.mark.parametrize(
    ("speeds", "tokens_per_s", "grown_s", "kv", "bound", "seconds"),
    [
        (SPEEDS, 40.0, 0.0, 0, Bound.MEMORY, (0.020, 0.0, 0.005)),
        (SPEEDS, 60.0, 0.0, 0, Bound.MEMORY, (1 / 60, 0.0, 0.0)),
        (replace(SPEEDS, bytes_per_s=20 * GB), 9.0, 0.0, 0, Bound.COMPUTE, (0.020, 0.080, 1 / 9 - 0.1)),
        (SPEEDS, 10.0, 0.0, 0, Bound.OVERHEAD, (0.020, 0.0, 0.080)),
        (SPEEDS, 10.0, 0.070, 1_000_000_000, Bound.COMPUTE, (0.030, 0.060, 0.010)),
        (SPEEDS, 10.0, 0.5, 0, Bound.COMPUTE, (0.020, 0.080, 0.0)),
    ],
)
def test_most_of_the_time_names_the_bound(
    speeds: Speeds, tokens_per_s: float, grown_s: float, kv: int, bound: Bound, seconds: tuple[float, ...]
) -> None:
    found = ceiling(replace(READS, kv=kv), speeds, tokens_per_s, grown_s)
    assert found.bound is bound
    assert tuple(found.seconds.values()) == pytest.approx(seconds)
    assert sum(found.seconds.values()) == pytest.approx(1 / tokens_per_s)


@pytest.mark.parametrize("overhead_s", [0.0001, 0.001])
def test_growing_widths_cross_where_reading_takes_as_long_as_all_the_rest(overhead_s: float) -> None:
    """Layers take a time of their own, whatever their width; their bytes grow with its square."""
    for width in (2**power for power in range(4, 15)):
        reads = replace(READS, weights=12 * width * width)
        reading = reads.bytes / SPEEDS.bytes_per_s
        found = ceiling(reads, tokens_per_s=1 / (reading + overhead_s))
        assert found.bound is (Bound.MEMORY if reading > overhead_s else Bound.OVERHEAD)


@pytest.mark.parametrize(
    ("kv", "readout", "tokens_per_s", "name"),
    [
        (0, 100, 40.0, None),
        (2_000_000_000, 100, 20.0, "context"),
        (0, 1_000_000_000, 40.0, "vocabulary"),
        (2_000_000_000, 1_900_000_000, 20.0, "context"),
        (0, 1_000_000_000, 20.0, None),
    ],
)
def test_what_of_the_model_makes_it_slow_is_one_thing_or_none(
    kv: int, readout: int, tokens_per_s: float, name: str | None
) -> None:
    found = cause(ceiling(replace(READS, kv=kv, readout=readout), tokens_per_s=tokens_per_s))
    assert (found and found.name) == name


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
