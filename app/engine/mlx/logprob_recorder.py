"""Keeps the logits that tokens were chosen from until they are described, without giving mlx anything to do.

The library queues the next step before it hands out a token, so anything computed from a response's arrays would wait
for that step. But logits are computed on the way to their token: whoever has kept hold of them when they were queued
(`keep_raw`, `process`) finds their values there when the token comes, with nothing left for mlx to do.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import mlx.core as mx
import numpy as np

from app.engine.mlx.perplexity.distribution import Choice, Describer
from app.engine.mlx.sampler import Flags, SampledDistribution
from app.engine.mlx.top_k import Floats
from app.engine.types import TokenLogprobs, TopTokens


class Stopwatch:
    """Adds up the seconds spent inside it."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.seconds = 0.0
        self._now, self._begun = now, 0.0

    def __enter__(self) -> None:
        self._begun = self._now()

    def __exit__(self, *_: object) -> None:
        self.seconds += self._now() - self._begun


class LogprobRecorder:
    """Collects the distributions of one run, and turns those noted since the last time into what is told of them."""

    def __init__(
        self,
        top: int,
        eos_ids: frozenset[int],
        text_of: Callable[[int], str],
        drawing: SampledDistribution,
        drafts: bool = False,
    ) -> None:
        self._describer = Describer(top, eos_ids, text_of, drawing)
        self._drafts = drafts
        self.spent = Stopwatch(time.perf_counter)
        self._row = 0
        self._raw: deque[mx.array] = deque()
        self._adjusted: deque[mx.array] = deque()
        self._noted: list[tuple[int, mx.array, int, mx.array | None]] = []
        self._unformed: list[tuple[mx.array, Flags] | None] = []

    def keep_raw(self, logits: mx.array) -> None:
        """Logits as the model gave them, one pass at a time, in order."""
        with self.spent:
            self._raw.append(readable(logits))

    def process(self, _tokens: mx.array, logits: mx.array) -> mx.array:
        """The last of the logits processors: it only looks at what penalties and bias made of the logits."""
        with self.spent:
            self._adjusted.append(readable(logits))
        return logits

    def note(
        self,
        token: int,
        from_draft: bool = False,
        adjusted: mx.array | None = None,
        unformed: tuple[mx.array, Flags] | None = None,
    ) -> None:
        """`token` was chosen. Beside a draft model one pass has several rows, and ends with the target's own token.

        The library runs the processors for guesses too there, so what they made of the logits is given as `adjusted`.
        """
        with self.spent:
            raw, row = self._raw[0] if from_draft else self._raw.popleft(), self._row if self._drafts else -1
            self._row = self._row + 1 if from_draft else 0
            if adjusted is not None:
                adjusted = readable(adjusted)
            elif self._adjusted:
                adjusted = self._adjusted.popleft()
            self._noted.append((token, raw, row, adjusted))
            self._unformed.append(unformed)

    def describe(self) -> list[TokenLogprobs]:
        """What is told of the tokens noted since the last time, in order; their logits are let go."""
        noted, self._noted = self._noted, []
        unformed, self._unformed = self._unformed, []
        with self.spent:
            found = self._describer.describe([_choice(*each) for each in noted]) if noted else []
            return list(map(self._formed, found, unformed)) if any(unformed) else found

    def _formed(self, observed: TokenLogprobs, unformed: tuple[mx.array, Flags] | None) -> TokenLogprobs:
        """With what the form did to it; what that forbade is no candidate of what it left."""
        if unformed is None:
            return observed
        logits, allowed = unformed
        top = TopTokens.of(each for each in observed.top if each.logprob > -math.inf)
        return replace(observed, top=top, formed=self._describer.formed(_row(logits, -1), allowed))


def readable(logits: mx.array) -> mx.array:
    """numpy knows no bfloat16, so half precision is converted, and asked for now rather than behind the next step."""
    if logits.dtype == mx.float32:
        return logits
    converted = logits.astype(mx.float32)
    mx.async_eval(converted)
    return converted


def _choice(token: int, raw: mx.array, row: int, adjusted: mx.array | None) -> Choice:
    """`row` is the one of the model's pass; what was adjusted has one row alone."""
    logits = _row(raw, row)
    return Choice(token, logits, logits if adjusted is None else _row(adjusted, -1))


def _row(logits: mx.array, row: int) -> Floats:
    rows = np.asarray(logits)
    chosen_from: Floats = rows.reshape(-1, rows.shape[-1])[row]
    return chosen_from
