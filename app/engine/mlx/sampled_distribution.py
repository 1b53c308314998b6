"""The distribution after temperature and filters, over the whole vocabulary while its logits are there.

The filter order is that of mlx-lm's `make_sampler`, in float64. All filters but XTC keep the top tokens, so the first
few decide as a rule; otherwise more of the vocabulary is sorted, and in the end all of it.

"""

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from app.engine.mlx.top_k import Floats, Ids, likeliest
from app.engine.types import Sampling, SamplingStats

if TYPE_CHECKING:
    from numpy.typing import NDArray

REACH = 64
"""This many top tokens are looked at first"""
FURTHER = 1024
"""and then this many, if the first did not decide."""
LOWEST = -60.0
"""The logarithm of the smallest weight that a float32 sum still notices."""
Doubles: TypeAlias = "NDArray[np.float64]"
Flags: TypeAlias = "NDArray[np.bool_]"


class Ranked(NamedTuple):
    """The top ids of some rows, with their logits less the highest. The sampled one precedes its equals.

    `totals` are the sums of the exponentials of whole rows. `chosen`, `own` and `places`: its id, logit and place.
    """

    ids: Ids
    logits: Doubles
    totals: Doubles
    chosen: Ids
    own: Doubles
    places: Ids


def ranked(rows: Floats, ids: Ids, highest: Floats, chosen: Ids, totals: Doubles) -> Ranked:
    """Sort the top ids of each row."""
    each = np.arange(len(rows))
    values, own = rows[each[:, None], ids], rows[each, chosen]
    places = (values > own[:, None]).sum(axis=1)
    for row in np.flatnonzero(own < values[:, -1]):
        places[row] = np.count_nonzero(rows[row] > own[row])
    for row in np.flatnonzero((own >= values[:, -1]) & (ids[each, np.minimum(places, ids.shape[1] - 1)] != chosen)):
        ids[row, ids[row] == chosen[row]] = ids[row, places[row]]
        ids[row, places[row]] = chosen[row]
    above = highest.astype(np.float64)
    return Ranked(ids, values - above[:, None], totals, chosen, own - above, places)


class SampledDistribution:
    """The sampling settings of a run, and the ids that XTC spares."""

    def __init__(self, sampling: Sampling, spared: frozenset[int]) -> None:
        self._sampling = sampling
        self._spared = np.array(sorted(spared), np.intp)
        self._orders = 0 < sampling.top_p < 1 or sampling.min_p > 0
        self.wanted = sampling.temperature > 0
        """At temperature 0 nothing is drawn."""

    def reach(self, top: int, size: int) -> int:
        """Return how many top tokens are looked at if `top` are recorded."""
        filters = self._orders or self._sampling.top_k > 0 or self._sampling.xtc_probability > 0
        return min(size, max(top, REACH)) if self.wanted and filters else top

    def drawn(self, likely: Ranked, rows: Floats, top: int, scratch: Floats) -> list[SamplingStats]:
        """Describe `rows` of logits less the highest. Overwrites `scratch`."""
        size = rows.shape[1]
        found = self._look(likely, self._beyond(likely, rows, scratch), size, top)
        for further in (FURTHER, size):
            if open_ones := [place for place, each in enumerate(found) if each is None]:
                part = rows[open_ones]
                ids, highest = likeliest(part, min(further, size))
                again = ranked(part, ids, highest, likely.chosen[open_ones], likely.totals[open_ones])
                told = self._look(again, self._beyond(again, part, np.empty_like(part)), size, top)
                for place, each in zip(open_ones, told, strict=True):
                    found[place] = each
        return [each for each in found if each is not None]

    def _beyond(self, likely: Ranked, rows: Floats, scratch: Floats) -> Doubles:
        """Return the log weight of the tokens that are not looked at, if no filter can remove them."""
        temperature, size = self._sampling.temperature, rows.shape[1]
        if self._orders or self._sampling.top_k or likely.ids.shape[1] == size:
            return np.full(len(rows), -math.inf)
        warmed = likely.totals
        if temperature != 1:
            np.exp(np.multiply(rows, np.float32(1 / temperature), out=scratch), out=scratch)
            warmed = scratch.sum(axis=1).astype(np.float64)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(0.0, warmed - np.exp(likely.logits / temperature).sum(axis=1))))

    def _look(self, likely: Ranked, beyond: Doubles, size: int, top: int) -> list[SamplingStats | None]:
        """Return None if the tokens that are not looked at decide too."""
        sampling, looked = self._sampling, likely.logits.shape[1]
        kept = self._kept(likely)
        inside = np.arange(looked) < kept[:, None]
        passed, certain = self._passed_over(likely, inside)
        chance = sampling.xtc_probability
        ways = [inside, inside & ~passed] if chance else [inside]
        """Without XTC, and with it."""
        if sampling.top_k:
            ways = [left & (left.cumsum(axis=1) <= sampling.top_k) for left in ways]
            certain &= (ways[-1].sum(axis=1) == sampling.top_k) | (kept < looked)
        elif self._orders:
            certain &= kept < looked
        totals = [self._total(likely, left, beyond) for left in ways]
        owns = [self._own(likely, left, total) for left, total in zip(ways, totals, strict=True)]
        own = (1 - chance) * owns[0] + chance * owns[-1]
        if not self._orders:
            kept = np.full(len(kept), size)
        over = [self._told(likely, passed, row, top) for row in range(len(kept))] if passed.any() else [()] * len(kept)
        found = map(SamplingStats, own.tolist(), kept.tolist(), totals[0].tolist(), totals[-1].tolist(), over)
        sure = certain | (looked == size)
        return [each if known else None for each, known in zip(found, sure.tolist(), strict=True)]

    def _kept(self, likely: Ranked) -> Ids:
        """Return how many tokens top-p and min-p keep in each row; if all that are looked at, there may be more."""
        sampling, logits = self._sampling, likely.logits
        kept = np.full(len(logits), logits.shape[1])
        if 0 < sampling.top_p < 1:
            shares = np.exp(logits)
            inside = (shares.cumsum(axis=1) - shares < sampling.top_p * likely.totals[:, None]).sum(axis=1)
            kept = (logits >= logits[np.arange(len(kept)), inside - 1][:, None]).sum(axis=1)
        if sampling.min_p > 0:
            enough = (logits >= math.log(sampling.min_p)).sum(axis=1)
            kept = np.minimum(kept, np.maximum(enough, sampling.min_tokens_to_keep))
        # The sampled token passed the filter, however close it was.
        return np.asarray(np.clip(likely.places + 1, kept, logits.shape[1]))

    def _passed_over(self, likely: Ranked, inside: Flags) -> tuple[Flags, Flags]:
        """Return which tokens XTC removes, and whether that is certain."""
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
        # If the remaining weight is next to nothing, the others can't be told from zero.
        near = least > LOWEST * sampling.temperature
        return over, ~inside[:, -1] if self._orders else (count < looked) & near

    def _total(self, likely: Ranked, left: Flags, beyond: Doubles) -> Doubles:
        """Return the log of the remaining weight: a probability is exp(logprob / temperature - this)."""
        warmed = np.where(left, likely.logits / self._sampling.temperature, -math.inf)
        highest = warmed.max(axis=1)
        total = np.logaddexp(highest + np.log(np.exp(warmed - highest[:, None]).sum(axis=1)), beyond)
        return np.asarray(total - np.log(likely.totals) / self._sampling.temperature)

    def _own(self, likely: Ranked, left: Flags, totals: Doubles) -> Doubles:
        """Return the probability of the sampled token; below the tokens that are looked at nothing removes it."""
        looked = left.shape[1]
        there = (likely.places >= looked) | left[np.arange(len(left)), np.minimum(likely.places, looked - 1)]
        logprobs = likely.own - np.log(likely.totals)
        return np.asarray(there * np.exp(np.minimum(0.0, logprobs / self._sampling.temperature - totals)))

    def _told(self, likely: Ranked, passed: Flags, row: int, top: int) -> tuple[int, ...]:
        """Return the recorded ids."""
        place = int(likely.places[row])
        told = [*range(min(top, passed.shape[1])), *([place] if top <= place < passed.shape[1] else ())]
        return tuple(int(likely.ids[row, each]) for each in told if passed[row, each])
