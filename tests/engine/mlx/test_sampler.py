import math
from dataclasses import dataclass, replace

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app.engine.mlx.logprob_recorder import LogprobReader, ScoredChoice
from app.engine.mlx.sampler import SampledDistribution, sampler_for, top_n_sigma
from app.engine.sampling_filters import shape_choice
from app.engine.types import Limits, RawPrompt, Request, Sampling, TokenLogprobs
from tests.engine.mlx.conftest import Player
from tests.engine.mlx.independent import ALL_PENALTIES, forward, log_softmax, penalized
from tests.engine.sampler_reference import SPARED, Floats, probabilities, removed
from tests.engine.tiers import mostly_slow

NEAR = 2e-6
EDGE = 1e-4
"""This near to a filter's threshold rounding decides."""
STORY = Request(RawPrompt("Tell me a long story about a fox."), limits=Limits(40), observe=3)
RUNS = [
    Sampling(temperature=0.7, seed=1),
    Sampling(temperature=1.3, top_p=0.95, seed=2),
    Sampling(temperature=1.8, top_k=40, min_p=0.002, seed=3),
    Sampling(temperature=1.6, top_n_sigma=1.5, seed=5),
    Sampling(temperature=1.4, top_n_sigma=2.5, top_p=0.9, min_p=0.01, xtc_probability=0.3, seed=6),
    Sampling(temperature=1.0, xtc_probability=0.6, xtc_threshold=0.05, seed=4),
    replace(ALL_PENALTIES, temperature=1.1, top_p=0.98, top_k=300, xtc_probability=0.4, xtc_threshold=0.02),
]
SETTINGS = st.builds(
    Sampling,
    temperature=st.sampled_from([0.3, 0.7, 1.0, 1.6]) | st.floats(0.1, 3),
    top_p=st.sampled_from([1.0, 0.9]) | st.floats(0.05, 0.999),
    top_k=st.sampled_from([0, 5, 40]) | st.integers(1, 600),
    min_p=st.just(0.0) | st.floats(1e-6, 0.9),
    min_tokens_to_keep=st.just(1) | st.integers(2, 400),
    xtc_probability=st.sampled_from([0.0, 0.0, 0.5, 1.0]) | st.floats(0.01, 1),
    xtc_threshold=st.floats(0.0, 0.5),
    top_n_sigma=st.sampled_from([0.0, 0.0, 1.0]) | st.floats(0.05, 6),
)


@dataclass(frozen=True)
class Made:
    """Logits from nearly even to nearly certain, rounded for ties, some next to impossible."""

    seed: int
    size: int
    spread: float
    decimals: int
    banned: float
    by: float

    def logits(self, size: int) -> Floats:
        numbers = np.random.default_rng(self.seed)
        row = numbers.normal(0, self.spread, size).round(self.decimals)
        row[numbers.permutation(size)[: int(self.banned * size)]] -= self.by
        return np.asarray(row.astype(np.float32), np.float64)


@pytest.mark.parametrize("n", [0.5, 1.0, 2.5])
def test_top_n_sigma_of_rows_keeps_what_numpy_computes(n: float) -> None:
    """The reference of the paper: no token stays below the largest logit less n standard deviations."""
    rows = np.random.default_rng(7).normal(-3, 2.2, (3, 500)).astype(np.float32)
    rows[1, ::3] = -np.inf  # forbidden by a format
    rows[2, :] = -np.inf
    rows[2, 17] = 0  # forced by the reasoning budget
    kept = np.isfinite(np.array(top_n_sigma(n, lambda logprobs: logprobs)(mx.array(rows))))
    for row, stays in zip(rows, kept, strict=True):
        possible = row[np.isfinite(row)].astype(np.float64)
        assert (stays == (row >= possible.max() - n * possible.std())).all()
    assert 0 < kept[0].sum() < 500 and kept[2].sum() == 1


@pytest.mark.parametrize("temperature", [0.0, 3.0])
def test_top_n_sigma_at_any_temperature_draws_only_what_it_keeps(temperature: float) -> None:
    logits = np.random.default_rng(3).normal(0, 2, 200).astype(np.float32)
    drawn = sampler_for(Sampling(temperature, top_n_sigma=1.0), frozenset())
    tokens = {int(drawn(mx.array(logits)[None])[0]) for _ in range(100)}
    allowed = set(np.flatnonzero(logits >= logits.max() - logits.std()).tolist())
    assert tokens <= allowed
    assert len(tokens) == 1 if temperature == 0 else len(tokens) > 1


MADE = st.builds(
    Made,
    seed=st.integers(0, 2**32),
    size=st.integers(4, 60) | st.integers(200, 1500),
    spread=st.sampled_from([0.05, 0.5, 2.0, 6.0]),
    decimals=st.sampled_from([9, 9, 1, 0]),
    banned=st.floats(0, 0.6),
    by=st.sampled_from([9.0, math.inf]),
)


def described(rows: list[Floats], tokens: list[int], sampling: Sampling, top: int) -> list[TokenLogprobs]:
    singles = [row.astype(np.float32) for row in rows]
    describer = LogprobReader(top, frozenset(), str, SampledDistribution(sampling, frozenset({SPARED})))
    return describer.describe([ScoredChoice(token, row, row) for token, row in zip(tokens, singles, strict=True)])


def assert_drawn(seen: TokenLogprobs, expected: Floats, sampling: Sampling, near: float = NEAR) -> None:
    shaped = shape_choice(seen, sampling, frozenset(), made=sampling)
    assert shaped.exact
    after = {fate.id: fate.after for fate in shaped.fates}
    assert after == pytest.approx({each: expected[each] for each in after}, abs=near)
    others = sum(share for each, share in enumerate(expected) if each not in after)
    assert shaped.rest_after == pytest.approx(others, abs=near * 10)
    assert (shaped.rest_removed_by is None) or others < near
    assert others or shaped.rest_removed_by or seen.rest < 1e-9
    assert seen.drawn is not None
    assert seen.drawn.own == pytest.approx(expected[seen.chosen.id], abs=near)


def on_an_edge(logprobs: Floats, sampling: Sampling, edge: float = EDGE) -> bool:
    """Return whether a slightly different setting gives another result."""
    fates = [
        [removed(logprobs, shifted, strikes) for strikes in (False, True)]
        for change in (-edge, edge)
        for shifted in (
            replace(sampling, top_p=sampling.top_p + (change if sampling.top_p < 1 else 0)),
            replace(sampling, min_p=sampling.min_p * (1 + change)),
            replace(sampling, xtc_threshold=sampling.xtc_threshold + change),
            replace(sampling, top_n_sigma=sampling.top_n_sigma * (1 + change)),
        )
    ]
    ways = [[set(fate) for fate in each] for each in fates]
    return any(way != ways[0] for way in ways)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.lists(MADE, min_size=1, max_size=3), SETTINGS, st.integers(1, 12), st.integers(0, 99))
def test_sampled_distribution_matches_the_reference_for_random_settings(
    made: list[Made], sampling: Sampling, top: int, seed: int
) -> None:
    size = made[0].size
    rows = [each.logits(size) for each in made]
    sampling = replace(sampling, top_k=min(sampling.top_k, size - 1))
    laws = [log_softmax(row) for row in rows]
    assume(not any(on_an_edge(law, sampling) or tie_at_an_edge(law, sampling) for law in laws))
    expected = [probabilities(law, sampling) for law in laws]
    tokens = [int(np.random.default_rng(seed).choice(size, p=law)) for law in expected]
    for seen, law in zip(described(rows, tokens, sampling, min(top, size)), expected, strict=True):
        assert_drawn(seen, law, sampling)


@pytest.mark.parametrize("seed", mostly_slow(range(20), *range(5)))
def test_sampled_distribution_of_top_n_sigma_with_top_k_matches_the_reference(seed: int) -> None:
    """More tokens lie within nσ than are looked at first, and top-k alone doesn't decide."""
    sampling = Sampling(1.0, top_p=0.9, min_p=0.05, top_k=40, top_n_sigma=2.0)
    row = Made(seed, 1000, 2.0 if seed % 2 else 0.5, 9, 0.0, 9.0).logits(1000)
    law = log_softmax(row)
    if not on_an_edge(law, sampling):
        (seen,) = described([row], [int(row.argmax())], sampling, 5)
        assert_drawn(seen, probabilities(law, sampling), sampling)


def tie_at_an_edge(logprobs: Floats, sampling: Sampling) -> bool:
    """Of ties at a count limit some stay; which ones is undefined."""
    for strikes in (False, True):
        gone = removed(logprobs, sampling, strikes)
        stay = {float(logprobs[each]) for each in range(len(logprobs)) if each not in gone}
        if any(float(logprobs[each]) in stay and each != SPARED for each in gone):
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [0, 3])
@pytest.mark.parametrize("sampling", RUNS)
def test_sampled_distribution_matches_the_reference_in_a_run(
    demo_pair: Player, sampling: Sampling, draft_tokens: int
) -> None:
    """On the bundled model with logits computed again; accepted proposals count as drawn from the target."""
    played, main = demo_pair.play(replace(STORY, sampling=sampling, draft_tokens=draft_tokens)), demo_pair.main
    ids, begun = [*played.prompted.prompt.ids, *played.ids], len(played.prompted.prompt.ids)
    rows = forward(main, ids[:-1])
    spared, compared = main.eos_ids() | main.line_ends, 0
    for index, seen in enumerate(played.logprobs, start=begun):
        law = log_softmax(penalized(rows[index - 1], ids[:index], sampling))
        if not on_an_edge(law, sampling, 2e-3):
            compared += 1
            assert_drawn(seen, probabilities(law, sampling, spared), sampling, near=1e-3)
    assert compared > len(played.tokens) / 3
