"""Stores the logits that tokens were sampled from until they are described, without extra work for mlx.

mlx-lm queues the next step before it returns a token, so a computation on a response's arrays would wait for that step.
The logits themselves are computed before their token. References taken when they are queued (`keep_raw`, `process`)
have their values when the token arrives.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import mlx.core as mx
import numpy as np

from app.engine.mlx.perplexity.distribution import Describer, ScoredChoice
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
    """Collects the logits of one run and describes the distributions of the tokens noted since the last time."""

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
        """Store the model's logits of one pass. Called in order."""
        with self.spent:
            self._raw.append(readable(logits))

    def process(self, _tokens: mx.array, logits: mx.array) -> mx.array:
        """Read the logits after penalties and bias, as the last logits processor."""
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
        """Store a sampled token. With a draft model a pass has several rows and ends with the target model's token.

        The library then runs the processors for draft tokens too, so their result is passed as `adjusted`.
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
        """Return the distributions of the tokens since the last call, and release their logits."""
        noted, self._noted = self._noted, []
        unformed, self._unformed = self._unformed, []
        with self.spent:
            found = self._describer.describe([_choice(*each) for each in noted]) if noted else []
            return list(map(self._with_constraint, found, unformed)) if any(unformed) else found

    def _with_constraint(self, observed: TokenLogprobs, unformed: tuple[mx.array, Flags] | None) -> TokenLogprobs:
        """Add the effect of the constraint; forbidden tokens are no alternatives."""
        if unformed is None:
            return observed
        logits, allowed = unformed
        top = TopTokens.of(each for each in observed.top if each.logprob > -math.inf)
        return replace(observed, top=top, formed=self._describer.formed(_row(logits, -1), allowed))


def readable(logits: mx.array) -> mx.array:
    """Convert to float32, since numpy has no bfloat16. Queued now, before the next step."""
    if logits.dtype == mx.float32:
        return logits
    converted = logits.astype(mx.float32)
    mx.async_eval(converted)
    return converted


def _choice(token: int, raw: mx.array, row: int, adjusted: mx.array | None) -> ScoredChoice:
    """Return the choice of a token. `row`: its row in the model's pass; adjusted logits have one row."""
    logits = _row(raw, row)
    return ScoredChoice(token, logits, logits if adjusted is None else _row(adjusted, -1))


def _row(logits: mx.array, row: int) -> Floats:
    rows = np.asarray(logits)
    chosen_from: Floats = rows.reshape(-1, rows.shape[-1])[row]
    return chosen_from
