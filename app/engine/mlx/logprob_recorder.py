"""Stores the logits that tokens were sampled from until they are described, without extra work for mlx.

mlx-lm queues the next step before it returns a token, so a computation on a response's arrays would wait for that step.
The logits themselves are computed before their token. References taken when they are queued (`keep_raw`, `process`)
have their values when the token arrives. Several tokens are described in a few calls: next to a running model every
call into numpy finds its caches cold, so eight rows take hardly longer than one.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import repeat
from typing import NamedTuple

import mlx.core as mx
import numpy as np

from app.engine.mlx.sampler import Doubles, Flags, RankedLogits, SampledDistribution, logit_deviations, ranked
from app.engine.mlx.top_k import Floats, Ids, likeliest
from app.engine.types import Alternative, ConstraintStats, TokenLogprobs, TopTokens

IMPOSSIBLE = -1e4
"""Replaces the logarithm of zero, which would make sums of products undefined."""
DIGITS = 7
"""Significant digits of a standard deviation, as in float32."""


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
        self._describer = LogprobReader(top, eos_ids, text_of, drawing)
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


class ScoredChoice(NamedTuple):
    """A token and the logits that it was sampled from: the model's own, and those after penalties and bias."""

    token: int
    raw: Floats
    after: Floats


class LogprobReader:
    """Computes `TokenLogprobs` from logits: alternatives, ranks, entropies, EOS probabilities, sampling statistics."""

    def __init__(
        self, top: int, eos_ids: frozenset[int], text_of: Callable[[int], str], drawing: SampledDistribution
    ) -> None:
        self._top = top
        self._eos = np.array(sorted(eos_ids), np.intp)
        self._text_of = text_of
        self._drawing = drawing

    def describe(self, choices: Sequence[ScoredChoice]) -> list[TokenLogprobs]:
        """Return the `TokenLogprobs` of each, in order."""
        logits = np.concatenate([choice.after for choice in choices]).reshape(len(choices), -1)
        ids, highest = likeliest(logits, self._drawing.reach(self._top, logits.shape[1]))
        if not math.isfinite(sum(highest.tolist())):
            return self.describe([_finite(choice) for choice in choices])
        tokens = np.array([choice.token for choice in choices])
        likely = ranked(logits, ids, highest, tokens, np.empty(len(choices)))
        logits -= highest[:, None]
        weights = np.exp(logits)
        weights.sum(axis=1, out=likely.totals)
        chosen, ranks, tops, rests = self._chosen_and_top(choices, likely, highest)
        entropies, ends = self._entropies_and_eos(likely, logits, weights)
        drawing, top, deviations = self._drawing, self._top, logit_deviations(logits)
        drawn = drawing.drawn(likely, logits, top, scratch=weights) if drawing.wanted else repeat(None)
        rounded = (float(f"{each:.{DIGITS}g}") for each in deviations)
        return list(map(TokenLogprobs, chosen, ranks, tops, entropies, ends, rests, drawn, repeat(None), rounded))

    def formed(self, logits: Floats, allowed: Flags) -> ConstraintStats:
        """Return the effect of constrained decoding on one row, with the likeliest banned tokens among the top ones."""
        above = logits.astype(np.float64) - logits.max()
        logprobs = above - np.log(np.exp(above).sum())
        ids, _ = likeliest(logits[None, :], self._top)
        taken = [each for each in ids[0].tolist() if not allowed[each]]
        candidates = (Alternative(each, self._text_of(each), logprobs[each], float(logits[each])) for each in taken)
        return ConstraintStats(
            min(1.0, float(np.exp(logprobs[~allowed]).sum())), int(allowed.sum()) == 1, TopTokens.of(candidates)
        )

    def _chosen_and_top(
        self, choices: Sequence[ScoredChoice], likely: RankedLogits, highest: Floats
    ) -> tuple[Iterable[Alternative], list[int], list[TopTokens], list[float]]:
        best, logs = likely.ids[:, : self._top], np.log(likely.totals)
        raw, own = _raw_logits(choices, best, likely, highest)
        logprobs = likely.logits[:, : self._top] - logs[:, None]
        ids, rests = likely.chosen.tolist(), np.maximum(0.0, 1.0 - np.exp(logprobs).sum(axis=1))
        chosen = map(Alternative, ids, map(self._text_of, ids), (likely.own - logs).tolist(), own.tolist())
        return chosen, (likely.positions + 1).tolist(), self._top_tokens(best, logprobs, raw), rests.tolist()

    def _entropies_and_eos(
        self, likely: RankedLogits, logits: Floats, weights: Floats
    ) -> tuple[list[float], list[float]]:
        entropies = np.maximum(0.0, np.log(likely.totals) - _weighted_sums(weights, logits) / likely.totals)
        return entropies.tolist(), (weights[:, self._eos].sum(axis=1) / likely.totals).tolist()

    def _top_tokens(self, best: Ids, logprobs: Doubles, raw: Doubles) -> list[TopTokens]:
        """Return the top tokens of each row, as slices of one block of bytes."""
        numbers = np.empty((len(best), 3, self._top))
        numbers.view(np.int64)[:, 0] = best
        numbers[:, 1] = logprobs
        numbers[:, 2] = raw
        block, size = numbers.tobytes(), 3 * self._top * numbers.itemsize
        texts = map(self._text_of, best.ravel().tolist())
        pieces = [block[start : start + size] for start in range(0, len(block), size)]
        return list(map(TopTokens, zip(*[texts] * self._top, strict=True), pieces))


def _finite(choice: ScoredChoice) -> ScoredChoice:
    """Replace NaN and infinite logits, which damaged weights cause."""
    after = np.nan_to_num(choice.after, nan=IMPOSSIBLE, neginf=IMPOSSIBLE, posinf=-IMPOSSIBLE)
    return ScoredChoice(choice.token, choice.raw, after)


def _raw_logits(
    choices: Sequence[ScoredChoice], best: Ids, likely: RankedLogits, highest: Floats
) -> tuple[Doubles, Doubles]:
    """Return the logits of the top tokens and of the sampled tokens, before penalties and bias."""
    if all(choice.raw is choice.after for choice in choices):
        return likely.logits[:, : best.shape[1]] + highest[:, None], likely.own + highest
    of_best = [choice.raw[ids] for choice, ids in zip(choices, best, strict=True)]
    return np.stack(of_best).astype(np.float64), np.array([choice.raw[choice.token] for choice in choices])


def _weighted_sums(weights: Floats, shifted: Floats) -> Floats:
    """Return the sums of weight × logarithm; a logarithm of -inf counts 0."""
    together = np.einsum("ij,ij->i", weights, shifted)
    if not math.isfinite(sum(together.tolist())):
        together = np.einsum("ij,ij->i", weights, np.maximum(shifted, IMPOSSIBLE))
    return np.asarray(together)


def readable(logits: mx.array) -> mx.array:
    """Convert to float32, since numpy has no bfloat16. Queued now, before the next step."""
    if logits.dtype == mx.float32:
        return logits
    converted = logits.astype(mx.float32)
    mx.async_eval(converted)
    return converted


def _choice(token: int, raw: mx.array, row: int, adjusted: mx.array | None) -> ScoredChoice:
    """Return a token with its logits before and after the processors. `row`: its row in `raw`; `adjusted` has one."""
    logits = _row(raw, row)
    return ScoredChoice(token, logits, logits if adjusted is None else _row(adjusted, -1))


def _row(logits: mx.array, row: int) -> Floats:
    rows = np.asarray(logits)
    chosen_from: Floats = rows.reshape(-1, rows.shape[-1])[row]
    return chosen_from
