"""Computes the logprobs to record from the logits of several tokens, in a few calls for all of them.

Next to a running model every call into numpy finds its caches cold, so eight rows take hardly longer than one.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from app.engine.mlx.sampler import Doubles, Flags, Ranked, SampledDistribution, logit_deviations, ranked
from app.engine.mlx.top_k import Floats, Ids, likeliest
from app.engine.types import Alternative, ConstraintStats, TokenLogprobs, TopTokens

IMPOSSIBLE = -1e4
"""Replaces the logarithm of zero, which would make sums of products undefined."""
DIGITS = 7
"""Significant digits of a standard deviation, as in float32."""


class ScoredChoice(NamedTuple):
    """A token and the logits that it was sampled from: the model's own, and those after penalties and bias."""

    token: int
    raw: Floats
    after: Floats


class Describer:
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
        formed = repeat(None)
        told = (float(f"{each:.{DIGITS}g}") for each in deviations)
        return list(map(TokenLogprobs, chosen, ranks, tops, entropies, ends, rests, drawn, formed, told))

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
        self, choices: Sequence[ScoredChoice], likely: Ranked, highest: Floats
    ) -> tuple[Iterable[Alternative], list[int], list[TopTokens], list[float]]:
        """Return sampled tokens, ranks, top tokens and the mass of the rest."""
        best, logs = likely.ids[:, : self._top], np.log(likely.totals)
        raw, own = _raw_logits(choices, best, likely, highest)
        logprobs = likely.logits[:, : self._top] - logs[:, None]
        ids, rests = likely.chosen.tolist(), np.maximum(0.0, 1.0 - np.exp(logprobs).sum(axis=1))
        chosen = map(Alternative, ids, map(self._text_of, ids), (likely.own - logs).tolist(), own.tolist())
        return chosen, (likely.places + 1).tolist(), self._top_tokens(best, logprobs, raw), rests.tolist()

    def _entropies_and_eos(self, likely: Ranked, logits: Floats, weights: Floats) -> tuple[list[float], list[float]]:
        """Return the entropies and EOS probabilities of whole rows."""
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


def _raw_logits(choices: Sequence[ScoredChoice], best: Ids, likely: Ranked, highest: Floats) -> tuple[Doubles, Doubles]:
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
