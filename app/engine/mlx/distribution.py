"""Logits of several tokens in, what is to be told of each out: a few passes over all of them at once.

Beside a running model every call into numpy finds its caches cold, so eight rows together cost hardly more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.types import Candidate, Observed

Floats = NDArray[np.float32]
Ids = NDArray[np.intp]
GROUP = 32
"""The likeliest tokens are searched for among the best of groups of so many."""
IMPOSSIBLE = -1e4
"""Stands for a logarithm of zero, which would make a sum of products undefined."""


class Choice(NamedTuple):
    """One token, and the logits it was chosen from: as the model gave them, and after penalties and bias."""

    token: int
    raw: Floats
    after: Floats


class Describer:
    """Knows how many candidates are wanted, which ids end a reply, and how tokens are spelt."""

    def __init__(self, top: int, eos_ids: frozenset[int], text_of: Callable[[int], str]) -> None:
        self._top = top
        self._eos = sorted(eos_ids)
        self._text_of = text_of

    def describe(self, choices: Sequence[Choice]) -> list[Observed]:
        """One `Observed` for each of them, in order."""
        each = np.arange(len(choices))
        rows, tokens = each[:, None], np.array([choice.token for choice in choices])
        after = np.stack([choice.after for choice in choices])
        adjusted = any(choice.raw is not choice.after for choice in choices)
        raw = np.stack([choice.raw for choice in choices]) if adjusted else after
        shifted = _shifted(after)
        weights = np.exp(shifted)
        totals = weights.sum(axis=1)
        logs = np.log(totals)
        own = shifted[each, tokens]
        best = self._best(shifted)
        logprobs = shifted[rows, best] - logs[:, None]
        columns = zip(
            tokens.tolist(),
            raw[each, tokens].tolist(),
            best.tolist(),
            logprobs.tolist(),
            raw[rows, best].tolist(),
            (own - logs).tolist(),
            (1 + np.count_nonzero(shifted > own[:, None], axis=1)).tolist(),
            np.maximum(0.0, logs - _weighted(weights, shifted) / totals).tolist(),
            (weights[:, self._eos].sum(axis=1) / totals).tolist(),
            np.maximum(0.0, 1.0 - np.exp(logprobs).sum(axis=1)).tolist(),
            strict=True,
        )
        return [self._told(*column) for column in columns]

    def _told(
        self,
        token: int,
        raw_logit: float,
        ids: list[int],
        logprobs: list[float],
        raw_logits: list[float],
        logprob: float,
        rank: int,
        entropy: float,
        eos_probability: float,
        rest: float,
    ) -> Observed:
        chosen = Candidate(token, self._text_of(token), logprob, raw_logit)
        top = tuple(map(Candidate, ids, map(self._text_of, ids), logprobs, raw_logits))
        return Observed(chosen, rank, top, entropy, eos_probability, rest)

    def _best(self, shifted: Floats) -> Ids:
        """The likeliest ids of each row, best first.

        The best of each of many groups are found in one pass. As many of those as are wanted are at or above the last
        of them, so nothing below it can be among the likeliest, and hardly more than those have to be sorted.
        """
        count, size = shifted.shape
        width = max(1, min(GROUP, size // (2 * self._top)))
        groups = shifted[:, : size - size % width].reshape(count, width, -1).max(axis=1)
        least = np.partition(groups, groups.shape[1] - self._top, axis=1)[:, -self._top, None]
        rows, ids = np.divmod(np.flatnonzero(shifted >= least), size)
        ordered = ids[np.lexsort((-shifted[rows, ids], rows))]
        found = np.bincount(rows, minlength=count)
        firsts = np.cumsum(found) - found
        return np.asarray(ordered[firsts[:, None] + np.arange(self._top)])


def _shifted(logits: Floats) -> Floats:
    """The best of each row at zero. Broken weights make logits that are no numbers: those count as impossible."""
    highest = logits.max(axis=1, keepdims=True)
    if not np.isfinite(highest).all():
        logits = np.nan_to_num(logits, nan=IMPOSSIBLE, neginf=IMPOSSIBLE, posinf=-IMPOSSIBLE)
        highest = logits.max(axis=1, keepdims=True)
    return np.asarray(logits - highest)


def _weighted(weights: Floats, shifted: Floats) -> Floats:
    """The sums of weight times logarithm; what is impossible (a logarithm of minus infinity) counts nothing."""
    together = np.einsum("ij,ij->i", weights, shifted)
    if not np.isfinite(together).all():
        together = np.einsum("ij,ij->i", weights, np.maximum(shifted, IMPOSSIBLE))
    return np.asarray(together)
