"""Filters against their definitions, for random cases; that mlx-lm does the same is tested with the engine."""

import math
from dataclasses import replace

import pytest
from hypothesis import given

from app.engine.sampling_filters import FilteredDistribution, SamplingFilter, shape, shape_choice
from app.engine.types import Alternative, Sampling, SamplingStats, TokenLogprobs
from tests.engine.sampler_reference import SEEDS, SPARED, Floats, candidates, probabilities, random_case, removed
from tests.engine.sampler_reference import deviation as deviation_of
from tests.examples import at_most


def alternatives(*shares: float) -> list[Alternative]:
    return [
        Alternative(number, chr(ord("a") + number), math.log(share) if share else -math.inf, 0.0)
        for number, share in enumerate(shares)
    ]


def after(shaped: FilteredDistribution) -> list[float]:
    return [round(fate.after, 4) for fate in shaped.fates]


def test_shape_rest_ties_with_no_alternative() -> None:
    shaped = shape(alternatives(0.5, 0.1), 0.4, Sampling(1.0, top_p=0.6))
    assert shaped.rest_removed_by is SamplingFilter.TOP_P
    assert after(shaped) == [0.8333, 0.1667]


def test_shape_with_a_possible_rest_is_an_estimate() -> None:
    assert not shape(alternatives(0.5, 0.3), 0.2, Sampling(1.0, top_k=100)).exact
    assert shape(alternatives(0.5, 0.3), 0.2, Sampling(1.0, top_k=2)).exact
    assert not shape(alternatives(0.5, 0.3), 0.2, Sampling(0.5)).exact
    assert not shape(alternatives(0.5, 0.3), 0.2, Sampling(1.0, top_p=0.9)).exact
    assert shape(alternatives(0.5, 0.3), 0.2, Sampling(0.5, top_p=0.8)).exact
    assert shape(alternatives(0.5, 0.3), 0.2, Sampling(0.5, top_p=0.9, top_k=2)).exact
    assert not shape(alternatives(0.5, 0.3), 0.2, Sampling(1.0, top_p=0.9, top_k=2, xtc_probability=0.5)).exact
    assert not shape(alternatives(0.5, 0.3), 0.2, Sampling(1.0, min_p=0.5)).exact
    assert shape(alternatives(0.5, 0.1), 0.4, Sampling(1.0, min_p=0.5)).rest_removed_by is SamplingFilter.MIN_P


def test_shape_entropy_gives_the_number_of_other_tokens() -> None:
    known, each = alternatives(0.5, 0.3), 0.2 / 100
    entropy = -sum(share * math.log(share) for share in (0.5, 0.3, *[each] * 100))
    weights = [share**0.5 for share in (0.5, 0.3, *[each] * 100)]
    warm = shape(known, 0.2, Sampling(2.0), entropy)
    assert warm.rest_after == pytest.approx(sum(weights[2:]) / sum(weights))
    assert shape(known, 0.2, Sampling(2.0)).rest_after < warm.rest_after


def test_shape_choice_statistics_count_only_for_the_same_settings() -> None:
    top, warm = alternatives(0.5, 0.2, 0.1), Sampling(2.0, top_k=53, repetition_penalty=1.2, seed=3)
    weights = [share**0.5 for share in (0.5, 0.2, 0.1, *[0.004] * 50)]
    seen = TokenLogprobs(top[1], 2, top, math.nan, 0.0, 0.2, SamplingStats(0.1, 90, math.log(sum(weights)), 0.0))
    shaped = shape_choice(seen, warm, frozenset(), made=warm)
    assert shaped.exact
    assert after(shaped) == pytest.approx([weight / sum(weights) for weight in weights[:3]], abs=1e-4)
    assert shaped.rest_after == pytest.approx(sum(weights[3:]) / sum(weights))
    folded = shape_choice(seen, replace(warm, seed=4, repetition_penalty=1.0), frozenset(), 2, warm)
    assert (after(folded), folded.exact) == (after(shaped)[:2], True)
    assert (folded.rest_before, folded.rest_after) == pytest.approx((0.3, 1 - sum(after(folded))), abs=1e-3)
    for other in (replace(warm, temperature=1.5), replace(warm, top_p=0.9), replace(warm, top_k=0)):
        assert not shape_choice(seen, other, frozenset(), made=warm).exact
    assert not shape_choice(seen, warm, frozenset()).exact


def test_shape_choice_invalid_statistics_give_probabilities() -> None:
    top = alternatives(0.5, 0.3)
    for strange in (math.nan, math.inf, -math.inf, 1e308):
        drawn = SamplingStats(strange, -5, strange, strange, (7,))
        for sampling in (Sampling(0.0), Sampling(1e-9, xtc_probability=0.5), Sampling(1.0, top_k=1)):
            seen = TokenLogprobs(top[0], 1, top, math.nan, 0.0, 0.2, drawn)
            shaped = shape_choice(seen, sampling, frozenset(), made=sampling)
            assert all(0 <= share <= 1 for share in (*after(shaped), shaped.rest_after))


RECORDED = 10


def assert_as_defined(shaped: FilteredDistribution, logprobs: Floats, sampling: Sampling) -> None:
    chance = sampling.xtc_probability
    plain, struck = (removed(logprobs, sampling, strikes) for strikes in (False, True))
    for fate in shaped.fates:
        kept = (chance < 1 and fate.id not in plain) or (chance > 0 and fate.id not in struck)
        assert fate.removed_by == (None if kept else plain.get(fate.id, struck.get(fate.id)))
        at_times = 0 < chance < 1 and fate.id not in plain and struck.get(fate.id) is SamplingFilter.XTC
        assert fate.passed_over == at_times


@at_most(40)
@given(SEEDS)
def test_shape_with_all_tokens_agrees_with_the_definition(seed: int) -> None:
    logprobs, sampling = random_case(seed)
    known = candidates(logprobs, len(logprobs))
    shaped = shape(known, 0.0, sampling, untouchable=frozenset({SPARED}), deviation=deviation_of(logprobs))
    assert shaped.exact
    assert_as_defined(shaped, logprobs, sampling)
    expected = probabilities(logprobs, sampling)
    assert [fate.after for fate in shaped.fates] == pytest.approx([expected[each.id] for each in known], abs=1e-9)


@at_most(40)
@given(SEEDS)
def test_shape_with_ten_alternatives_agrees_with_the_definition(seed: int) -> None:
    """Without XTC and without top-p after top-nσ, which look at shares of what is left, removal is always exact."""
    logprobs, sampling = random_case(seed)
    known = candidates(logprobs, RECORDED)
    rest = 1 - sum(math.exp(each.logprob) for each in known)
    for settings in (sampling, replace(sampling, xtc_probability=0.0)):
        shaped = shape(known, rest, settings, untouchable=frozenset({SPARED}), deviation=deviation_of(logprobs))
        assert sum(fate.after for fate in shaped.fates) + shaped.rest_after == pytest.approx(1)
        by_shares = settings.xtc_probability or (settings.top_n_sigma and settings.top_p < 1)
        if shaped.exact or not by_shares:
            assert_as_defined(shaped, logprobs, settings)
        if shaped.exact:
            expected = probabilities(logprobs, settings)
            assert [fate.after for fate in shaped.fates] == pytest.approx([expected[each.id] for each in known])


def test_random_cases_reach_every_filter() -> None:
    reached = {stage for seed in range(200) for stage in removed(*random_case(seed), strikes=True).values()}
    assert reached == set(SamplingFilter)
