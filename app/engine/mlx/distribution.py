"""Logits of several tokens in, what is to be told of each out: a few passes over all of them at once.

Beside a running model every call into numpy finds its caches cold, so eight rows together cost hardly more than one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from app.engine.mlx.likeliest import Floats, Ids, likeliest
from app.engine.types import Candidate, Observed, Top

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
        self._eos = np.array(sorted(eos_ids), np.intp)
        self._text_of = text_of

    def describe(self, choices: Sequence[Choice]) -> list[Observed]:
        """One `Observed` for each of them, in order."""
        logits = np.concatenate([choice.after for choice in choices]).reshape(len(choices), -1)
        best, highest = likeliest(logits, self._top)
        if not math.isfinite(sum(highest.tolist())):
            return self.describe([_possible(choice) for choice in choices])
        each, tokens = np.arange(len(choices)), np.array([choice.token for choice in choices])
        values, own = logits[each[:, None], best], logits[each, tokens]
        as_given = all(choice.raw is choice.after for choice in choices)
        raw, raw_own = (values, own) if as_given else _raw(choices, best)
        ranks = _ranks(logits, values, own)
        logits -= highest[:, None]
        weights = np.exp(logits)
        totals = weights.sum(axis=1)
        logs = np.log(totals)
        logprobs = values - highest[:, None] - logs[:, None]
        entropies = np.maximum(0.0, logs - _weighted(weights, logits) / totals)
        ends = weights[:, self._eos].sum(axis=1) / totals
        rests = np.maximum(0.0, 1.0 - np.exp(logprobs).sum(axis=1))
        chosen = self._chosen(tokens.tolist(), own - highest - logs, raw_own)
        tops = self._tops(best, logprobs, raw)
        return list(map(Observed, chosen, ranks.tolist(), tops, entropies.tolist(), ends.tolist(), rests.tolist()))

    def _chosen(self, ids: list[int], logprobs: Floats, raw: Floats) -> Iterable[Candidate]:
        return map(Candidate, ids, map(self._text_of, ids), logprobs.tolist(), raw.tolist())

    def _tops(self, best: Ids, logprobs: Floats, raw: Floats) -> list[Top]:
        """One for each row, cut out of one block of numbers."""
        numbers = np.empty((len(best), 3, self._top))
        numbers.view(np.int64)[:, 0] = best
        numbers[:, 1] = logprobs
        numbers[:, 2] = raw
        block, size = numbers.tobytes(), 3 * self._top * numbers.itemsize
        texts = map(self._text_of, best.ravel().tolist())
        pieces = [block[start : start + size] for start in range(0, len(block), size)]
        return list(map(Top, zip(*[texts] * self._top, strict=True), pieces))


def _possible(choice: Choice) -> Choice:
    """Broken weights make logits that are no numbers: those count as impossible, or as certain."""
    after = np.nan_to_num(choice.after, nan=IMPOSSIBLE, neginf=IMPOSSIBLE, posinf=-IMPOSSIBLE)
    return Choice(choice.token, choice.raw, after)


def _ranks(logits: Floats, values: Floats, own: Floats) -> Ids:
    """How many are likelier, and one. Who is among the best, `values`, has nobody else before it."""
    ranks = 1 + (values > own[:, None]).sum(axis=1)
    beyond = own < values[:, -1]
    if beyond.any():
        for row in np.flatnonzero(beyond):
            ranks[row] = 1 + np.count_nonzero(logits[row] > own[row])
    return np.asarray(ranks)


def _raw(choices: Sequence[Choice], best: Ids) -> tuple[Floats, Floats]:
    """The logits of the best, and of the tokens themselves, before penalties and bias."""
    of_best = [choice.raw[ids] for choice, ids in zip(choices, best, strict=True)]
    return np.stack(of_best), np.array([choice.raw[choice.token] for choice in choices])


def _weighted(weights: Floats, shifted: Floats) -> Floats:
    """The sums of weight times logarithm; what is impossible (a logarithm of minus infinity) counts nothing."""
    together = np.einsum("ij,ij->i", weights, shifted)
    if not math.isfinite(sum(together.tolist())):
        together = np.einsum("ij,ij->i", weights, np.maximum(shifted, IMPOSSIBLE))
    return np.asarray(together)
