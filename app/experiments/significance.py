"""Significance of differences measured once per round: exact confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import accumulate, combinations_with_replacement
from math import ceil, exp, log, log2, sqrt
from statistics import median

CHANCE = 0.04
"""The significance level of a conclusion (all its differences), for noise that is independent between rounds. For noise
that lasts from one run into the next, the error rate rises by a quarter, and stays below 0.05.
"""
SMALLEST = 0.03
"""The smallest relative difference that counts: ratios closer to 1 are ignored."""
PROVISIONAL, PROVISIONAL_ONCE, PROVISIONAL_SHARE = 0.2, 0.5, 2 / 3
"""With too few rounds for significance, a difference is provisional if each round (the only round) shows one of this
size, and at least this share of the estimate, on the log scale.
"""


class Significance(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"
    SAME = "same"
    UNSURE = "unsure"
    """Too few rounds for any significant difference."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The Hodges–Lehmann estimate and its confidence interval; for too few rounds, their extremes."""

    middle: float
    low: float
    high: float
    rounds: int
    needed: int
    """Number of rounds needed for significance."""

    @property
    def verdict(self) -> Significance:
        """Return the significance of numbers that are 0 on average without a difference."""
        if self.rounds < self.needed:
            return Significance.UNSURE
        return Significance.HIGHER if self.low > 0 else Significance.LOWER if self.high < 0 else Significance.SAME


@dataclass(frozen=True, slots=True)
class RatioEstimate:
    """The ratio of the second to the first, with its confidence interval."""

    verdict: Significance
    ratio: float
    low: float
    high: float
    rounds: int
    needed: int

    @property
    def inverse(self) -> RatioEstimate:
        """Return the ratio of the first to the second."""
        verdict = {Significance.HIGHER: Significance.LOWER, Significance.LOWER: Significance.HIGHER}
        ends = 1 / self.ratio, 1 / self.high, 1 / self.low
        return RatioEstimate(verdict.get(self.verdict, self.verdict), *ends, self.rounds, self.needed)

    @property
    def is_provisional(self) -> bool:
        """Return whether every round shows a large difference, but more rounds are needed for significance."""
        least = log(self.low) if self.ratio > 1 else -log(self.high)
        size = PROVISIONAL if self.rounds > 1 else PROVISIONAL_ONCE
        enough = max(log(1 + size), PROVISIONAL_SHARE * abs(log(self.ratio)))
        return self.verdict is Significance.UNSURE and least >= enough


def judge(pairs: Sequence[tuple[float, float]], among: int = 1) -> RatioEstimate | None:
    """Compare two positive numbers that each round measured; None if no round has both.

    They differ if the interval of their ratio excludes 1, and the estimate is at least 3 % from 1.
    """
    found = estimate([log(second / first) for first, second in pairs if first > 0 and second > 0], among)
    if found is None:
        return None
    ratio, low, high = map(exp, (found.middle, found.low, found.high))
    slight = abs(ratio - 1) < SMALLEST and found.verdict is not Significance.UNSURE
    return RatioEstimate(Significance.SAME if slight else found.verdict, ratio, low, high, found.rounds, found.needed)


def estimate(values: Sequence[float], among: int = 1) -> Estimate | None:
    """Return the Hodges–Lehmann estimate of one number per round: the median of all averages of two.

    The interval is exact, from Wilcoxon's signed-rank test; it assumes only that the noise is symmetric. `among`: the
    number of differences that are tested together (Bonferroni).
    """
    if not values:
        return None
    averages = sorted((one + other) / 2 for one, other in combinations_with_replacement(values, 2))
    index = max(1, _outside(len(values), CHANCE / among))
    return Estimate(median(averages), averages[index - 1], averages[-index], len(values), least_rounds(among))


def wilson(count: float, of: float) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval of a rate."""
    z, rate = 1.96, count / of
    middle, half = rate + z * z / (2 * of), z * sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    whole = 1 + z * z / of
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def least_rounds(among: int) -> int:
    """Return the least number of rounds in which a difference can be significant."""
    return ceil(log2(2 * among / CHANCE))


@cache
def _outside(rounds: int, chance: float) -> int:
    """Return the rank, from either end, of the average that bounds the interval; 0: too few rounds."""
    ways = [1] + [0] * (rounds * (rounds + 1) // 2)
    for rank in range(1, rounds + 1):
        ways = [count + (ways[total - rank] if total >= rank else 0) for total, count in enumerate(ways)]
    return sum(1 for total in accumulate(ways) if 2 * total <= chance * 2**rounds)
