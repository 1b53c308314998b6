"""What is said of a text that was weighed: means with their errors, bits per byte, and how two models differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.speeds import percentile
from app.engine.types import Difference

STRETCH = 64
"""So many neighbours count as one observation: what is surprising comes in heaps."""
LN_2 = math.log(2)


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one model on one text."""

    tokens: int
    nats_per_token: float
    standard_error: float | None
    """None where the text is one stretch: nothing is known of how much others would differ."""
    perplexity: float
    bits_per_byte: float
    each: tuple[float, ...]
    """Nats of each counted token, in order."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two models on one text; in nats. Where only a part of the distributions was kept, the mean lies within bounds."""

    kl_mean: float
    kl_standard_error: float | None
    kl_bounds: tuple[float, float]
    kl_p99: float
    kl_each: tuple[float, ...]
    kl_back: float | None
    jensen_shannon: float | None
    same_first: float
    same_ten: float


def figures(nats: Sequence[float], size: int) -> Figures:
    """Of a text of so many bytes. There must be a token."""
    mean = math.fsum(nats) / len(nats)
    return Figures(
        len(nats),
        mean,
        standard_error(nats),
        math.exp(mean) if mean < math.log(1e300) else math.inf,
        math.fsum(nats) / LN_2 / size if size else math.inf,
        tuple(nats),
    )


def apart(found: Sequence[Difference]) -> Apart:
    """Where there are bounds alone, the figures of single tokens are their lower ones."""
    low = [each.lowest for each in found]
    return Apart(
        _mean(low),
        standard_error(low),
        (_mean(low), _mean([each.highest for each in found])),
        percentile(sorted(low), 99),
        tuple(low),
        _mean_of_all([each.back for each in found]),
        _mean_of_all([each.between for each in found]),
        _mean([each.same_first for each in found]),
        _mean([each.same_ten for each in found]),
    )


def standard_error(values: Sequence[float]) -> float | None:
    """Of the mean, from stretches of neighbours, of which the last may be shorter and counts for less."""
    mean = math.fsum(values) / len(values)
    stretches = [values[start : start + STRETCH] for start in range(0, len(values), STRETCH)]
    if len(stretches) < 2:
        return None
    off = math.fsum((math.fsum(each) - mean * len(each)) ** 2 for each in stretches)
    return math.sqrt(off * len(stretches) / (len(stretches) - 1)) / len(values)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _mean_of_all(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return _mean(known) if len(known) == len(values) else None
