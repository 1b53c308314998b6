import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.mlx.top_k import likeliest

LEVELS = st.sampled_from([-math.inf, -2.0, 0.0, 0.5, 7.0])


@pytest.mark.parametrize("top", [1, 10, 20])
@pytest.mark.parametrize("size", [20, 97, 2048, 4_099, 32_000, 49_157])
def test_top_k_equals_a_full_sort(size: int, top: int) -> None:
    logits = np.random.default_rng(size).normal(0, 3, (3, size)).astype(np.float32)
    ids, highest = likeliest(logits, top)
    assert ids.tolist() == np.argsort(-logits, axis=1)[:, :top].tolist()
    assert highest.tolist() == logits.max(axis=1).tolist()


@given(st.integers(1, 8), st.lists(LEVELS, min_size=8, max_size=700))
def test_top_k_with_many_ties_equals_a_full_sort(top: int, row: list[float]) -> None:
    ids, highest = likeliest(np.array([row], np.float32), top)
    assert len(set(ids[0].tolist())) == top
    assert [row[each] for each in ids[0]] == sorted(row, reverse=True)[:top]
    assert highest == [max(row)]


@pytest.mark.parametrize("place", [0, 1_000, 2_050])
def test_top_k_with_nan_returns_nan_as_highest(place: int) -> None:
    logits = np.zeros((1, 2_051), np.float32)
    logits[0, place] = math.nan
    assert not np.isfinite(likeliest(logits, 10)[1]).any()
