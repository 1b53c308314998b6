"""The curve is thinned without losing what matters, and told truly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.meter.frame import Figures, Point
from app.ui.widgets.plots.speed_curve import (
    MOST_DRAWN,
    Axis,
    SpeedCurve,
    csv,
    described,
    nearest,
    pointed,
    roomy,
)


def points(speeds: list[float]) -> list[Point]:
    return [Point(0.1 * number, 10 * number, speed) for number, speed in enumerate(speeds, start=1)]


SPEEDS = st.lists(st.floats(0.1, 5_000), min_size=1, max_size=400)


@given(SPEEDS, st.integers(6, 100))
def test_thinning_keeps_ends_lows_and_highs(speeds: list[float], most: int) -> None:
    whole = points(speeds)
    curve = SpeedCurve(most=most)
    for at in range(0, len(whole), 7):
        curve.extend(whole[at : at + 7], Figures())
    kept = curve.drawn
    assert len(kept) <= max(most, 2)
    assert (kept[0], kept[-1]) == (whole[0], whole[-1])
    assert kept == sorted(set(kept), key=lambda point: point.seconds)
    if len(whole) > 2:
        assert {min(speeds), max(speeds)} <= {point.speed for point in kept}


def test_points_of_one_moment_are_drawn_in_their_order() -> None:
    for number in range(2, 40):
        curve = SpeedCurve(most=4)
        curve.extend([Point(0.1, 1, 9.0), Point(0.2, number, 5.0), Point(0.2, number + 3, 7.0)], Figures())
        assert curve.xs(Axis.TOKENS) == [1, number, number + 3]


@pytest.mark.parametrize("count", [40, 900])
def test_of_a_run_that_is_over_nothing_is_drawn_after_its_last_token(count: int) -> None:
    """As of one that was kept, of which nobody knows how long the next token was waited for."""
    whole, waits = points([5.0 + number % 9 for number in range(count)]), points([1.0] * (count + 9))[count:]
    curve, kept = SpeedCurve(), SpeedCurve()
    curve.extend(whole, Figures(), [point.seconds for point in whole])
    curve.extend(waits, Figures())
    assert curve.drawn[-1] == waits[-1]
    kept.extend(whole, Figures(), curve.arrivals)
    for each in (curve, kept):
        each.end(Figures(tokens=count))
    assert curve.ended and curve.points == whole
    assert (curve.drawn, curve.xs(Axis.TIME), curve.ys()) == (kept.drawn, kept.xs(Axis.TIME), kept.ys())
    assert curve.figures.tokens == count


def test_a_long_run_stays_drawable_and_whole() -> None:
    curve = SpeedCurve()
    speeds = [100.0] * 5_000
    speeds[1_234], speeds[3_210] = 7.0, 300.0
    for point in points(speeds):
        curve.extend((point,), Figures())
        assert len(curve.drawn) <= MOST_DRAWN
    assert {7.0, 300.0} <= set(curve.ys())
    early = sum(1 for point in curve.drawn if point.tokens <= 25_000)
    assert early >= MOST_DRAWN // 8, "the beginning is as fine as the rest"
    assert len(csv(curve).splitlines()) == 5_001


def test_axes() -> None:
    curve = SpeedCurve()
    curve.extend(points([5.0, 6.0]), Figures())
    assert curve.xs(Axis.TOKENS) == [10, 20]
    assert curve.xs(Axis.TIME) == pytest.approx([0.1, 0.2])
    assert nearest(curve.drawn, 14, Axis.TOKENS) == curve.drawn[0]
    assert nearest(curve.drawn, 0.19, Axis.TIME) == curve.drawn[1]
    assert nearest([], 1, Axis.TIME) is None


def test_of_a_short_run_there_is_a_level_line_at_its_mean_and_nothing_else() -> None:
    curve = SpeedCurve()
    assert curve.line(Axis.TIME) == ([], [])
    few = [0.5 + 0.05 * number for number in range(31)]
    curve.extend(points([5.0, 6.0]), Figures(speed_mean=20.0), few)
    assert curve.flat, "too few tokens"
    assert curve.line(Axis.TIME) == ([0.5, few[-1]], [20.0, 20.0])
    assert curve.line(Axis.TOKENS) == ([1.0, 31.0], [20.0, 20.0])
    curve.extend((), Figures(speed_mean=20.0), [few[-1] + 0.05])
    assert not curve.flat
    assert curve.line(Axis.TIME) == (curve.xs(Axis.TIME), [5.0, 6.0])
    quick = SpeedCurve()
    quick.extend(points([5.0]), Figures(speed_mean=400.0), [0.5 + 0.0025 * number for number in range(200)])
    assert quick.flat, "in too short a time"


def test_the_height_of_the_line_between_its_points() -> None:
    curve = SpeedCurve()
    assert curve.height(1.0, Axis.TOKENS) is None
    curve.extend(points([5.0, 6.0, 10.0]), Figures(), [0.02 * number for number in range(40)])
    heights = [curve.height(x, Axis.TOKENS) for x in (3, 10, 15, 25, 30, 99)]
    assert heights == pytest.approx([5.0, 5.0, 5.5, 8.0, 10.0, 10.0])


def test_told_in_a_sentence() -> None:
    curve = SpeedCurve()
    assert described(curve) == "No speed yet."
    curve.extend((), Figures(first_token=0.1, tokens=1))
    assert described(curve) == "One token so far, so there is no speed yet."
    figures = Figures(first_token=0.084, prompt_speed=1_200, speed_mean=151.2)
    curve.extend(points([148.0, 92.0, 171.0]), figures)
    assert described(curve) == (
        "Mean 151 tokens per second; lowest 92.0 at 200 milliseconds, token 20; "
        "highest 171 at 300 milliseconds, token 30. First token after 84 milliseconds. "
        "Prompt at 1,200 tokens per second."
    )


def test_csv() -> None:
    curve = SpeedCurve()
    curve.extend(points([148.25]), Figures())
    assert csv(curve) == "seconds,tokens,tokens_per_second\n0.100000,10,148.250\n"


def test_under_the_pointer() -> None:
    assert pointed(Point(1.2, 1_180, 148.0)) == "1.20 s · token 1,180 · 148 tok/s"


@pytest.mark.parametrize(
    ("largest", "end"),
    [(0, 1), (0.05, 0.1), (0.5, 0.6), (1, 1.5), (9.9, 15), (100, 150), (151, 200), (184, 200), (950, 1_500)],
)
def test_axis_ends_are_round(largest: float, end: float) -> None:
    assert roomy(largest) == pytest.approx(end)


@given(st.floats(0.001, 1e6))
def test_axis_ends_leave_room(largest: float) -> None:
    assert largest * 1.05 < roomy(largest)
    assert roomy(largest) < max(largest * 2.2, 0.2)
