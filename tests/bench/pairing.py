"""Compare two ways of doing one thing on a machine that drifts: A-B-B-A, and the median of the pairs' ratios."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Compared:
    """Ratios of A's figure to B's, one for each pair."""

    ratios: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    @property
    def interval(self) -> tuple[float, float]:
        """Return a confidence interval of the median, from the order of the ratios: with fewer than 6, their range."""
        count, ordered = len(self.ratios), sorted(self.ratios)
        outside = max(1, sum(2 * _tail(rank, count) <= 1 - LEVEL for rank in range(count // 2)))
        return ordered[outside - 1], ordered[-outside]

    def detail(self) -> dict[str, Any]:
        return {"pairs": len(self.ratios), "interval": self.interval}


def compare(measure_a: Callable[[], float], measure_b: Callable[[], float], pairs: int) -> Compared:
    """Every second pair is taken the other way round, so that what drifts with time falls on both alike."""
    measure_a(), measure_b()  # the first of each warms caches up
    ratios = []
    for pair in range(pairs):
        if pair % 2:
            b, a = measure_b(), measure_a()
        else:
            a, b = measure_a(), measure_b()
        ratios.append(a / b)
    return Compared(tuple(ratios))


def _tail(rank: int, count: int) -> float:
    """Return the probability that at most `rank` of `count` values lie below the median."""
    return float(sum(comb(count, below) for below in range(rank + 1)) / 2**count)
