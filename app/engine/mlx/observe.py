"""What the model nearly said: top candidates, entropy and the like, taken while it generates.

The library queues the next step before it hands out a token, so anything computed from a response's arrays would wait
for that step. But logits are computed on the way to their token: whoever has kept hold of them when they were queued
(`keep_raw`, `process`) finds their values there when the token comes, with nothing left for mlx to do.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from app.engine.types import Candidate, Observed

Floats = NDArray[np.float32]
NEAR = -12.0
"""Logits within this of the best one are looked at first: what lies below has less than a hundred-thousandth of it."""
IMPOSSIBLE = -1e4
"""Stands for a logarithm of zero, which would make a sum of products undefined."""


class Observer:
    """Collects the distributions of one run and turns each into an `Observed`."""

    def __init__(self, top: int, eos_ids: frozenset[int], text_of: Callable[[int], str], drafts: bool = False) -> None:
        self._top = top
        self._drafts = drafts
        self._eos = sorted(eos_ids)
        self._text_of = text_of
        self._row = 0
        self._raw: deque[mx.array] = deque()
        self._adjusted: deque[mx.array] = deque()

    def keep_raw(self, logits: mx.array) -> None:
        """Logits as the model gave them, one pass at a time, in order."""
        self._raw.append(_readable(logits))

    def process(self, _tokens: mx.array, logits: mx.array) -> mx.array:
        """The last of the logits processors: it only looks at what penalties and bias made of the logits."""
        self._adjusted.append(_readable(logits))
        return logits

    def observe(self, token: int, from_draft: bool = False, adjusted: mx.array | None = None) -> Observed:
        """The choice of `token`. Beside a draft model one pass has several rows, and ends with the target's own token.

        The library runs the processors for guesses too there, so what they made of the logits is given as `adjusted`.
        """
        rows = _rows(self._raw[0])
        raw = rows[self._row if self._drafts else -1]
        self._row = self._row + 1 if from_draft else 0
        if not from_draft:
            self._raw.popleft()
        if adjusted is not None:
            return self._describe(token, raw, _rows(_readable(adjusted))[0])
        return self._describe(token, raw, _rows(self._adjusted.popleft())[-1] if self._adjusted else raw)

    def _describe(self, token: int, raw: Floats, after: Floats) -> Observed:
        """Few passes over the vocabulary and few calls: this runs beside the model, for each token."""
        shifted = after - after.max()
        weights = np.exp(shifted)
        total = float(weights.sum())
        log_total = math.log(total)
        best = self._best(shifted)
        ids, logprobs, logits = best.tolist(), (shifted[best] - log_total).tolist(), raw[best].tolist()
        text_of, own = self._text_of, float(shifted[token])
        return Observed(
            chosen=Candidate(token, text_of(token), own - log_total, float(raw[token])),
            rank=1 + int(np.count_nonzero(shifted > own)),
            top=tuple(map(Candidate, ids, map(text_of, ids), logprobs, logits)),
            entropy=max(0.0, log_total - _weighted(weights, shifted) / total),
            eos_probability=sum(float(weights[index]) for index in self._eos) / total,
            rest=max(0.0, 1.0 - sum(map(math.exp, logprobs))),
        )

    def _best(self, values: Floats) -> NDArray[np.intp]:
        """The likeliest ids, best first. Mostly few tokens matter at all, and only those have to be sorted."""
        near = np.flatnonzero(values > NEAR)
        if near.size < self._top:
            near = np.argpartition(values, values.size - self._top)[-self._top :]
        return np.asarray(near[np.argsort(values[near])[: -self._top - 1 : -1]])


def _weighted(weights: Floats, shifted: Floats) -> float:
    """The sum of weight times logarithm, in which what is impossible (a logarithm of minus infinity) counts nothing."""
    together = float(np.dot(weights, shifted))
    return together if math.isfinite(together) else float(np.dot(weights, np.maximum(shifted, IMPOSSIBLE)))


def _readable(logits: mx.array) -> mx.array:
    """numpy knows no bfloat16, so half precision is converted, and asked for now rather than behind the next step."""
    if logits.dtype == mx.float32:
        return logits
    converted = logits.astype(mx.float32)
    mx.async_eval(converted)
    return converted


def _rows(logits: mx.array) -> Floats:
    return np.array(logits, dtype=np.float32, copy=None).reshape(-1, logits.shape[-1])
