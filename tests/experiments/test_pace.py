"""A run's curve over its tokens."""

from __future__ import annotations

import pytest

from app.experiments.pace import DRAWN, NEAR, curve, speed_at
from tests.experiments.making import even, result


def test_a_curve_is_the_speed_around_each_token() -> None:
    arrivals = [*even(40, 10.0), *(4.4 + 0.05 * index for index in range(1, 41))]
    run = result(0, 1, arrivals)
    points = curve(run)
    assert [point.tokens for point in points] == list(range(2, 81))
    assert points[0].speed == pytest.approx(10.0) and points[-1].speed == pytest.approx(20.0)
    assert all(point.speed == speed_at(run, point.tokens) for point in points)
    assert [point.seconds for point in points] == [pytest.approx(at) for at in arrivals[1:]]


def test_a_short_run_has_one_too_and_a_long_one_not_too_fine() -> None:
    assert [point.tokens for point in curve(result(0, 1, even(3, 10.0)))] == [2, 3]
    assert curve(result(0, 1, even(1, 10.0))) == ()
    assert DRAWN <= len(curve(result(0, 1, even(100 * NEAR, 10.0)))) < 2 * DRAWN
