"""Compare two ways of doing one thing on a machine that drifts: A-B-B-A, and the median of the pairs' ratios."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compared:
    """Ratios of A's figure to B's, one for each pair."""

    ratios: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)

    def detail(self) -> dict[str, float]:
        return {"pairs": len(self.ratios), "lowest": min(self.ratios), "highest": max(self.ratios)}


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
