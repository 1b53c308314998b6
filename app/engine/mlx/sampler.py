"""Samplers, logits processors, and the distribution after them: mlx-lm's own filters, and the same in float64.

`SampledDistribution` computes the effect of temperature and filters on the whole vocabulary, in the order of
application. All filters but XTC keep the most likely tokens, so the first few usually decide. Otherwise more of the
vocabulary is sorted, and in the end all of it.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import mlx.core as mx
import numpy as np
from mlx_lm.sample_utils import make_logits_processors, make_sampler

from app.engine.mlx.top_k import Floats, Ids, likeliest
from app.engine.script.options import processor_options, sampler_options
from app.engine.types import Sampling, SamplingStats

if TYPE_CHECKING:
    from numpy.typing import NDArray

Sampler = Callable[[mx.array], mx.array]
Processor = Callable[[mx.array, mx.array], mx.array]
REACH = 64
"""Number of the likeliest tokens that are sorted first,"""
FURTHER = 1024
"""and then, if those don't decide."""
LOWEST = -60.0
"""Logarithm of the smallest weight that still counts in a float32 sum."""
Doubles: TypeAlias = "NDArray[np.float64]"
Flags: TypeAlias = "NDArray[np.bool_]"


def sampler_for(sampling: Sampling, untouchable: frozenset[int]) -> Sampler:
    """Make a sampler. XTC spares the `untouchable` ids: EOS and newline tokens, as in mlx-lm."""
    options: dict[str, Any] = sampler_options(sampling)
    made: Sampler = make_sampler(**options, xtc_special_tokens=sorted(untouchable))
    n = sampling.top_n_sigma
    return top_n_sigma(n, made) if n and sampling.temperature else made


def top_n_sigma(n: float, sampler: Sampler) -> Sampler:
    """Keep the tokens within n standard deviations of the largest logit: https://arxiv.org/abs/2411.07641.

    As in llama.cpp it is the first filter, and impossible tokens don't count. mlx-lm's filters, which follow, need no
    logarithms that add up to 1. A sampler, unlike a logits processor, gets what penalties, structured output and
    reasoning budget left, also of a draft model's tokens, and the recorded distribution stays complete.
    """

    def sample(logprobs: mx.array) -> mx.array:
        logits = logprobs.astype(mx.float32)
        is_possible = logits > -mx.inf
        count = is_possible.sum(axis=-1, keepdims=True)
        mean = mx.where(is_possible, logits, 0).sum(axis=-1, keepdims=True) / count
        squares = mx.where(is_possible, (logits - mean) ** 2, 0)
        sigma = mx.sqrt(squares.sum(axis=-1, keepdims=True) / count)
        return sampler(mx.where(logits < logits.max(axis=-1, keepdims=True) - n * sigma, -mx.inf, logprobs))

    return sample


def processors_for(sampling: Sampling, unseen: tuple[int, ...]) -> list[Processor]:
    """Make the penalties and the bias. They also see the `unseen` prompt ids, which mlx-lm doesn't pass to them."""
    options: dict[str, Any] = processor_options(sampling)
    made: list[Processor] = make_logits_processors(**options)
    if not unseen or not made:
        return made
    prefix = mx.array(unseen, mx.uint32)
    return [_with_prefix(processor, prefix) for processor in made]


def within(vocabulary: int) -> Processor:
    """Mask ids that the model can output but not read again."""

    def process(_tokens: mx.array, logits: mx.array) -> mx.array:
        return mx.where(mx.arange(logits.shape[-1]) < vocabulary, logits, -mx.inf)

    return process


def _with_prefix(processor: Processor, prefix: mx.array) -> Processor:
    def process(tokens: mx.array, logits: mx.array) -> mx.array:
        return processor(mx.concatenate([prefix, tokens.astype(mx.uint32)]), logits)

    return process


def logit_deviations(rows: Floats) -> list[float]:
    """Return the standard deviation of each row; impossible tokens, whose logits are -inf, don't count."""
    shifted, found = np.empty_like(rows[0]), []  # row by row: a copy of all rows would not fit into the CPU's cache
    for row in rows:
        mean = row.mean()
        if not math.isfinite(mean):
            row = row[np.isfinite(row)]
            mean = row.mean()
        part = np.subtract(row, mean, out=shifted[: len(row)])
        found.append(math.sqrt(np.dot(part, part) / len(row)))
    return found


class RankedLogits(NamedTuple):
    """The likeliest ids of some rows, with their logits minus the highest. The sampled one comes first among equals.

    `totals` are the sums of the exponentials of whole rows. `chosen`, `own`, `positions`: its id, logit and index.
    """

    ids: Ids
    logits: Doubles
    totals: Doubles
    chosen: Ids
    own: Doubles
    positions: Ids


def ranked(rows: Floats, ids: Ids, highest: Floats, chosen: Ids, totals: Doubles) -> RankedLogits:
    """Sort the top ids of each row; the sampled token gets its true rank even if it is not among them."""
    each = np.arange(len(rows))
    values, own = rows[each[:, None], ids], rows[each, chosen]
    positions = (values > own[:, None]).sum(axis=1)
    for row in np.flatnonzero(own < values[:, -1]):
        positions[row] = np.count_nonzero(rows[row] > own[row])
    for row in np.flatnonzero((own >= values[:, -1]) & (ids[each, np.minimum(positions, ids.shape[1] - 1)] != chosen)):
        ids[row, ids[row] == chosen[row]] = ids[row, positions[row]]
        ids[row, positions[row]] = chosen[row]
    above = highest.astype(np.float64)
    return RankedLogits(ids, values - above[:, None], totals, chosen, own - above, positions)


class SampledDistribution:
    """The distribution after temperature and filters. XTC never removes the `spared` ids."""

    def __init__(self, sampling: Sampling, spared: frozenset[int]) -> None:
        self._sampling = sampling
        self._spared = np.array(sorted(spared), np.intp)
        self._orders = 0 < sampling.top_p < 1 or sampling.min_p > 0 or sampling.top_n_sigma > 0
        self.wanted = sampling.temperature > 0
        """False at temperature 0, which has no sampling statistics."""

    def reach(self, top: int, size: int) -> int:
        """Return the number of top ids to sort first if `top` are recorded."""
        filters = self._orders or self._sampling.top_k > 0 or self._sampling.xtc_probability > 0
        return min(size, max(top, REACH)) if self.wanted and filters else top

    def drawn(self, likely: RankedLogits, rows: Floats, top: int, scratch: Floats) -> list[SamplingStats]:
        """Return the sampling statistics of each row of logits minus their highest. Overwrites `scratch`."""
        size = rows.shape[1]
        sigmas = np.array(logit_deviations(rows)) if self._sampling.top_n_sigma else np.zeros(len(rows))
        found = self._statistics(likely, self._log_weight_beyond(likely, rows, scratch), size, top, sigmas)
        for further in (FURTHER, size):
            if open_ones := [index for index, each in enumerate(found) if each is None]:
                part = rows[open_ones]
                ids, highest = likeliest(part, min(further, size))
                again = ranked(part, ids, highest, likely.chosen[open_ones], likely.totals[open_ones])
                beyond = self._log_weight_beyond(again, part, np.empty_like(part))
                sorted_further = self._statistics(again, beyond, size, top, sigmas[open_ones])
                for index, each in zip(open_ones, sorted_further, strict=True):
                    found[index] = each
        return [each for each in found if each is not None]

    def _log_weight_beyond(self, likely: RankedLogits, rows: Floats, scratch: Floats) -> Doubles:
        """Return the log weight of the tokens outside the top ones, if no filter can remove them."""
        temperature, size = self._sampling.temperature, rows.shape[1]
        if self._orders or self._sampling.top_k or likely.ids.shape[1] == size:
            return np.full(len(rows), -math.inf)
        warmed = likely.totals
        if temperature != 1:
            np.exp(np.multiply(rows, np.float32(1 / temperature), out=scratch), out=scratch)
            warmed = scratch.sum(axis=1).astype(np.float64)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(0.0, warmed - np.exp(likely.logits / temperature).sum(axis=1))))

    def _statistics(
        self, likely: RankedLogits, beyond: Doubles, size: int, top: int, sigmas: Doubles
    ) -> list[SamplingStats | None]:
        """Compute the statistics from the sorted ids; None for a row that also depends on others."""
        sampling, looked = self._sampling, likely.logits.shape[1]
        kept = self._kept_counts(likely, size, sigmas)
        inside = np.arange(looked) < kept[:, None]
        passed, certain = self._removed_by_xtc(likely, inside)
        if sampling.top_n_sigma and looked < size:
            certain &= (likely.logits >= -sampling.top_n_sigma * sigmas[:, None]).sum(axis=1) < looked
        chance = sampling.xtc_probability
        ways = [inside, inside & ~passed] if chance else [inside]
        """Remaining tokens without XTC, and with it."""
        if sampling.top_k:
            ways = [left & (left.cumsum(axis=1) <= sampling.top_k) for left in ways]
            certain &= (ways[-1].sum(axis=1) == sampling.top_k) | (kept < looked)
        elif self._orders:
            certain &= kept < looked
        totals = [self._log_total(likely, left, beyond) for left in ways]
        owns = [self._sampled_probability(likely, left, total) for left, total in zip(ways, totals, strict=True)]
        own = (1 - chance) * owns[0] + chance * owns[-1]
        if not self._orders:
            kept = np.full(len(kept), size)
        over: list[tuple[int, ...]] = [()] * len(kept)
        if passed.any():
            over = [self._recorded_removals(likely, passed, row, top) for row in range(len(kept))]
        found = map(SamplingStats, own.tolist(), kept.tolist(), totals[0].tolist(), totals[-1].tolist(), over)
        sure = certain | (looked == size)
        return [each if known else None for each, known in zip(found, sure.tolist(), strict=True)]

    def _kept_counts(self, likely: RankedLogits, size: int, sigmas: Doubles) -> Ids:
        """Return how many tokens top-nσ, top-p and min-p keep in each row; all sorted ones: maybe more."""
        sampling, logits, totals = self._sampling, likely.logits, likely.totals
        looked = logits.shape[1]
        near = np.full(len(logits), looked)
        if sampling.top_n_sigma:
            near = (logits >= -sampling.top_n_sigma * sigmas[:, None]).sum(axis=1)
            totals = (np.exp(logits) * (np.arange(looked) < near[:, None])).sum(axis=1)
        kept = near
        if 0 < sampling.top_p < 1:
            shares = np.exp(logits)
            inside = (shares.cumsum(axis=1) - shares < sampling.top_p * totals[:, None]).sum(axis=1)
            kept = (logits >= logits[np.arange(len(kept)), inside - 1][:, None]).sum(axis=1)
            kept = np.minimum(kept, near)
        if sampling.min_p > 0:
            enough = (logits >= math.log(sampling.min_p)).sum(axis=1)
            kept = np.minimum(kept, np.maximum(enough, sampling.min_tokens_to_keep))
        if sampling.top_n_sigma and looked < size:
            kept = np.where(near < looked, kept, looked)
        # The sampled token was not removed, even if rounding says so.
        return np.asarray(np.clip(likely.positions + 1, kept, looked))

    def _removed_by_xtc(self, likely: RankedLogits, inside: Flags) -> tuple[Flags, Flags]:
        """Return which tokens XTC removes when it acts, and whether that is certain."""
        sampling, looked = self._sampling, inside.shape[1]
        certain = np.full(len(inside), True)
        if not sampling.xtc_probability:
            return np.zeros_like(inside), certain
        shares = np.exp(likely.logits) * inside
        total = shares.sum(axis=1) if self._orders else likely.totals
        count = (shares > sampling.xtc_threshold * total[:, None]).sum(axis=1)
        least = np.where(count > 0, likely.logits[np.arange(len(count)), count - 1], math.inf)
        over = inside & (likely.logits > least[:, None])
        over &= ~np.isin(likely.ids, self._spared)
        # With tiny remaining weights, the weight of the other tokens can't be distinguished from 0.
        near = least > LOWEST * sampling.temperature
        return over, ~inside[:, -1] if self._orders else (count < looked) & near

    def _log_total(self, likely: RankedLogits, left: Flags, beyond: Doubles) -> Doubles:
        """Return the total to subtract: a probability is exp(logprob / temperature - total)."""
        warmed = np.where(left, likely.logits / self._sampling.temperature, -math.inf)
        highest = warmed.max(axis=1)
        total = np.logaddexp(highest + np.log(np.exp(warmed - highest[:, None]).sum(axis=1)), beyond)
        return np.asarray(total - np.log(likely.totals) / self._sampling.temperature)

    def _sampled_probability(self, likely: RankedLogits, left: Flags, totals: Doubles) -> Doubles:
        """Return the probability of the sampled token. No filter removes one beyond the sorted ones."""
        looked = left.shape[1]
        there = (likely.positions >= looked) | left[np.arange(len(left)), np.minimum(likely.positions, looked - 1)]
        logprobs = likely.own - np.log(likely.totals)
        return np.asarray(there * np.exp(np.minimum(0.0, logprobs / self._sampling.temperature - totals)))

    def _recorded_removals(self, likely: RankedLogits, passed: Flags, row: int, top: int) -> tuple[int, ...]:
        index = int(likely.positions[row])
        recorded = [*range(min(top, passed.shape[1])), *([index] if top <= index < passed.shape[1] else ())]
        return tuple(int(likely.ids[row, each]) for each in recorded if passed[row, each])
