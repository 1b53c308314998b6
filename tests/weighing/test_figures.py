"""Means, errors and figures per byte, by hand and by simulation."""

import math

import numpy as np
import pytest

from app.engine.types import Difference
from app.weighing.figures import STRETCH, apart, figures, margin, standard_error

TRIALS = 2_000


def test_by_hand() -> None:
    found = figures([math.log(2), math.log(8)], 4)
    assert found.nats_per_token == pytest.approx(math.log(4))
    assert found.perplexity == pytest.approx(4)
    assert found.bits_per_byte == pytest.approx(1)
    assert found.standard_error is None


def test_a_text_that_is_impossible_has_figures_all_the_same() -> None:
    assert figures([1e4, 1e4], 2).perplexity == math.inf


def test_where_bounds_alone_are_known_what_needs_more_is_not_told() -> None:
    found = apart([Difference(0.1, 0.3, None, None, True, 0.5), Difference(0.3, 0.5, 0.1, 0.1, False, 1.0)])
    assert list(found.kl_bounds) == pytest.approx([0.2, 0.4])
    assert (found.kl_back, found.jensen_shannon) == (None, None)
    assert (found.same_first, found.same_ten) == (0.5, 0.75)


@pytest.mark.parametrize("dependence", [0.0, 0.6, 0.9])
def test_the_interval_covers_the_truth_though_neighbours_depend_on_each_other(dependence: float) -> None:
    """95 % is meant; a simulation of so many is off by 0.5 % itself."""
    random = np.random.default_rng(7)
    length = 60 * STRETCH + 20
    noise = random.exponential(1.0, (TRIALS, length)) - 1.0
    values = np.empty_like(noise)
    values[:, 0] = noise[:, 0]
    for place in range(1, length):
        values[:, place] = dependence * values[:, place - 1] + noise[:, place]
    hits = 0
    for row in values[:, 20:]:
        error = standard_error(row.tolist())
        assert error is not None
        hits += abs(row.mean()) <= margin(error, length)
    assert 0.93 <= hits / TRIALS <= 0.97


def test_with_few_stretches_the_interval_is_as_wide_as_student_has_it() -> None:
    assert margin(1.0, 10 * STRETCH) == pytest.approx(2.262, abs=2e-3)
    assert margin(1.0, 4 * STRETCH) == pytest.approx(3.182, abs=0.05)
    assert margin(1.0, 10**6) == pytest.approx(1.960, abs=1e-3)


def test_by_how_much_the_second_model_is_the_more_surprised() -> None:
    same = Difference(0.0, 0.0, 0.0, 0.0, True, 1.0)
    found = apart([same] * (2 * STRETCH), [1.0] * STRETCH + [3.0] * STRETCH)
    assert found.own_difference == 2.0
    assert found.own_difference_standard_error == pytest.approx(1.0)
    assert found.kl_back_standard_error == 0.0
