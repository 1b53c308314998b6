import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import Point
from app.ui.widgets.plots.speed_curve import (
    CurveAxis,
    SpeedCurve,
    ThinnedCurve,
    axis_end,
    curve_csv,
    describe,
    describe_pinned,
    nearest_point,
)


def points(speeds: list[float]) -> list[Point]:
    return [Point(0.1 * number, 10 * number, speed) for number, speed in enumerate(speeds, start=1)]


SPEEDS = st.lists(st.floats(0.1, 5_000), min_size=1, max_size=400)


@given(SPEEDS, st.integers(6, 100))
def test_thinned_keeps_ends_lows_and_highs(speeds: list[float], most: int) -> None:
    whole = points(speeds)
    thinned: ThinnedCurve[Point] = ThinnedCurve(lambda point: point.speed, most)
    for point in whole:
        thinned.add(point)
    left = thinned.points()
    assert len(left) <= most
    assert (left[0], left[-1]) == (whole[0], whole[-1])
    assert left == sorted(set(left), key=lambda point: point.seconds)
    assert {min(speeds), max(speeds)} <= {point.speed for point in left}


def test_thinned_points_of_one_moment_keep_their_order() -> None:
    whole = [Point(0.2, number, float(number % 7)) for number in range(40)]
    thinned: ThinnedCurve[Point] = ThinnedCurve(lambda point: point.speed, 10)
    for point in whole:
        thinned.add(point)
    assert [point.tokens for point in thinned.points()] == sorted({point.tokens for point in thinned.points()})


@pytest.mark.parametrize("count", [40, 900])
def test_end_removes_points_after_the_last_token(count: int) -> None:
    whole, waits = points([5.0 + number % 9 for number in range(count)]), points([1.0] * (count + 9))[count:]
    curve, kept = SpeedCurve(), SpeedCurve()
    curve.extend(whole, RunMetrics(), [point.seconds for point in whole])
    curve.extend(waits, RunMetrics())
    assert curve.drawn[-1] == waits[-1]
    kept.extend(whole, RunMetrics(), curve.arrivals)
    for each in (curve, kept):
        each.end(RunMetrics(tokens=count))
    assert curve.ended and curve.points == whole
    assert (curve.drawn, curve.xs(CurveAxis.TIME), curve.ys()) == (kept.drawn, kept.xs(CurveAxis.TIME), kept.ys())
    assert curve.metrics.tokens == count


def test_xs_and_nearest_point_follow_the_axis() -> None:
    curve = SpeedCurve()
    curve.extend(points([5.0, 6.0]), RunMetrics())
    assert curve.xs(CurveAxis.TOKENS) == [10, 20]
    assert curve.xs(CurveAxis.TIME) == pytest.approx([0.1, 0.2])
    assert nearest_point(curve.drawn, 14, CurveAxis.TOKENS) == curve.drawn[0]
    assert nearest_point(curve.drawn, 0.19, CurveAxis.TIME) == curve.drawn[1]
    assert nearest_point([], 1, CurveAxis.TIME) is None


def test_height_between_points_is_interpolated() -> None:
    curve = SpeedCurve()
    assert curve.height(1.0, CurveAxis.TOKENS) is None
    curve.extend(points([5.0, 6.0, 10.0]), RunMetrics(), [0.02 * number for number in range(40)])
    heights = [curve.height(x, CurveAxis.TOKENS) for x in (3, 10, 15, 25, 30, 99)]
    assert heights == pytest.approx([5.0, 5.0, 5.5, 8.0, 10.0, 10.0])


def test_describe_names_mean_extremes_and_prefill() -> None:
    curve = SpeedCurve()
    assert describe(curve) == "No speed yet."
    curve.extend((), RunMetrics(first_token=0.1, tokens=1))
    assert describe(curve) == "One token so far, so there is no speed yet."
    metrics = RunMetrics(first_token=0.084, prompt_speed=1_200, speed_mean=151.2)
    curve.extend(points([148.0, 92.0, 171.0]), metrics)
    assert describe(curve) == (
        "Mean 151 tokens per second; lowest 92.0 at 200 milliseconds, token 20; "
        "highest 171 at 300 milliseconds, token 30. "
        "Time to first token 84 milliseconds. Prefill speed 1,200 tokens per second."
    )


@settings(max_examples=40)
@given(SPEEDS, st.floats(1.0, 6_000.0), st.integers(0, 400))
def test_limit_line_is_never_below_the_curve(speeds: list[float], limit: float, known_from: int) -> None:
    """Whether the limit is known before the points or after them. It falls with the context."""

    def falling(tokens: int) -> float:
        return limit - tokens / 1_000

    curve, whole = SpeedCurve(), points(speeds)
    curve.extend(whole[:known_from], RunMetrics())
    curve.show_limit(falling)
    curve.extend(whole[known_from:], RunMetrics())
    exceeded = any(point.speed > falling(point.tokens) for point in whole)
    assert (curve.limit is None) or not any(point.speed > falling(point.tokens) for point in curve.drawn)
    assert exceeded or curve.limit is not None


def test_curve_csv_has_every_point() -> None:
    curve = SpeedCurve()
    curve.extend(points([148.25]), RunMetrics())
    assert curve_csv(curve) == "seconds,tokens,tokens_per_second\n0.100000,10,148.250\n"


@pytest.mark.parametrize(
    ("largest", "end"),
    [(0, 1), (0.05, 0.1), (0.5, 0.6), (1, 1.5), (9.9, 15), (100, 150), (151, 200), (184, 200), (950, 1_500)],
)
def test_axis_end_is_round(largest: float, end: float) -> None:
    assert axis_end(largest) == pytest.approx(end)


@given(st.floats(0.001, 1e6))
def test_axis_end_leaves_room(largest: float) -> None:
    assert largest * 1.05 < axis_end(largest)
    assert axis_end(largest) < max(largest * 2.2, 0.2)


@pytest.mark.parametrize(
    ("prompt", "mean", "words"),
    [
        (1, 112.0, "+12 % against pinned · demo, 8-bit, same prompt"),
        (2, 50.0, "−50 % against pinned · demo, 8-bit, other prompt"),
        (None, None, "pinned: demo, 8-bit"),
    ],
)
def test_describe_pinned_compares_the_means(prompt: int | None, mean: float | None, words: str) -> None:
    pinned = SpeedCurve(metrics=RunMetrics(speed_mean=100.0), model="demo, 8-bit", prompt=1)
    assert describe_pinned(pinned, SpeedCurve(metrics=RunMetrics(speed_mean=mean), prompt=prompt)) == words
