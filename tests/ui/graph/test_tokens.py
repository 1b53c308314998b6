"""A run's tokens on the speed graph's axis: found again, and told in words."""

import pytest

from app.engine.meter.speeds import speed_now
from app.engine.meter.trace import Origin, Trace
from app.engine.types import Token
from app.ui.graph.tokens import RunTokens
from app.ui.widgets.plots.speed_curve import Axis
from tests.ui.instruments.arrivals import SENT, extend, slow_at, steady, traced


def test_places_on_both_axes() -> None:
    tokens = RunTokens(traced(steady(100)), 0)
    assert len(tokens) == 100
    assert tokens.x(0, Axis.TIME) == pytest.approx(0.5)
    assert tokens.x(0, Axis.TOKENS) == 1
    assert tokens.x(99, Axis.TOKENS) == 100
    assert tokens.x(100, Axis.TIME) is None


@pytest.mark.parametrize("axis", Axis)
def test_each_token_is_nearest_to_its_own_place(axis: Axis) -> None:
    tokens = RunTokens(traced(steady(40)), 0)
    for index in range(40):
        x = tokens.x(index, axis)
        assert x is not None
        assert tokens.nearest(x, axis) == index
    assert tokens.nearest(-1e9, axis) == 0
    assert tokens.nearest(1e9, axis) == 39


def test_nearest_by_time_is_on_either_side() -> None:
    tokens = RunTokens(traced([1.0, 2.0, 4.0]), 0)
    assert [tokens.nearest(x, Axis.TIME) for x in (1.4, 1.6, 2.9, 3.1)] == [0, 1, 1, 2]
    assert RunTokens(traced([]), 0).nearest(1.0, Axis.TIME) is None
    assert RunTokens(traced([]), 0).meant(1.0, 1.0, Axis.TIME) is None


def test_near_a_spike_the_slow_token_is_meant() -> None:
    tokens = RunTokens(traced(slow_at(60)), 0)
    assert tokens.meant(59.0, 4.0, Axis.TOKENS) == 60
    assert tokens.meant(64.0, 4.0, Axis.TOKENS) == 60
    assert tokens.meant(70.0, 4.0, Axis.TOKENS) == 69, "out of reach it is the nearest"


def test_a_token_that_is_hardly_slower_is_not_meant() -> None:
    arrivals = steady(100)
    arrivals[50:] = [at + 0.003 for at in arrivals[50:]]
    assert RunTokens(traced(arrivals), 0).meant(50.0, 4.0, Axis.TOKENS) == 49


def test_told_in_words() -> None:
    tokens = RunTokens(traced(steady(200)), 0)
    assert tokens.told(119) == "token 120 · 1.69 s · gap 10 ms · 100 tok/s"
    assert tokens.told(0) == "token 1 · 500 ms"
    assert tokens.stretch_told(39, 95)[0] == "tokens 40–96: mean 10 ms, p95 10 ms between tokens"
    assert tokens.stretch_told(0, 0)[0] == "token 1"


def test_the_speed_is_the_graph_s() -> None:
    arrivals = slow_at(60, 400)
    tokens = RunTokens(traced(arrivals), 0)
    for index in (1, 2, 60, 150, 399):
        assert tokens.speed(index) == pytest.approx(speed_now(arrivals[: index + 1]))
    assert tokens.speed(0) is None


def test_a_run_of_an_answer_has_its_own_tokens() -> None:
    trace = traced(steady(10))
    trace.begin_run(SENT + 20)
    extend(trace, [20.3, 20.4, 20.5])
    second = RunTokens(trace, 1)
    assert len(RunTokens(trace, 0)) == 10
    assert len(second) == 3
    assert second.x(0, Axis.TIME) == pytest.approx(0.3)
    assert second.nearest(0.41, Axis.TIME) == 1
    assert second.told(0) == "token 1 (11 of the answer) · 300 ms"
    assert second.stretch_told(0, 2)[0].startswith("tokens 1–3 (11–13 of the answer): mean ")
    assert len(RunTokens(trace, 2)) == 0


def test_what_the_user_put_in_has_no_place() -> None:
    trace = Trace()
    trace.begin_run(SENT)
    trace.extend([Token(0, 9, "no", (), 0.0)], Origin.USER)
    extend(trace, steady(5))
    tokens = RunTokens(trace, 0)
    assert tokens.came == range(1, 6)
    assert tokens.x(0, Axis.TIME) is None
    assert tokens.told(0) == "put in by you"
    assert tokens.nearest(-1.0, Axis.TOKENS) == 1
    assert tokens.x(1, Axis.TOKENS) == 1
    assert tokens.told(1) == "token 1 (2 of the answer) · 500 ms"


def test_the_curve_of_a_run_that_is_over() -> None:
    points = RunTokens(traced(steady(300)), 0).curve().points
    assert [point.speed for point in points] == pytest.approx([100.0] * len(points))
    assert (points[0].tokens, points[-1].tokens) == (2, 300)
    assert RunTokens(traced([]), 0).curve().points == []


def test_each_token_as_csv() -> None:
    lines = RunTokens(traced([0.5, 0.52], [0.01]), 0).csv().splitlines()
    assert lines == ["index,id,seconds,gap,end_probability", "0,50,0.500000,,0.010000", "1,51,0.520000,0.020000,"]
