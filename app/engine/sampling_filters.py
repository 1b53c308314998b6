"""Applies temperature and filters to one recorded distribution, and finds the filter that removed each alternative.

The order is top-nσ, as in llama.cpp, then that of mlx-lm's `make_sampler`: top-p, min-p, XTC, top-k. The temperature is
last, so the filters see the model's own distribution. A run records its most likely tokens and statistics of the whole
distribution (`SamplingStats`). For other settings only the probability mass of the remaining tokens is known, and
perhaps their entropy: they are treated as equally likely tokens, as many as that entropy allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import attrgetter

from app.engine.catalogue import FILTERS
from app.engine.types import Alternative, Sampling, SamplingStats, TokenLogprobs
from app.i18n import tr

NOTHING = 1e-9
"""Probabilities below this are rounding errors."""
HARDLY = 1e-6
"""Probabilities below this are rounding errors if they are computed as 1 minus all others."""


_shaping = attrgetter("temperature", *FILTERS)
"""The settings that change a recorded distribution. Penalties come before it, and the seed only selects a token."""


class SamplingFilter(StrEnum):
    """The filters that can remove an alternative, in the order of application."""

    TOP_N_SIGMA = "top-nσ"
    TOP_P = "top-p"
    MIN_P = "min-p"
    XTC = "XTC"
    TOP_K = "top-k"
    GREEDY = tr("temperature 0")


SETTING_OF = {
    SamplingFilter.TOP_N_SIGMA: "top_n_sigma",
    SamplingFilter.TOP_P: "top_p",
    SamplingFilter.MIN_P: "min_p",
    SamplingFilter.XTC: "xtc_probability",
    SamplingFilter.TOP_K: "top_k",
}
"""The setting that turns a filter on."""


@dataclass(frozen=True, slots=True)
class CandidateOutcome:
    """An alternative's probability before and after the filters. `removed_by` None: it can be sampled."""

    id: int
    text: str
    before: float
    after: float
    removed_by: SamplingFilter | None = None
    passed_over: bool = False
    """XTC removes it when it acts, which isn't at every token."""


@dataclass(frozen=True, slots=True)
class FilteredDistribution:
    """The alternatives after the filters, best first, and all other tokens together (`rest`)."""

    fates: tuple[CandidateOutcome, ...]
    rest_before: float
    rest_after: float
    rest_removed_by: SamplingFilter | None
    exact: bool
    """False if the effect on the other tokens is an estimate."""
    left_out: tuple[SamplingFilter, ...] = ()
    """Filters that weren't applied because the run didn't record enough."""


@dataclass(frozen=True, slots=True)
class _Group:
    """`count` tokens of one log-probability: an alternative, or all other tokens, which have no id."""

    id: int | None
    logprob: float
    count: float = 1.0
    removed_by: SamplingFilter | None = None
    guessed: bool = False

    @property
    def alive(self) -> bool:
        return self.removed_by is None

    @property
    def share(self) -> float:
        return self.count * math.exp(self.logprob)

    def out(self, stage: SamplingFilter) -> _Group:
        return replace(self, count=0.0, removed_by=stage, guessed=False)

    def cut(self, stage: SamplingFilter, left: float) -> _Group:
        """Keep at most `left` of its tokens."""
        if left <= 0:
            return self.out(stage)
        return self if left >= self.count else replace(self, count=left, guessed=True)


Groups = list[_Group]


def shape(
    top: Sequence[Alternative],
    rest: float,
    sampling: Sampling,
    entropy: float | None = None,
    untouchable: frozenset[int] = frozenset(),
    deviation: float | None = None,
) -> FilteredDistribution:
    """Apply `sampling` to the alternatives `top` (at least one, best first) and to the `rest` of the probability.

    `entropy` is that of the whole distribution, in nats, `deviation` the standard deviation of its logits. XTC never
    removes the `untouchable` ids.
    """
    groups = _groups(top, rest, entropy)
    plain = _filtered(groups, sampling, frozenset(), deviation)
    struck = (
        _filtered(groups, sampling, untouchable, deviation, strikes=True) if sampling.xtc_probability > 0 else plain
    )
    chance = sampling.xtc_probability if sampling.temperature > 0 else 0.0
    after = [
        (1 - chance) * one + chance * other
        for one, other in zip(_probabilities(plain, sampling), _probabilities(struck, sampling), strict=True)
    ]
    outcomes = [_removal_of(one, other, chance) for one, other in zip(plain, struck, strict=True)]
    fates = tuple(
        CandidateOutcome(known.id, known.text, math.exp(known.logprob), share, *outcome)
        for known, share, outcome in zip(top, after, outcomes, strict=False)
    )
    others = len(top) < len(groups)
    left_out = (
        (SamplingFilter.TOP_N_SIGMA,) if sampling.top_n_sigma and sampling.temperature and deviation is None else ()
    )
    return FilteredDistribution(
        fates,
        rest if others else 0.0,
        after[-1] if others else 0.0,
        outcomes[-1][0] if others else None,
        all(_is_exact(branch, sampling) for branch in (plain, struck))
        and not (chance and _is_rest_estimated(groups, replace(sampling, top_k=0), deviation))
        and not (
            sampling.top_p < 1 and _is_rest_estimated(groups, replace(sampling, top_p=1, min_p=0, top_k=0), deviation)
        )
        and not left_out,
        left_out,
    )


def shape_choice(
    observed: TokenLogprobs,
    sampling: Sampling,
    ends: frozenset[int],
    most: int | None = None,
    made: Sampling | None = None,
) -> FilteredDistribution:
    """Apply `sampling` to a recorded distribution. XTC never removes the `ends` and newline tokens, as in mlx-lm.

    The result is exact if `made`, the settings of the recorded run, are the same. Alternatives after the first `most`
    are added to the rest.
    """
    top, drawn = observed.top, observed.drawn
    if drawn is not None and sampling.temperature and made is not None and _shaping(made) == _shaping(sampling):
        return _with_fewer_alternatives(_from_statistics(top, observed.rest, sampling, drawn, observed.deviation), most)
    line_ends = {candidate.id for candidate in top if candidate.text == "\n"}
    entropy = None if math.isnan(observed.entropy) else observed.entropy
    return _with_fewer_alternatives(
        shape(top, observed.rest, sampling, entropy, ends | line_ends, observed.deviation), most
    )


def _from_statistics(
    top: Sequence[Alternative], rest: float, sampling: Sampling, drawn: SamplingStats, deviation: float | None
) -> FilteredDistribution:
    """Return the distribution from the statistics that the engine computed over the whole vocabulary."""
    told = [_Group(known.id, known.logprob) for known in top]
    takers = _filtered(_groups(top, rest, None), replace(sampling, top_k=0), frozenset(), deviation)
    kept = [
        group if position < drawn.kept else group.out(taker.removed_by or SamplingFilter.TOP_P)
        for position, (group, taker) in enumerate(zip(told, takers, strict=False))
    ]
    passed = [
        group.out(SamplingFilter.XTC) if group.alive and group.id in drawn.passed_over else group for group in kept
    ]
    plain, struck = (_top_k(left, sampling.top_k) if sampling.top_k else left for left in (kept, passed))
    chance = sampling.xtc_probability
    after = [
        (1 - chance) * _drawn_share(one, drawn.plain, sampling) + chance * _drawn_share(other, drawn.struck, sampling)
        for one, other in zip(plain, struck, strict=True)
    ]
    others = max(0.0, 1 - sum(after))
    gone = rest > NOTHING and (drawn.kept <= len(top) or others < HARDLY)
    taker = takers[-1].removed_by or (SamplingFilter.TOP_K if drawn.kept > len(top) else SamplingFilter.MIN_P)
    fates = tuple(
        CandidateOutcome(known.id, known.text, math.exp(known.logprob), share, *_removal_of(one, other, chance))
        for known, share, one, other in zip(top, after, plain, struck, strict=True)
    )
    return FilteredDistribution(fates, rest, 0.0 if gone else others, taker if gone else None, exact=True)


def _drawn_share(group: _Group, total: float, sampling: Sampling) -> float:
    return math.exp(min(0.0, group.logprob / sampling.temperature - total)) if group.alive else 0.0


def _with_fewer_alternatives(shaped: FilteredDistribution, most: int | None) -> FilteredDistribution:
    """Add the alternatives after the first `most` to the rest, which counts as removed if the first of them was."""
    rest = shaped.fates[most:] if most is not None else ()
    if not rest:
        return shaped
    return replace(
        shaped,
        fates=shaped.fates[:most],
        rest_before=shaped.rest_before + sum(fate.before for fate in rest),
        rest_after=shaped.rest_after + sum(fate.after for fate in rest),
        rest_removed_by=None if shaped.rest_after else rest[0].removed_by,
    )


def _groups(top: Sequence[Alternative], rest: float, entropy: float | None) -> Groups:
    groups = [_Group(known.id, known.logprob) for known in top]
    if rest > NOTHING:
        logprob = _rest_logprob(top, rest, entropy)
        groups.append(_Group(None, logprob, rest / math.exp(logprob)))
    return groups


def _rest_logprob(top: Sequence[Alternative], rest: float, entropy: float | None) -> float:
    """Return the logprob of each of the other tokens if all are equal: at most that of the last alternative."""
    possible = [known.logprob for known in top if math.isfinite(known.logprob)]
    highest = min(possible, default=0.0)
    if entropy is None:
        return min(highest, math.log(rest))
    told = sum(-logprob * math.exp(logprob) for logprob in possible)
    return min(highest, math.log(rest), -(entropy - told) / rest)


def _filtered(
    groups: Groups, sampling: Sampling, untouchable: frozenset[int], deviation: float | None, strikes: bool = False
) -> Groups:
    if sampling.temperature == 0:
        return [*groups[:1], *(group.out(SamplingFilter.GREEDY) for group in groups[1:])]
    steps: list[Callable[[Groups], Groups]] = []
    if sampling.top_n_sigma > 0 and deviation is not None:
        bound = groups[0].logprob - sampling.top_n_sigma * deviation
        steps.append(lambda groups: _keep_above(groups, bound, SamplingFilter.TOP_N_SIGMA))
    if 0 < sampling.top_p < 1:
        steps.append(lambda groups: _top_p(groups, sampling.top_p))
    if sampling.min_p > 0:
        least = groups[0].logprob + math.log(sampling.min_p)
        steps.append(lambda groups: _keep_above(groups, least, SamplingFilter.MIN_P, sampling.min_tokens_to_keep))
    if strikes:
        steps.append(lambda groups: _xtc(groups, sampling.xtc_threshold, untouchable))
    if sampling.top_k > 0:
        steps.append(lambda groups: _top_k(groups, sampling.top_k))
    for step in steps:
        groups = step(groups)
    return groups


def _top_p(groups: Groups, top_p: float) -> Groups:
    """Apply top-p: keep tokens with less than `top_p` above them, and those as likely as the last of these."""
    limit = top_p * sum(group.share for group in groups)
    above, lowest = 0.0, 0.0
    result = []
    for group in groups:
        if not group.alive:
            result.append(group)
        elif above < limit:
            left = math.ceil((limit - above) / math.exp(group.logprob)) if group.id is None else 1
            result.append(replace(group.cut(SamplingFilter.TOP_P, left), guessed=group.id is None))
            lowest = group.logprob
        else:
            ties = group.id is not None and group.logprob == lowest
            result.append(group if ties else group.out(SamplingFilter.TOP_P))
        above += group.share
    return result


def _keep_above(groups: Groups, bound: float, stage: SamplingFilter, keep: int = 0) -> Groups:
    """Keep the groups of alternatives with at least this log-probability, and always the best `keep`."""
    candidates = [group for group in groups if group.id is not None]
    result = []
    for position, group in enumerate(groups):
        if not group.alive or (group.logprob >= bound and group.id is not None):
            result.append(group)
        elif group.id is not None:
            result.append(group if position < keep else group.out(stage))
        elif candidates[-1].logprob >= bound:
            left = group.count if group.logprob >= bound else 0.0
            result.append(replace(group.cut(stage, max(left, keep - position)), guessed=True))
        else:
            result.append(group.cut(stage, keep - position))
    return result


def _xtc(groups: Groups, threshold: float, untouchable: frozenset[int]) -> Groups:
    """Apply XTC: of the tokens above the threshold, keep only the least likely."""
    total = sum(group.share for group in groups if group.alive)
    above = [group.logprob for group in groups if group.alive and math.exp(group.logprob) / total > threshold]
    least = min(above, default=math.inf)
    return [
        group.out(SamplingFilter.XTC)
        if group.alive and group.logprob > least and group.id not in untouchable
        else group
        for group in groups
    ]


def _top_k(groups: Groups, top_k: int) -> Groups:
    """Apply top-k. The number of the other tokens is a guess, so it is also a guess whether all stay."""
    left = float(top_k)
    result = []
    for group in groups:
        if group.alive:
            result.append(replace(group.cut(SamplingFilter.TOP_K, left), guessed=group.id is None and left > 0))
            left -= group.count
        else:
            result.append(replace(group, guessed=group.guessed and left > 0))
    return result


def _probabilities(groups: Groups, sampling: Sampling) -> list[float]:
    if sampling.temperature == 0:
        return [1.0 if group.alive else 0.0 for group in groups]
    best = max((group.logprob for group in groups if group.alive), default=0.0)
    weights = [group.count * math.exp((group.logprob - best) / sampling.temperature) for group in groups]
    weights = [weight if group.alive else 0.0 for group, weight in zip(groups, weights, strict=True)]
    total = sum(weights)
    return [weight / total for weight in weights]


def _is_rest_estimated(groups: Groups, earlier: Sampling, deviation: float | None) -> bool:
    """Return whether the rest is an estimate after the `earlier` filters: top-p and XTC depend on it."""
    return _filtered(groups, earlier, frozenset(), deviation)[-1].guessed


def _removal_of(plain: _Group, struck: _Group, chance: float) -> tuple[SamplingFilter | None, bool]:
    """Return the filter that always removes a group, and whether XTC removes it at some tokens."""
    if plain.alive:
        at_times = chance > 0 and struck.removed_by is SamplingFilter.XTC
        return (SamplingFilter.XTC, False) if at_times and chance == 1 else (None, at_times)
    return (None, False) if chance > 0 and struck.alive else (plain.removed_by, False)


def _is_exact(groups: Groups, sampling: Sampling) -> bool:
    """Return whether the rest is exact: not estimated, and at temperature 1. Another one needs each token's logprob."""
    rest = groups[-1]
    return not rest.guessed and (rest.id is not None or not rest.alive or sampling.temperature == 1)
