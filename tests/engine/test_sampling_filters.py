"""One distribution and what the settings leave of it; that mlx-lm does the same is tested beside the engine."""

import math
from dataclasses import replace

import pytest

from app.engine.sampling_filters import FilteredDistribution, SamplingFilter, shape, shape_choice
from app.engine.types import Alternative, Sampling, SamplingStats, TokenLogprobs


def candidates(*shares: float) -> list[Alternative]:
    return [
        Alternative(number, chr(ord("a") + number), math.log(share) if share else -math.inf, 0.0)
        for number, share in enumerate(shares)
    ]


def removed(shaped: FilteredDistribution) -> list[SamplingFilter | None]:
    return [fate.removed_by for fate in shaped.fates]


def after(shaped: FilteredDistribution) -> list[float]:
    return [round(fate.after, 4) for fate in shaped.fates]


def test_nothing_set_changes_nothing() -> None:
    shaped = shape(candidates(0.5, 0.3), 0.2, Sampling(1.0))
    assert after(shaped) == [0.5, 0.3]
    assert shaped.rest_after == pytest.approx(0.2)
    assert shaped.exact


def test_temperature_zero_takes_the_likeliest() -> None:
    shaped = shape(candidates(0.5, 0.3), 0.2, Sampling(0, top_p=0.5, xtc_probability=1.0))
    assert after(shaped) == [1, 0]
    assert removed(shaped) == [None, SamplingFilter.GREEDY]
    assert (shaped.rest_after, shaped.rest_removed_by, shaped.exact) == (0, SamplingFilter.GREEDY, True)


def test_each_stage_says_what_it_took() -> None:
    shaped = shape(candidates(0.5, 0.2, 0.12, 0.08, 0.04), 0.06, Sampling(1.0, top_p=0.9, min_p=0.2, top_k=2))
    assert removed(shaped) == [None, None, SamplingFilter.TOP_K, SamplingFilter.MIN_P, SamplingFilter.TOP_P]
    assert after(shaped) == [0.7143, 0.2857, 0, 0, 0]
    assert shaped.rest_removed_by is SamplingFilter.TOP_P
    assert shaped.exact


def test_others_tie_with_nobody() -> None:
    """They are reckoned with as if they were as likely as the last alternative, which they are not."""
    shaped = shape(candidates(0.5, 0.1), 0.4, Sampling(1.0, top_p=0.6))
    assert shaped.rest_removed_by is SamplingFilter.TOP_P
    assert after(shaped) == [0.8333, 0.1667]


def test_xtc_passes_over_at_its_chance() -> None:
    sampling = Sampling(1.0, xtc_probability=0.25, xtc_threshold=0.2)
    shaped = shape(candidates(0.5, 0.25, 0.25), 0.0, sampling)
    assert [fate.passed_over for fate in shaped.fates] == [True, False, False]
    assert after(shaped) == [0.375, 0.3125, 0.3125]
    always = shape(candidates(0.5, 0.25, 0.25), 0.0, Sampling(1.0, xtc_probability=1.0, xtc_threshold=0.2))
    assert removed(always) == [SamplingFilter.XTC, None, None]
    spared = shape(candidates(0.5, 0.25, 0.25), 0.0, sampling, untouchable=frozenset({0}))
    assert after(spared) == [0.5, 0.25, 0.25]


def test_one_that_comes_in_only_when_xtc_strikes_is_not_removed() -> None:
    shaped = shape(candidates(0.6, 0.4), 0.0, Sampling(1.0, top_k=1, xtc_probability=0.5, xtc_threshold=0.3))
    assert removed(shaped) == [None, None]
    assert after(shaped) == [0.5, 0.5]


def test_others_that_may_stay_make_it_an_estimate() -> None:
    assert not shape(candidates(0.5, 0.3), 0.2, Sampling(0.5)).exact
    assert not shape(candidates(0.5, 0.3), 0.2, Sampling(1.0, top_p=0.9)).exact
    assert shape(candidates(0.5, 0.3), 0.2, Sampling(0.5, top_p=0.8)).exact
    assert shape(candidates(0.5, 0.3), 0.2, Sampling(0.5, top_p=0.9, top_k=2)).exact
    assert not shape(candidates(0.5, 0.3), 0.2, Sampling(1.0, top_p=0.9, top_k=2, xtc_probability=0.5)).exact
    assert not shape(candidates(0.5, 0.3), 0.2, Sampling(1.0, min_p=0.5)).exact
    assert shape(candidates(0.5, 0.1), 0.4, Sampling(1.0, min_p=0.5)).rest_removed_by is SamplingFilter.MIN_P


def test_whether_all_others_are_among_the_first_so_many_is_a_guess() -> None:
    """Three hundred unlikely ones would do as well for what is left as one likely one."""
    assert not shape(candidates(0.5, 0.3), 0.2, Sampling(1.0, top_k=100)).exact
    assert shape(candidates(0.5, 0.3), 0.2, Sampling(1.0, top_k=2)).exact


def test_entropy_tells_how_many_the_others_are() -> None:
    """A hundred equal ones: heat raises them, and without their entropy that would not be known."""
    known, each = candidates(0.5, 0.3), 0.2 / 100
    entropy = -sum(share * math.log(share) for share in (0.5, 0.3, *[each] * 100))
    weights = [share**0.5 for share in (0.5, 0.3, *[each] * 100)]
    warm = shape(known, 0.2, Sampling(2.0), entropy)
    assert warm.rest_after == pytest.approx(sum(weights[2:]) / sum(weights))
    assert shape(known, 0.2, Sampling(2.0)).rest_after < warm.rest_after


def test_what_the_engine_reckoned_is_told_for_the_settings_of_that_run_alone() -> None:
    """Fifty others of 0.4 % each are left; the fourth alternative in a row is another only in the picture."""
    top, warm = candidates(0.5, 0.2, 0.1), Sampling(2.0, top_k=53, repetition_penalty=1.2, seed=3)
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


def test_what_a_file_says_was_drawn_harms_nobody() -> None:
    top = candidates(0.5, 0.3)
    for strange in (math.nan, math.inf, -math.inf, 1e308):
        drawn = SamplingStats(strange, -5, strange, strange, (7,))
        for sampling in (Sampling(0.0), Sampling(1e-9, xtc_probability=0.5), Sampling(1.0, top_k=1)):
            seen = TokenLogprobs(top[0], 1, top, math.nan, 0.0, 0.2, drawn)
            shaped = shape_choice(seen, sampling, frozenset(), made=sampling)
            assert all(0 <= share <= 1 for share in (*after(shaped), shaped.rest_after))


def test_the_impossible_stays_so() -> None:
    shaped = shape(candidates(0.7, 0.3, 0.0), 1e-6, Sampling(0.5, min_p=0.01))
    assert after(shaped)[2] == 0
    assert removed(shaped)[2] is SamplingFilter.MIN_P
    assert math.isfinite(shaped.rest_after)
