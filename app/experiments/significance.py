"""Whether a difference that each round measured anew is one, or only scatter, and how large it may be."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import accumulate, combinations_with_replacement
from math import ceil, exp, log, log2, sqrt
from statistics import median

CHANCE = 0.04
"""How often, at most, scatter alone may make any of the differences that one conclusion tells, if it falls anew in each
round. Where it lasts from one run into the next that rises by a quarter, and stays within one in twenty."""
SMALLEST = 0.03
"""What is nearer to 1 than this makes no difference to anybody."""


class Significance(StrEnum):
    """What can be said of the second set beside the first."""

    HIGHER = "higher"
    LOWER = "lower"
    SAME = "same"
    UNSURE = "unsure"
    """There are too few rounds to tell it from scatter, whatever they say."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The middle of what the rounds say, and the range in which it lies; of too few rounds their extremes."""

    middle: float
    low: float
    high: float
    rounds: int
    needed: int
    """In so many a difference can be told from scatter."""

    @property
    def verdict(self) -> Significance:
        """Of numbers that scatter around 0 where nothing differs."""
        if self.rounds < self.needed:
            return Significance.UNSURE
        return Significance.HIGHER if self.low > 0 else Significance.LOWER if self.high < 0 else Significance.SAME


@dataclass(frozen=True, slots=True)
class Judgement:
    """`ratio` of the second to the first, and the range in which it lies."""

    verdict: Significance
    ratio: float
    low: float
    high: float
    rounds: int
    needed: int


def judge(pairs: Sequence[tuple[float, float]], among: int = 1) -> Judgement | None:
    """Compare two positive numbers that were measured in each of several rounds; None where no round has both.

    They differ if the range of their ratio leaves 1 out, and its middle is at least 3 % away from it.
    """
    found = estimate([log(second / first) for first, second in pairs if first > 0 and second > 0], among)
    if found is None:
        return None
    ratio, low, high = map(exp, (found.middle, found.low, found.high))
    slight = abs(ratio - 1) < SMALLEST and found.verdict is not Significance.UNSURE
    return Judgement(Significance.SAME if slight else found.verdict, ratio, low, high, found.rounds, found.needed)


def estimate(values: Sequence[float], among: int = 1) -> Estimate | None:
    """The middle of numbers of which each round brought one: Hodges and Lehmann's, the median of all averages of two.

    The range is that of Wilcoxon's signed-rank test, exact: it holds whatever the scatter is like, as long as rounds
    scatter to either side alike. `among`: from so many differences this one is picked, or told beside the others, which
    makes accidents so many times as likely.
    """
    if not values:
        return None
    averages = sorted((one + other) / 2 for one, other in combinations_with_replacement(values, 2))
    place = max(1, _outside(len(values), CHANCE / among))
    return Estimate(median(averages), averages[place - 1], averages[-place], len(values), least_rounds(among))


def wilson(count: float, of: float) -> tuple[float, float]:
    """The range of a rate that was found to be so many of so many, at 95 %."""
    z, rate = 1.96, count / of
    middle, half = rate + z * z / (2 * of), z * sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    whole = 1 + z * z / of
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def least_rounds(among: int) -> int:
    """In fewer, even all of them on one side are no more than an accident."""
    return ceil(log2(2 * among / CHANCE))


@cache
def _outside(rounds: int, chance: float) -> int:
    """Which average from either end bounds the range; 0: none does, in so few rounds."""
    ways = [1] + [0] * (rounds * (rounds + 1) // 2)
    for rank in range(1, rounds + 1):
        ways = [count + (ways[total - rank] if total >= rank else 0) for total, count in enumerate(ways)]
    return sum(1 for total in accumulate(ways) if 2 * total <= chance * 2**rounds)
