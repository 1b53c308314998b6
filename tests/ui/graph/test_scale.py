"""The axes of the speed graph: round, above what they have to show, and with labels that don't meet."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.meter.frame import Figures, Point
from app.ui.graph.scale import LINES, apart, right_of, tick_words, ticks, top_of
from app.ui.widgets.plots.speed_curve import Axis, SpeedCurve

SPEEDS = st.lists(st.floats(0.05, 50_000), min_size=40, max_size=400)


def curve(speeds: list[float], mean: float | None = None, step: float = 0.02, *, ended: bool = True) -> SpeedCurve:
    points = [Point(0.5 + step * number, number + 1, speed) for number, speed in enumerate(speeds)]
    made = SpeedCurve(ended=ended)
    figures = Figures(0.5 + step * len(speeds), first_token=0.5, speed_mean=mean, tokens=len(speeds))
    made.extend(points, figures, [point.seconds for point in points])
    return made


@pytest.mark.slow
@given(SPEEDS)
def test_the_top_is_above_nearly_all_points_and_three_round_lines_divide_it(speeds: list[float]) -> None:
    top = top_of([curve(speeds)])
    assert sum(speed > top for speed in speeds) <= 0.02 * len(speeds) + 1
    step = top / LINES
    assert float(f"{step:.2g}") == pytest.approx(step, rel=1e-9), "two figures at most"
    assert top <= 3.2 * max(speeds), "not far above"


def test_a_spike_does_not_flatten_the_rest() -> None:
    assert top_of([curve([100.0] * 99 + [9_000.0])]) == 120
    assert top_of([curve([100.0] * 90 + [9_000.0] * 10)]) > 9_000


def test_every_run_is_inside_the_scale() -> None:
    slow, quick = curve([20.0] * 400), curve([600.0] * 40)
    assert top_of([slow, quick]) == top_of([quick, slow]) == 750


def test_of_a_short_run_the_mean_is_inside_the_scale() -> None:
    assert top_of([curve([900.0] * 10, mean=640.0, step=0.001)]) == 750


def test_an_axis_is_a_second_long_while_its_run_goes_on_and_as_long_as_that() -> None:
    assert right_of(SpeedCurve(), Axis.TIME) == 1.0
    assert right_of(curve([5.0] * 4, ended=False), Axis.TIME) == 1.0
    assert right_of(curve([5.0] * 100), Axis.TIME) == 3.0
    waiting = SpeedCurve(figures=Figures(elapsed=7.0))
    assert right_of(waiting, Axis.TIME) == 8.0, "while the prompt is read"
    waiting.expected = 18.0
    assert right_of(waiting, Axis.TIME) == 20.0, "as long as that will take"
    assert right_of(curve([5.0] * 100), Axis.TOKENS) == 150


@pytest.mark.parametrize(("step", "right"), [(0.001, 0.6), (0.0001, 0.6), (0.02, 1.0), (0.2, 4.0)])
def test_the_axis_of_a_run_that_is_over_is_no_longer_than_it_needs(step: float, right: float) -> None:
    assert right_of(curve([5.0] * 14, step=step, ended=True), Axis.TIME) == pytest.approx(right)


@pytest.mark.parametrize(
    ("right", "words"),
    [
        (1.0, ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s", "1 s"]),
        (8.0, ["0 s", "2 s", "4 s", "6 s", "8 s"]),
        (300.0, ["0 min", "1 min", "2 min", "3 min", "4 min", "5 min"]),
    ],
)
def test_the_axis_is_told_in_round_places(right: float, words: list[str]) -> None:
    assert [tick_words(place, Axis.TIME, right) for place in ticks(right, 6)] == words
    assert tick_words(1500, Axis.TOKENS, 2000) == "1,500"


@given(st.floats(1.0, 90_000), st.integers(1, 12))
def test_there_are_no_more_places_than_there_is_room_for(right: float, most: int) -> None:
    places = ticks(right, most)
    assert places[0] == 0
    assert len(places) <= most + 1
    assert places[-1] <= right * (1 + 1e-6)


@given(st.lists(st.floats(0, 200), min_size=1, max_size=8))
def test_labels_keep_apart_and_inside(wanted: list[float]) -> None:
    placed = apart(wanted, 14.0, 7.0, 193.0)
    assert all(7 - 1e-9 <= at <= 193 + 1e-9 for at in placed)
    assert all(later - earlier >= 14 - 1e-9 for earlier, later in pairwise(sorted(placed)))
    order = sorted(range(len(wanted)), key=lambda each: wanted[each])
    assert [placed[each] for each in order] == sorted(placed)


def test_a_label_that_nothing_is_near_stays_where_it_belongs() -> None:
    assert apart([20.0, 100.0, 103.0], 14.0, 7.0, 193.0) == pytest.approx([20.0, 100.0, 114.0])


def test_the_limit_is_inside_the_scale_where_it_does_not_flatten_the_run() -> None:
    run = curve([100.0] * 400)
    run.limit = lambda written: 190.0 - written / 10
    for axis in Axis:
        xs, ys = run.limit_line(axis)
        assert ys[0] == 190.0 and ys[-1] == 190.0 - 39.9 and xs[0] < xs[-1] <= right_of(run, axis)
    assert top_of([run], 190.0) > 190 and top_of([run], 250.0) == top_of([run])
