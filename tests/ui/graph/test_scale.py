"""The ends of the speed graph's axes, their ticks, and labels that keep apart."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.meter.meter import Figures
from app.engine.meter.speeds import Point
from app.ui.graph.scale import GRID_LINES, apart, right_of, tick_label, ticks, top_of
from app.ui.widgets.plots.speed_curve import CurveAxis, SpeedCurve

SPEEDS = st.lists(st.floats(0.05, 50_000), min_size=40, max_size=400)


def curve(speeds: list[float], mean: float | None = None, step: float = 0.02, *, ended: bool = True) -> SpeedCurve:
    points = [Point(0.5 + step * number, number + 1, speed) for number, speed in enumerate(speeds)]
    made = SpeedCurve(ended=ended)
    figures = Figures(0.5 + step * len(speeds), first_token=0.5, speed_mean=mean, tokens=len(speeds))
    made.extend(points, figures, [point.seconds for point in points])
    return made


@pytest.mark.slow
@given(SPEEDS)
def test_top_of_any_speeds_is_above_nearly_all_and_has_round_thirds(speeds: list[float]) -> None:
    top = top_of([curve(speeds)])
    assert sum(speed > top for speed in speeds) <= 0.02 * len(speeds) + 1
    step = top / GRID_LINES
    assert float(f"{step:.2g}") == pytest.approx(step, rel=1e-9), "two figures at most"
    assert top <= 3.2 * max(speeds), "not far above"


def test_top_of_a_curve_with_a_spike_ignores_the_spike() -> None:
    assert top_of([curve([100.0] * 99 + [9_000.0])]) == 120
    assert top_of([curve([100.0] * 90 + [9_000.0] * 10)]) > 9_000


def test_top_of_two_curves_covers_both() -> None:
    slow, quick = curve([20.0] * 400), curve([600.0] * 40)
    assert top_of([slow, quick]) == top_of([quick, slow]) == 750


def test_top_of_a_curve_below_its_mean_covers_the_mean() -> None:
    assert top_of([curve([100.0] * 10, mean=640.0)]) == 750


def test_right_of_a_run_covers_its_tokens_and_its_expected_prefill() -> None:
    assert right_of(SpeedCurve(), CurveAxis.TIME) == 1.0
    assert right_of(curve([5.0] * 4, ended=False), CurveAxis.TIME) == 1.0
    assert right_of(curve([5.0] * 100), CurveAxis.TIME) == 3.0
    waiting = SpeedCurve(figures=Figures(elapsed=7.0))
    assert right_of(waiting, CurveAxis.TIME) == 8.0, "while the prompt is read"
    waiting.expected = 18.0
    assert right_of(waiting, CurveAxis.TIME) == 20.0, "as long as that will take"
    assert right_of(curve([5.0] * 100), CurveAxis.TOKENS) == 150


@pytest.mark.parametrize(("step", "right"), [(0.001, 0.6), (0.0001, 0.6), (0.02, 1.0), (0.2, 4.0)])
def test_right_of_an_ended_run_is_just_above_its_length(step: float, right: float) -> None:
    assert right_of(curve([5.0] * 14, step=step, ended=True), CurveAxis.TIME) == pytest.approx(right)


@pytest.mark.parametrize(
    ("right", "words"),
    [
        (1.0, ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s"]),
        (8.0, ["0 s", "2 s", "4 s", "6 s", "8 s"]),
        (300.0, ["0 min", "1 min", "2 min", "3 min", "4 min", "5 min"]),
    ],
)
def test_ticks_are_round_and_labelled(right: float, words: list[str]) -> None:
    assert [tick_label(place, CurveAxis.TIME, right) for place in ticks(right, 6)] == words
    assert tick_label(1500, CurveAxis.TOKENS, 2000) == "1,500"


@given(st.floats(1.0, 90_000), st.integers(1, 12))
def test_ticks_are_no_more_than_asked_for(right: float, most: int) -> None:
    places = ticks(right, most)
    assert places[0] == 0
    assert len(places) <= most + 1
    assert places[-1] <= right * (1 + 1e-6)


@given(st.lists(st.floats(0, 200), min_size=1, max_size=8))
def test_apart_keeps_distance_order_and_bounds(wanted: list[float]) -> None:
    placed = apart(wanted, 14.0, 7.0, 193.0)
    assert all(7 - 1e-9 <= at <= 193 + 1e-9 for at in placed)
    assert all(later - earlier >= 14 - 1e-9 for earlier, later in pairwise(sorted(placed)))
    order = sorted(range(len(wanted)), key=lambda each: wanted[each])
    assert [placed[each] for each in order] == sorted(placed)


def test_apart_without_neighbours_moves_nothing() -> None:
    assert apart([20.0, 100.0, 103.0], 14.0, 7.0, 193.0) == pytest.approx([20.0, 100.0, 114.0])


def test_top_of_a_curve_with_a_limit_covers_a_near_limit_only() -> None:
    run = curve([100.0] * 400)
    run.limit = lambda written: 190.0 - written / 10
    for axis in CurveAxis:
        xs, ys = run.limit_line(axis)
        assert ys[0] == 190.0 and ys[-1] == 190.0 - 39.9 and xs[0] < xs[-1] <= right_of(run, axis)
    assert top_of([run], 190.0) > 190 and top_of([run], 250.0) == top_of([run])
