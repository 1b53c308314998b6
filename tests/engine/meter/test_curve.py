"""The speed curve: its points during a run, and those of a recorded one."""

from itertools import pairwise

import pytest

from app.engine.meter.meter import Meter
from app.engine.meter.speeds import Curve, Point, kept_curve, speed_now
from app.engine.types import Finish, Reason, Times, Token
from tests.records import builders

ARRIVALS = [0.5 + 0.037 * number + (0.6 if number > 40 else 0.0) for number in range(119)]


def test_recorded_curve_is_the_meter_s() -> None:
    meter = Meter(100.0, 500, None)
    tokens = [builders.token(index, "a", 100.0 + at) for index, at in enumerate(ARRIVALS)]
    for token in tokens:
        meter.fold(token)
    meter.finish(Finish(Reason.LENGTH, times=Times(100.0)))
    drawn = meter.frame(200.0).points
    kept = kept_curve(ARRIVALS, [token.from_draft for token in tokens]).points
    assert [point.tokens for point in kept] == [point.tokens for point in drawn]
    assert kept[-1].tokens == len(ARRIVALS)
    assert any(token.from_draft for token in tokens)
    assert [round(point.speed, 6) for point in kept] == [round(point.speed, 6) for point in drawn]


STALLS = {40: 3.0, 60: 0.3, 61: 12.0, 110: 0.06}
"""Seconds more before these tokens."""


def stalling(gap: float) -> list[float]:
    arrivals = [0.5]
    for number in range(1, 150):
        arrivals.append(arrivals[-1] + gap + STALLS.get(number, 0.0))
    return arrivals


@pytest.mark.parametrize("gap", [0.002, 0.02, 0.1])
def test_points_of_a_pause_do_not_depend_on_the_frames(gap: float) -> None:
    arrivals, meter, seen = stalling(gap), Meter(0.0, 500, None), list[Point]()
    came, frame = 0, 0
    while came < len(arrivals):
        frame += 1
        while came < len(arrivals) and arrivals[came] <= frame * 0.033:
            meter.fold(Token(came, 1, "a", (), arrivals[came]))
            came += 1
        seen += meter.frame(frame * 0.033).points
    meter.finish(Finish(Reason.LENGTH, times=Times(0.0)))
    seen += meter.frame(99.0).points
    assert seen == kept_curve(arrivals).points
    assert all(one.seconds < other.seconds for one, other in pairwise(seen))


@pytest.mark.parametrize("gap", [0.002, 0.02, 0.1])
def test_points_of_a_pause_fall_with_the_speed_and_are_few(gap: float) -> None:
    """Nothing is drawn from the last point before it to the first after it as if the model had slowed down evenly."""
    arrivals, last = stalling(gap), 60
    points = [point for point in kept_curve(arrivals).points if arrivals[last] <= point.seconds < arrivals[last + 1]]
    before, inside = points[0], points[1:]
    assert before.seconds == arrivals[last] and 5 < len(inside) < 20
    assert [point.speed for point in inside] == [speed_now(arrivals[: last + 1], now=point.seconds) for point in inside]
    assert all(later.speed < earlier.speed for earlier, later in pairwise(points))
    halfway = next(point for point in inside if point.seconds - arrivals[last] > 1.0)
    assert halfway.speed < 1.0 < 0.3 * before.speed


def test_points_of_a_steady_run_have_their_least_distance() -> None:
    for gap in (0.002, 0.02, 0.1):
        arrivals = [0.5 + gap * (number + 0.2 * (number % 3)) for number in range(300)]
        pointed = kept_curve(arrivals).points
        assert {point.seconds for point in pointed} <= set(arrivals), gap


def test_add_of_a_late_token_adds_no_earlier_point() -> None:
    curve = Curve(0.0)
    for at in (0.0, 0.01, 0.02):
        curve.add(at)
    curve.wait(0.2)
    curve.add(0.1)
    curve.add(0.3)
    seconds = [point.seconds for point in curve.points]
    assert seconds == sorted(seconds)


def test_points_of_tokens_at_one_moment_count_all_of_them() -> None:
    arrivals = [0.5, 0.6, 0.7, 0.7, 0.7]
    assert kept_curve(arrivals).points[-1].tokens == 5
    points = kept_curve([*arrivals, 9.0]).points
    assert [point.tokens for point in points if point.seconds == 0.7] == [3, 5], "before a pause too"


def test_curve_of_one_token_has_no_points() -> None:
    assert kept_curve([]).points == kept_curve([0.4]).points == []


def test_first_point_with_a_draft_model_is_of_a_whole_step() -> None:
    arrivals = [0.5 + 0.04 * step + 0.00003 * each for step in range(20) for each in range(4)]
    points = kept_curve(arrivals, [1, 1, 1, 0] * 20).points
    assert points
    assert all(99 < point.speed < 101 for point in points)
