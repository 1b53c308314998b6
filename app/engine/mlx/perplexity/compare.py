"""Compares a model's distributions with those stored from another model, a few positions at a time.

It uses numpy, whose exponential takes a hundredth of the time of MLX's on the CPU.
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
"""Error of a float32 remainder; bounds are wider by it."""
LN_2 = math.log(2)
AT_ONCE_BYTES = 256_000
"""Bytes of rows compared together, so that several such arrays fit into the processor's cache."""


class DistributionComparison:
    """Compares two models at each position, in the order in which the first model's distributions were stored."""

    def __init__(self, kept: Distributions, found: list[TokenDifference]) -> None:
        self._kept, self._found = kept, found
        self._rows = max(1, AT_ONCE_BYTES // (FLOAT_BYTES * kept.vocabulary))

    def see(self, logprobs: Logprobs) -> None:
        """Add the second model's next distributions."""
        for start in range(0, len(logprobs), self._rows):
            second = logprobs[start : start + self._rows]
            ids, first = self._kept.take(len(second))
            self._found += _compare_complete(first, second) if ids is None else _compare_top(ids, first, second)


def _compare_complete(first: Logprobs, second: Logprobs) -> Iterator[TokenDifference]:
    """Compare complete distributions. With log1p for their mean, a model has divergence 0 from itself."""
    apart = first - second
    p, q, size = np.exp(first), np.exp(second), np.abs(apart)
    there, back = np.vecdot(p, apart), -np.vecdot(q, apart)
    closeness = LN_2 - np.log1p(np.exp(-size)) - size / 2
    between = np.vecdot(p, closeness) + np.vecdot(q, closeness) + (there + back) / 2
    columns = (np.maximum(0, each).tolist() for each in (there, back, between / 2))
    same = _same_first(first, second, second).tolist()
    for kl, other, js, alike, shared in zip(*columns, same, _shared_tens(first, second), strict=True):
        yield TokenDifference(kl, kl, other, js, alike, shared)


def _compare_top(ids: Ids, first: Logprobs, second: Logprobs) -> Iterator[TokenDifference]:
    """Compare with stored top tokens.

    Of the others only the sum is known, and that each is at most the last stored one.

    Their part of the divergence is smallest if both models distribute it in the same way (log sum inequality).
    """
    theirs = np.take_along_axis(second, ids, axis=1)
    part = (np.exp(first) * (first - theirs)).sum(axis=1)
    rest, other = (np.maximum(0, 1 - np.exp(each).sum(axis=1)) + ROUNDING for each in (first, theirs))
    alike, apart = np.log(rest / other), first.min(axis=1) - second.min(axis=1)
    low = part + rest * alike - ROUNDING * (2 + np.abs(alike))
    high = part + rest * apart + ROUNDING * (2 + np.abs(apart))
    order = np.argpartition(first, -TEN, axis=1)[:, -TEN:]
    tens = _shared_ids(np.take_along_axis(ids, order, axis=1), likeliest(second, TEN)[0])
    for least, most, same, ten in zip(low, high, _same_first(first, theirs, second), tens, strict=True):
        yield TokenDifference(max(0.0, float(least)), max(0.0, float(most)), None, None, bool(same), ten)


def _same_first(first: Logprobs, theirs: Logprobs, second: Logprobs) -> NDArray[np.bool_]:
    """Return whether both have a most likely token in common; there may be ties."""
    both = (first == first.max(axis=1, keepdims=True)) & (theirs == second.max(axis=1, keepdims=True))
    return np.asarray(both.any(axis=1))


def _shared_tens(first: Logprobs, second: Logprobs) -> list[float]:
    """Return the shared part of the ten likeliest tokens, found by the tenth logprob, which is faster than sorting."""
    ten = min(TEN, len(first.T))
    ours, theirs = (each >= np.partition(each, -ten, axis=1)[:, -ten, None] for each in (first, second))
    return (np.minimum(ten, (ours & theirs).sum(axis=1)) / ten).tolist()  # type: ignore[no-any-return]


def _shared_ids(first: NDArray[Any], second: NDArray[Any]) -> Iterator[float]:
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        yield len(set(one) & set(other)) / len(one)
