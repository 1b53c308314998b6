from itertools import pairwise

import pytest

from app.engine.meter import speeds
from app.engine.meter.meter import Meter
from app.engine.meter.speeds import Curve, Point, recorded_curve, speed_now
from app.engine.types import DraftStats, Finish, Reason, Times, Token
from tests.records import builders


def every(step: float, count: int, start: float = 10.0) -> list[float]:
    return [start + step * index for index in range(count)]


def test_speed_now_spans_eight_tokens_or_fifteen_percent() -> None:
    before = every(0.1, 10, start=0.0)
    assert speeds.speed_now(before + every(0.01, 8, start=1.5)) == pytest.approx(100)
    waited = speeds.speed_now(before + every(0.01, 7, start=1.5))
    assert waited == pytest.approx(7 / 0.66), "the eighth came before the wait"
    assert speeds.window_tokens(118) == 18
    assert speeds.speed_now(every(0.001, 100, start=0.0) + every(0.01, 18, start=1.0)) == pytest.approx(100)


def test_speed_now_spans_at_most_a_second() -> None:
    arrivals = every(0.001, 1000) + every(0.1, 20, start=12.0)
    assert speeds.speed_now(arrivals) == pytest.approx(10, rel=0.01)
    assert speeds.speed_now([1.0, 2.0, 7.0]) == pytest.approx(0.2), "of at least two tokens"


@pytest.mark.parametrize("arrivals", [[], [3.0], [3.0, 3.0]])
def test_speed_now_without_time_is_none(arrivals: list[float]) -> None:
    assert speeds.speed_now(arrivals) is None


def test_speed_now_with_a_draft_model_spans_whole_steps() -> None:
    """Steps of four tokens each 40 ms; the tokens of one step come within 0.1 ms."""
    arrivals = [0.04 * step + 0.00003 * each for step in range(20) for each in range(4)]
    drafts = [1, 1, 1, 0] * 20
    for count in range(1, len(arrivals) + 1):
        found = speeds.speed_now(arrivals[:count], drafts[:count])
        assert found is None if count <= 4 else found == pytest.approx(100), count
    assert speeds.speed_now(arrivals[:4]) == pytest.approx(1 / 0.00003), "what it would be by single tokens"


def test_speed_now_in_a_wait_falls() -> None:
    arrivals = every(0.01, 200)
    assert speeds.speed_now(arrivals, now=arrivals[-1] + 0.001) == pytest.approx(100)
    assert speeds.speed_now(arrivals, now=arrivals[-1] + 9.0) == pytest.approx(1 / 9.0)


@pytest.mark.parametrize("wait", [0.001, 0.02, 0.05, 0.5, 0.99, 1.2, 9.0])
def test_speed_now_in_a_wait_is_at_most_that_of_a_token_now(wait: float) -> None:
    for count in (2, 5, 9, 200, 2_000):
        arrivals = [0.01 * index + 0.001 * (index % 7) for index in range(count)]
        usual, then = speeds.speed_now(arrivals), speeds.speed_now([*arrivals, arrivals[-1] + wait])
        assert usual is not None and then is not None
        assert speeds.speed_now(arrivals, now=arrivals[-1] + wait) == pytest.approx(min(usual, then)), count


def test_speed_now_of_the_last_tokens_is_that_of_all() -> None:
    arrivals = [0.01 * index + 0.002 * (index % 7) for index in range(1000)]
    assert speeds.speed_now(arrivals[-200:], count=1000) == pytest.approx(speeds.speed_now(arrivals))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (speeds.mean_speed(11, 5.0, 6.0), 10),
        (speeds.mean_speed(1, 5.0, 5.0), None),
        (speeds.end_to_end_speed(10, 1.0, 6.0), 2),
        (speeds.end_to_end_speed(0, 1.0, 6.0), None),
        (speeds.percentile([1.0, 2.0, 3.0, 4.0], 50), 2.5),
        (speeds.percentile([7.0], 99), 7.0),
        (speeds.percentile([0.0, 100.0], 95), 95),
        (speeds.remaining_seconds(250, 1000, 4.0, 5.0), 3),
        (speeds.remaining_seconds(0, 1000, 4.0, 5.0), None),
        (speeds.remaining_seconds(5, 0, 4.0, 5.0), None),
        (speeds.stop_latency(Times(1.0, stop_asked=3.0, ended=3.25)), 0.25),
        (speeds.stop_latency(Times(1.0, ended=3.25)), None),
        (speeds.acceptance(DraftStats(proposed=8, accepted=6, steps=4)), 0.75),
        (speeds.acceptance(DraftStats(0, 0, 4)), None),
        (speeds.tokens_per_step(12, DraftStats(8, 6, 4)), 3),
        (speeds.tokens_per_step(12, DraftStats(0, 0, 0)), None),
        (speeds.gaps([1.0], b"\0"), None),
    ],
)
def test_figures_by_their_definitions(found: float | None, expected: float | None) -> None:
    assert found is None if expected is None else found == pytest.approx(expected)


def test_latency_percentiles_have_the_one_slow_token_in_p99() -> None:
    gaps = speeds.gaps([*every(0.01, 100), 20.0], bytes(101))
    assert gaps is not None
    assert gaps.p50 == pytest.approx(0.01)
    assert gaps.p99 < 9.01


def test_latency_percentiles_with_drafts_are_between_steps() -> None:
    arrivals = [0.0, 0.001, 0.002, 1.0, 1.001, 1.002, 2.0]
    from_draft = [1, 1, 0, 1, 1, 0, 0]
    assert speeds.step_arrivals(arrivals, from_draft) == [0.0, 1.0, 2.0]
    gaps = speeds.gaps(arrivals, from_draft)
    assert gaps is not None
    assert gaps.p50 == pytest.approx(1.0)


def test_observing_share_is_of_the_time_after_the_prefill() -> None:
    times = Times(
        sent=100.0, prefill_started=101.0, prefill_ended=110.0, first_token=110.1, last_token=119.9, ended=120.0
    )
    assert speeds.recording_share(Finish(Reason.STOP, times=times, observing=0.25)) == pytest.approx(0.025)
    assert speeds.recording_share(Finish(Reason.STOP, times=times)) is None
    assert speeds.recording_share(Finish(Reason.STOPPED, times=Times(100.0, ended=102.0), observing=0.1)) == 0.05
    assert speeds.recording_share(Finish(Reason.ERROR, observing=0.1)) is None


ARRIVALS = [0.5 + 0.037 * number + (0.6 if number > 40 else 0.0) for number in range(119)]


def test_recorded_curve_is_the_meter_s() -> None:
    meter = Meter(100.0, 500, None)
    tokens = [builders.token(index, "a", 100.0 + at) for index, at in enumerate(ARRIVALS)]
    for token in tokens:
        meter.fold(token)
    meter.finish(Finish(Reason.LENGTH, times=Times(100.0)))
    drawn = meter.frame(200.0).points
    kept = recorded_curve(ARRIVALS, [token.from_draft for token in tokens]).points
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
    assert seen == recorded_curve(arrivals).points
    assert all(one.seconds < other.seconds for one, other in pairwise(seen))


@pytest.mark.parametrize("gap", [0.002, 0.02, 0.1])
def test_points_of_a_pause_fall_with_the_speed_and_are_few(gap: float) -> None:
    arrivals, last = stalling(gap), 60
    points = [
        point for point in recorded_curve(arrivals).points if arrivals[last] <= point.seconds < arrivals[last + 1]
    ]
    before, inside = points[0], points[1:]
    assert before.seconds == arrivals[last] and 5 < len(inside) < 20
    assert [point.speed for point in inside] == [speed_now(arrivals[: last + 1], now=point.seconds) for point in inside]
    assert all(later.speed < earlier.speed for earlier, later in pairwise(points))
    halfway = next(point for point in inside if point.seconds - arrivals[last] > 1.0)
    assert halfway.speed < 1.0 < 0.3 * before.speed


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
    assert recorded_curve(arrivals).points[-1].tokens == 5
    assert recorded_curve([]).points == recorded_curve([0.4]).points == []
    points = recorded_curve([*arrivals, 9.0]).points
    assert [point.tokens for point in points if point.seconds == 0.7] == [3, 5], "before a pause too"


def test_first_point_with_a_draft_model_is_of_a_whole_step() -> None:
    arrivals = [0.5 + 0.04 * step + 0.00003 * each for step in range(20) for each in range(4)]
    points = recorded_curve(arrivals, [1, 1, 1, 0] * 20).points
    assert points
    assert all(99 < point.speed < 101 for point in points)
