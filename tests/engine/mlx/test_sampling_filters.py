"""The displayed effect of temperature and filters equals mlx-lm's sampler, stage by stage."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given
from mlx_lm.sample_utils import apply_min_p, apply_top_k, apply_top_p, apply_xtc

from app.engine.mlx.sampler import top_n_sigma
from app.engine.sampling_filters import FilteredDistribution, SamplingFilter, shape
from app.engine.types import Sampling
from tests.engine.sampler_reference import (
    SEEDS,
    SPARED,
    Floats,
    candidates,
    deviation,
    probabilities,
    random_case,
    removed,
)
from tests.examples import at_most

VOCABULARY = 120
RECORDED = 10


def distribution(seed: int, spread: float) -> Floats:
    logits = np.random.default_rng(seed).normal(0, spread, VOCABULARY)
    return np.asarray(logits - np.log(np.exp(logits).sum()))


def library(logprobs: Floats, sampling: Sampling, strikes: bool) -> tuple[Floats, dict[int, SamplingFilter]]:
    """Probabilities and removals by the functions that a run uses, in the same order."""
    now = mx.array(logprobs.astype(np.float32))[None]
    removed: dict[int, SamplingFilter] = {}
    stages: list[tuple[SamplingFilter, bool, Callable[[mx.array], mx.array]]] = [
        (SamplingFilter.TOP_N_SIGMA, sampling.top_n_sigma > 0, top_n_sigma(sampling.top_n_sigma, lambda x: x)),
        (SamplingFilter.TOP_P, 0 < sampling.top_p < 1, lambda x: apply_top_p(x, sampling.top_p)),
        (
            SamplingFilter.MIN_P,
            sampling.min_p > 0,
            lambda x: apply_min_p(x, sampling.min_p, sampling.min_tokens_to_keep),
        ),
        (SamplingFilter.XTC, strikes, lambda x: apply_xtc(x, 1.0, sampling.xtc_threshold, [SPARED])),
        (SamplingFilter.TOP_K, 0 < sampling.top_k < logprobs.size, lambda x: apply_top_k(x, sampling.top_k)),
    ]
    for stage, wanted, apply in stages:
        now = apply(now) if wanted else now
        gone = np.flatnonzero(np.isinf(np.array(now[0])))
        removed |= {int(each): stage for each in gone if int(each) not in removed}
    return np.array(mx.softmax(now[0] * (1 / sampling.temperature)), dtype=np.float64), removed


def expected(logprobs: Floats, sampling: Sampling) -> Floats:
    """With XTC at its probability."""
    chance = sampling.xtc_probability
    plain, _ = library(logprobs, sampling, strikes=False)
    return plain if not chance else (1 - chance) * plain + chance * library(logprobs, sampling, strikes=True)[0]


SETTINGS = [
    Sampling(temperature, top_p, top_k, min_p, keep, chance, 0.08, top_n_sigma=sigmas)
    for temperature, top_p, top_k, min_p, keep, chance, sigmas in product(
        (0.4, 1.0, 2.5), (1.0, 0.8, 0.3), (0, 4, 40), (0.0, 0.1), (1, 6), (0.0, 0.5), (0.0, 0.7, 2.0)
    )
    if (keep == 1 or min_p) and (not sigmas or temperature == 1)
]
SHAPES = [(1, 1.0), (2, 2.5), (3, 5.0)]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "spread"), SHAPES)
def test_filters_with_all_tokens_recorded_match_mlx_lm(seed: int, spread: float) -> None:
    logprobs = distribution(seed, spread)
    known = candidates(logprobs, VOCABULARY)
    for sampling in SETTINGS:
        shaped = shape(known, 0.0, sampling, untouchable=frozenset({SPARED}), deviation=deviation(logprobs))
        assert shaped.exact
        after = expected(logprobs, sampling)
        assert [fate.after for fate in shaped.fates] == pytest.approx([after[each.id] for each in known], abs=2e-5)
        assert_removed_alike(shaped, logprobs, sampling)


def assert_removed_alike(shaped: FilteredDistribution, logprobs: Floats, sampling: Sampling) -> None:
    _, plain = library(logprobs, sampling, strikes=False)
    _, struck = library(logprobs, sampling, strikes=True) if sampling.xtc_probability else ({}, plain)
    for fate in shaped.fates:
        for_good = fate.id in plain and fate.id in struck
        assert fate.removed_by == (plain[fate.id] if for_good else None), (fate, sampling)
        assert fate.passed_over == (fate.id not in plain and struck.get(fate.id) is SamplingFilter.XTC), (
            fate,
            sampling,
        )


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "spread"), SHAPES)
def test_filters_with_ten_tokens_recorded_match_mlx_lm(seed: int, spread: float) -> None:
    """Values called exact are exact, and the removed tokens are known without the others."""
    logprobs = distribution(seed, spread)
    known = candidates(logprobs, RECORDED)
    rest = 1 - sum(math.exp(each.logprob) for each in known)
    entropy = float(-(np.exp(logprobs) * logprobs).sum())
    exact = 0
    for sampling in SETTINGS:
        shaped = shape(known, rest, sampling, entropy, frozenset({SPARED}), deviation(logprobs))
        assert sum(fate.after for fate in shaped.fates) + shaped.rest_after == pytest.approx(1)
        if not sampling.xtc_probability and not (sampling.top_n_sigma and sampling.top_p < 1):
            assert_removed_alike(shaped, logprobs, sampling)
        if shaped.exact:
            exact += 1
            after = expected(logprobs, sampling)
            assert [fate.after for fate in shaped.fates] == pytest.approx([after[each.id] for each in known], abs=2e-5)
            assert_removed_alike(shaped, logprobs, sampling)
    assert exact > 20


def test_filters_estimate_the_unrecorded_tokens() -> None:
    """At temperatures that move them: with the entropy known, within a few percentage points."""
    for temperature, (seed, spread) in product((0.7, 1.5), SHAPES):
        logprobs = distribution(seed, spread)
        known = candidates(logprobs, RECORDED)
        rest = 1 - sum(math.exp(each.logprob) for each in known)
        entropy = float(-(np.exp(logprobs) * logprobs).sum())
        shaped = shape(known, rest, Sampling(temperature), entropy)
        true = 1 - sum(expected(logprobs, Sampling(temperature))[each.id] for each in known)
        assert not shaped.exact
        assert shaped.rest_after == pytest.approx(true, abs=0.08)


def test_filters_keep_ties_like_mlx_lm() -> None:
    logprobs = np.log(np.array([0.4, 0.2, 0.2, 0.1, 0.1]))
    shaped = shape(candidates(logprobs, 5), 0.0, Sampling(1.0, top_p=0.5))
    assert_removed_alike(shaped, logprobs, Sampling(1.0, top_p=0.5))
    assert sum(fate.removed_by is None for fate in shaped.fates) == 3


@at_most(30)
@given(SEEDS)
def test_filter_reference_matches_mlx_lm(seed: int) -> None:
    """The reference that other tests use without mlx-lm; at temperature 0 it has no filters."""
    logprobs, drawn = random_case(seed)
    sampling = replace(drawn, temperature=drawn.temperature or 1.0)
    for strikes in (False, True) if sampling.xtc_probability else (False,):
        after, gone = library(logprobs, sampling, strikes)
        assert gone == removed(logprobs, sampling, strikes)
        assert np.flatnonzero(after).tolist() == sorted(set(range(len(logprobs))) - set(gone))
    assert probabilities(logprobs, sampling) == pytest.approx(expected(logprobs, sampling), abs=2e-5)
