"""Whether two sets of measurements differ, or only scatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import product
from math import ceil, comb
from statistics import median

CHANCE = 0.1
"""How often, at most, scatter alone may make a difference that is called one."""
SMALLEST = 0.03
"""What is nearer to 1 than this makes no difference to anybody."""


class Verdict(StrEnum):
    """What can be said of the second set beside the first."""

    HIGHER = "higher"
    LOWER = "lower"
    SAME = "same"
    UNSURE = "unsure"
    """There are too few runs to tell it from scatter, whatever they say."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """`ratio` of the medians, second to first; `low` and `high` are the extremes that any two runs could give."""

    verdict: Verdict
    ratio: float
    low: float
    high: float


def judge(first: Sequence[float], second: Sequence[float], among: int = 1) -> Judgement | None:
    """Compare two sets of positive numbers; None where one of them is empty or has a zero.

    They differ if two things hold. The medians are at least 3 % apart. And a rank test says that it is no accident:
    of all the ways in which the same numbers, if nothing but scatter told them apart, might have fallen to the two
    sets, at most one in ten keeps them as much apart as they are (Mann and Whitney's test, two-sided, exact). That
    takes three runs each with no overlap at all, or five with little. `among`: from so many candidates the second
    set was picked as the best, which makes accidents so many times as likely.
    """
    if not first or not second or min(*first, *second) <= 0:
        return None
    ratio = median(second) / median(first)
    low, high = min(second) / max(first), max(second) / min(first)
    return Judgement(_verdict(first, second, ratio, among), ratio, low, high)


def _verdict(first: Sequence[float], second: Sequence[float], ratio: float, among: int) -> Verdict:
    sizes = len(first), len(second)
    if among * _likelihood(0, *sizes) > CHANCE:
        return Verdict.UNSURE
    wins = sum((a > b) + (a == b) / 2 for a, b in product(first, second))
    apart = among * _likelihood(min(wins, sizes[0] * sizes[1] - wins), *sizes) <= CHANCE
    if not apart or abs(ratio - 1) < SMALLEST:
        return Verdict.SAME
    return Verdict.HIGHER if ratio > 1 else Verdict.LOWER


def _likelihood(wins: float, first: int, second: int) -> float:
    """How likely scatter alone lets one set, whichever, win at most so many of all pairs."""
    ways = sum(_ways(count, first, second) for count in range(ceil(wins) + 1))
    return min(1.0, 2 * ways / comb(first + second, first))


@cache
def _ways(wins: int, first: int, second: int) -> int:
    """How many orders of so many runs there are in which the first set wins exactly `wins` pairs."""
    if wins < 0:
        return 0
    if first == 0 or second == 0:
        return int(wins == 0)
    return _ways(wins - second, first - 1, second) + _ways(wins, first, second - 1)
