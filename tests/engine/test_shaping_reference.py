"""Who is removed and who is kept, by whom and with what chance, for random distributions and settings."""

import math
from dataclasses import replace

import pytest
from hypothesis import given

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

RECORDED = 10


def assert_as_defined(shaped: FilteredDistribution, logprobs: Floats, sampling: Sampling) -> None:
    """Only who is gone whether XTC strikes or not is removed; whom XTC alone takes out at times is passed over."""
    chance = sampling.xtc_probability
    plain, struck = (removed(logprobs, sampling, strikes) for strikes in (False, True))
    for fate in shaped.fates:
        kept = (chance < 1 and fate.id not in plain) or (chance > 0 and fate.id not in struck)
        assert fate.removed_by == (None if kept else plain.get(fate.id, struck.get(fate.id)))
        at_times = 0 < chance < 1 and fate.id not in plain and struck.get(fate.id) is SamplingFilter.XTC
        assert fate.passed_over == at_times


@at_most(40)
@given(SEEDS)
def test_with_every_candidate_recorded(seed: int) -> None:
    logprobs, sampling = random_case(seed)
    known = candidates(logprobs, len(logprobs))
    shaped = shape(known, 0.0, sampling, untouchable=frozenset({SPARED}), deviation=deviation(logprobs))
    assert shaped.exact
    assert_as_defined(shaped, logprobs, sampling)
    expected = probabilities(logprobs, sampling)
    assert [fate.after for fate in shaped.fates] == pytest.approx([expected[each.id] for each in known], abs=1e-9)


@at_most(40)
@given(SEEDS)
def test_with_ten_recorded(seed: int) -> None:
    """Without XTC and without top-p after top-nσ, which look at shares of what is left, removal is always exact."""
    logprobs, sampling = random_case(seed)
    known = candidates(logprobs, RECORDED)
    rest = 1 - sum(math.exp(each.logprob) for each in known)
    for settings in (sampling, replace(sampling, xtc_probability=0.0)):
        shaped = shape(known, rest, settings, untouchable=frozenset({SPARED}), deviation=deviation(logprobs))
        assert sum(fate.after for fate in shaped.fates) + shaped.rest_after == pytest.approx(1)
        by_shares = settings.xtc_probability or (settings.top_n_sigma and settings.top_p < 1)
        if shaped.exact or not by_shares:
            assert_as_defined(shaped, logprobs, settings)
        if shaped.exact:
            expected = probabilities(logprobs, settings)
            assert [fate.after for fate in shaped.fates] == pytest.approx([expected[each.id] for each in known])


def test_the_cases_reach_every_stage() -> None:
    reached = {stage for seed in range(200) for stage in removed(*random_case(seed), strikes=True).values()}
    assert reached == set(SamplingFilter)
