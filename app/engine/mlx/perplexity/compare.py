"""A model's distributions held against those that another one left, a few places at a time, by numpy.

Its exponential takes a hundredth of the time that MLX's own takes on the CPU.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.distributions import FLOAT_BYTES, Distributions, Ids, Logprobs
from app.engine.mlx.top_k import likeliest
from app.engine.types import TokenDifference

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEN = 10
ROUNDING = 1e-6
"""What is left over in float32 is known no better; bounds are wider by as much."""
LN_2 = math.log(2)
AT_ONCE_BYTES = 256_000
"""Rows looked at together, so that half a dozen of them at a time stay in the processor's cache."""


class DistributionComparison:
    """Told of the second model's places in the order in which the first one's were kept."""

    def __init__(self, kept: Distributions, found: list[TokenDifference]) -> None:
        self._kept, self._found = kept, found
        self._rows = max(1, AT_ONCE_BYTES // (FLOAT_BYTES * kept.vocabulary))

    def see(self, logprobs: Logprobs) -> None:
        """Of the model that is open now."""
        for start in range(0, len(logprobs), self._rows):
            second = logprobs[start : start + self._rows]
            ids, first = self._kept.take(len(second))
            self._found += _whole(first, second) if ids is None else _partly(ids, first, second)


def _whole(first: Logprobs, second: Logprobs) -> Iterator[TokenDifference]:
    """With log(1 + e^x) for the mean of both, so that a model is apart from itself by nothing at all."""
    apart = first - second
    p, q, size = np.exp(first), np.exp(second), np.abs(apart)
    there, back = np.vecdot(p, apart), -np.vecdot(q, apart)
    closeness = LN_2 - np.log1p(np.exp(-size)) - size / 2
    between = np.vecdot(p, closeness) + np.vecdot(q, closeness) + (there + back) / 2
    columns = (np.maximum(0, each).tolist() for each in (there, back, between / 2))
    same = _favourites(first, second, second).tolist()
    for kl, other, js, alike, shared in zip(*columns, same, _shared_tens(first, second), strict=True):
        yield TokenDifference(kl, kl, other, js, alike, shared)


def _partly(ids: Ids, first: Logprobs, second: Logprobs) -> Iterator[TokenDifference]:
    """Of all others it is known how much they share, and that none of them is likelier than the last that was kept.

    Their part is the least where both spread it alike (the log sum inequality).
    """
    theirs = np.take_along_axis(second, ids, axis=1)
    part = (np.exp(first) * (first - theirs)).sum(axis=1)
    rest, other = (np.maximum(0, 1 - np.exp(each).sum(axis=1)) + ROUNDING for each in (first, theirs))
    alike, apart = np.log(rest / other), first.min(axis=1) - second.min(axis=1)
    low = part + rest * alike - ROUNDING * (2 + np.abs(alike))
    high = part + rest * apart + ROUNDING * (2 + np.abs(apart))
    order = np.argpartition(first, -TEN, axis=1)[:, -TEN:]
    tens = _shared(np.take_along_axis(ids, order, axis=1), likeliest(second, TEN)[0])
    for least, most, same, ten in zip(low, high, _favourites(first, theirs, second), tens, strict=True):
        yield TokenDifference(max(0.0, float(least)), max(0.0, float(most)), None, None, bool(same), ten)


def _favourites(first: Logprobs, theirs: Logprobs, second: Logprobs) -> NDArray[np.bool_]:
    """Whether one is the favourite of both; there may be several of each."""
    both = (first == first.max(axis=1, keepdims=True)) & (theirs == second.max(axis=1, keepdims=True))
    return np.asarray(both.any(axis=1))


def _shared_tens(first: Logprobs, second: Logprobs) -> list[float]:
    """By the tenth likeliest of each, which is found sooner than the names of those before it."""
    ten = min(TEN, len(first.T))
    ours, theirs = (each >= np.partition(each, -ten, axis=1)[:, -ten, None] for each in (first, second))
    return (np.minimum(ten, (ours & theirs).sum(axis=1)) / ten).tolist()  # type: ignore[no-any-return]


def _shared(first: NDArray[Any], second: NDArray[Any]) -> Iterator[float]:
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        yield len(set(one) & set(other)) / len(one)
