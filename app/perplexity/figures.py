"""Figures of a scored text: means with standard errors, bits per byte, and differences of two models."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.meter.speeds import percentile
from app.engine.types import TokenDifference

STRETCH = 64
"""Neighboring tokens that count as one observation, since surprisals are correlated."""
LN_2 = math.log(2)
NINETY_FIVE = 1.959964


@dataclass(frozen=True, slots=True)
class PerplexityFigures:
    tokens: int
    nats_per_token: float
    standard_error: float | None
    """None where the text is one stretch."""
    perplexity: float
    bits_per_byte: float
    perplexity_standard_error: float | None
    bits_per_byte_standard_error: float | None
    each: tuple[float, ...]
    """Nats of each counted token, in order."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two models on one text, in nats. If only a part of the distributions was stored, `kl_bounds` has the mean."""

    kl_mean: float
    kl_standard_error: float | None
    kl_bounds: tuple[float, float]
    kl_p99: float
    kl_each: tuple[float, ...]
    kl_back: float | None
    jensen_shannon: float | None
    same_first: float
    same_ten: float
    own_difference: float | None
    """Nats by which the second model's mean surprisal is higher."""
    kl_back_standard_error: float | None
    jensen_shannon_standard_error: float | None
    same_first_standard_error: float | None
    same_ten_standard_error: float | None
    own_difference_standard_error: float | None


def figures(nats: Sequence[float], size: int) -> PerplexityFigures:
    """Return the figures of at least one token; `size` is in bytes."""
    mean, error = _mean(nats), standard_error(nats)
    perplexity = math.exp(mean) if mean < math.log(1e300) else math.inf
    per_byte = len(nats) / LN_2 / size if size else math.inf
    return PerplexityFigures(
        len(nats),
        mean,
        error,
        perplexity,
        mean * per_byte,
        None if error is None else perplexity * error,
        None if error is None else per_byte * error,
        tuple(nats),
    )


def apart(found: Sequence[TokenDifference], own: Sequence[float] = ()) -> Apart:
    """Where there are bounds alone, the figures of single tokens are their lower ones.

    `own`: by how much the second model was the more surprised, token by token.
    """
    low = [each.lowest for each in found]
    back, between = _known([each.back for each in found]), _known([each.between for each in found])
    first, ten = [float(each.same_first) for each in found], [each.same_ten for each in found]
    means = [_mean(values) if values else None for values in (back, between, own)]
    return Apart(
        _mean(low),
        standard_error(low),
        (_mean(low), _mean([each.highest for each in found])),
        percentile(sorted(low), 99),
        tuple(low),
        means[0],
        means[1],
        _mean(first),
        _mean(ten),
        means[2],
        *(standard_error(values) if values else None for values in (back, between, first, ten, own)),
    )


def standard_error(values: Sequence[float], places: Sequence[int] | None = None) -> float | None:
    """Return the standard error of the mean, from stretches of neighbors and the covariance of adjacent ones.

    `places`: the positions of the values in the text, if they are not all of it.
    """
    mean, off = _mean(values), dict[int, float]()
    for value, place in zip(values, range(len(values)) if places is None else places, strict=True):
        stretch = place // STRETCH
        off[stretch] = off.get(stretch, 0.0) + value - mean
    if len(off) < 2:
        return None
    alone = math.fsum(each * each for each in off.values())
    common = 2 * math.fsum(each * off.get(stretch + 1, 0.0) for stretch, each in off.items())
    return math.sqrt((alone + max(0.0, common)) * len(off) / (len(off) - 1)) / len(values)


def margin(error: float, tokens: int) -> float:
    """Return the half-width of the 95 % confidence interval; wider for few blocks."""
    free, z = max(1, -(-tokens // STRETCH) - 1), NINETY_FIVE
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return error * (z + first / free + second / free**2 + third / free**3)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _known(values: Sequence[float | None]) -> list[float]:
    """All of them, or none."""
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else []
