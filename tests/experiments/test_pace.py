"""A run's curve over its tokens."""

import pytest

from app.experiments.pace import DRAWN, NEAR, curve, last_place, over_shared, speed_at, speed_at_end
from tests.experiments.making import even, outcome, result


def test_a_curve_is_the_speed_around_each_token() -> None:
    arrivals = [*even(40, 10.0), *(4.4 + 0.05 * index for index in range(1, 41))]
    run = result(0, 1, arrivals)
    points = curve(run)
    assert [point.tokens for point in points] == list(range(2, 81))
    assert points[0].speed == pytest.approx(10.0) and points[-1].speed == pytest.approx(20.0)
    assert all(point.speed == speed_at(run, point.tokens) for point in points[NEAR - 1 : -NEAR])
    assert [point.seconds for point in points] == [pytest.approx(at) for at in arrivals[1:]]


def test_the_speed_at_a_token_is_of_as_many_before_it_as_after_it() -> None:
    """A run that gets faster, or slower, is at each token as fast as it is there."""
    arrivals = [0.0]
    for index in range(219):
        arrivals.append(arrivals[-1] + (1 + index / 100) / 100)
    run = result(0, 1, arrivals)
    for token in (2, 15, 100, last_place(220), 219):
        assert speed_at(run, token) == pytest.approx(100 / (1 + (token - 1.5) / 100), rel=0.003)
    assert last_place(220) == 200
    assert [speed_at(run, token) for token in (0, 1, 220, 221)] == [None] * 4
    assert all(speed_at(result(0, 1, even(count, 10.0)), last_place(count)) for count in range(3, 60))
    assert [speed_at_end(run), speed_at(run, 200)] == [speed_at(run, 200)] * 2


def test_runs_are_compared_over_the_tokens_that_all_have() -> None:
    """A long run takes part in more that goes wrong than a short one."""
    long = [*even(20, 100.0), *(5 + index / 100 for index in range(1, 41))]
    made = outcome(["a", "b"], [result(0, 1, even(20, 100.0)), result(1, 1, long), result(1, 2, [0.5])])
    speed, said = over_shared(made, (0, 1))
    assert [speed.of(run) for run in made.results] == [pytest.approx(100), pytest.approx(100), None]
    assert said == "over the first 20 tokens"
    waiting, _ = over_shared(made, (0, 1), waiting=True)
    assert waiting.of(made.results[0]) == pytest.approx(20 / (0.5 + 0.19))


def test_a_short_run_has_one_too_and_a_long_one_not_too_fine() -> None:
    assert [point.tokens for point in curve(result(0, 1, even(3, 10.0)))] == [2, 3]
    assert curve(result(0, 1, even(1, 10.0))) == ()
    assert DRAWN <= len(curve(result(0, 1, even(100 * NEAR, 10.0)))) < 2 * DRAWN
