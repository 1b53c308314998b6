"""The likeliest of many, found without sorting all of them; and logits that are no numbers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.mlx.logprob_recorder import Describer, ScoredChoice
from app.engine.mlx.sampler import SampledDistribution
from app.engine.mlx.top_k import Floats
from app.engine.types import Sampling

TOLERANCE = 1e-4
"""Two logits that differ by less are the same once the best one has been taken from them."""
LOGIT = st.floats(-30, 30, width=32) | st.just(-math.inf) | st.sampled_from([0.0, 1.0])


def describer(top: int) -> Describer:
    return Describer(top, frozenset({1}), str, SampledDistribution(Sampling(), frozenset()))


def choice(row: Floats, token: int = 0) -> ScoredChoice:
    return ScoredChoice(token, row, row)


@settings(max_examples=12)
@given(st.integers(1, 20), st.integers(2, 5).flatmap(lambda rows: st.lists(_row(), min_size=rows, max_size=rows)))
def test_the_best_are_the_best_however_many_rows_are_asked_together(top: int, rows: list[list[float]]) -> None:
    length = min(len(row) for row in rows)
    top = min(top, length)
    kept = [np.array(row[:length], np.float32) for row in rows if max(row[:length]) > -math.inf]
    for row, seen in zip(kept, describer(top).describe([choice(row) for row in kept]) if kept else [], strict=True):
        ids = [candidate.id for candidate in seen.top]
        assert len(set(ids)) == top
        assert row[ids].tolist() == pytest.approx(sorted(row.tolist(), reverse=True)[:top], abs=TOLERANCE)


@pytest.mark.parametrize("size", [20, 63, 64, 65, 2048, 2049])
def test_any_size_of_vocabulary(size: int) -> None:
    row = np.random.default_rng(size).normal(0, 3, size).astype(np.float32)
    (seen,) = describer(10).describe([choice(row, 7)])
    assert [candidate.id for candidate in seen.top] == np.argsort(-row)[:10].tolist()
    assert seen.rank == 1 + int((row > row[7]).sum())


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_told_all_the_same(bad: float) -> None:
    row = np.zeros(40, np.float32)
    row[3] = bad
    nothing = np.full(40, bad, np.float32)
    for seen in describer(5).describe([choice(row, 2), choice(nothing, 2)]):
        told = [
            seen.entropy,
            seen.rest,
            seen.eos_probability,
            seen.chosen.logprob,
            *(each.logprob for each in seen.top),
        ]
        assert all(math.isfinite(each) for each in told)
        assert len(seen.top) == 5


def _row() -> st.SearchStrategy[list[float]]:
    return st.lists(LOGIT, min_size=8, max_size=90)
