import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.meter.speeds import speed_now
from app.engine.meter.trace import Origin, Trace
from app.engine.types import Token
from app.ui.speed_graph.tokens import NO_TOKENS, UNRECORDED, EosCurve, RunTokenView
from app.ui.widgets.plots.speed_curve import MAX_DRAWN, CurveAxis
from tests.ui.instruments.arrivals import SENT, extend, slow_at, steady, traced


@pytest.mark.parametrize("axis", CurveAxis)
def test_nearest_at_a_token_is_that_token(axis: CurveAxis) -> None:
    tokens = RunTokenView(traced(steady(40)), 0)
    for index in range(40):
        x = tokens.x(index, axis)
        assert x == pytest.approx(0.5 + index / 100 if axis is CurveAxis.TIME else index + 1)
        assert x is not None and tokens.nearest(x, axis) == index
    assert tokens.x(40, axis) is None
    assert tokens.nearest(-1e9, axis) == 0
    assert tokens.nearest(1e9, axis) == 39


def test_nearest_between_tokens_is_the_nearer_one() -> None:
    tokens = RunTokenView(traced([1.0, 2.0, 4.0]), 0)
    assert [tokens.nearest(x, CurveAxis.TIME) for x in (1.4, 1.6, 2.9, 3.1)] == [0, 1, 1, 2]
    assert RunTokenView(traced([]), 0).nearest(1.0, CurveAxis.TIME) is None
    assert RunTokenView(traced([]), 0).nearest_slow(1.0, 1.0, CurveAxis.TIME) is None


def test_nearest_slow_within_reach_of_a_spike_is_the_slow_token() -> None:
    tokens = RunTokenView(traced(slow_at(60)), 0)
    assert tokens.nearest_slow(59.0, 4.0, CurveAxis.TOKENS) == 60
    assert tokens.nearest_slow(64.0, 4.0, CurveAxis.TOKENS) == 60
    assert tokens.nearest_slow(70.0, 4.0, CurveAxis.TOKENS) == 69


def test_nearest_slow_beside_a_slightly_slower_token_is_the_nearest() -> None:
    arrivals = steady(100)
    arrivals[50:] = [at + 0.003 for at in arrivals[50:]]
    assert RunTokenView(traced(arrivals), 0).nearest_slow(50.0, 4.0, CurveAxis.TOKENS) == 49


def test_describe_names_number_time_latency_and_speed() -> None:
    tokens = RunTokenView(traced(steady(200)), 0)
    assert tokens.describe(119) == "token 120 · 1.69 s · inter-token latency 10 ms · 100 tok/s now"
    assert tokens.describe(0) == "token 1 · 500 ms"
    assert tokens.describe_range(39, 95) == "tokens 40–96 · mean inter-token latency 10 ms · p95 10 ms"
    assert tokens.describe_range(0, 0) == "token 1"


def test_speed_of_a_token_is_the_speed_now() -> None:
    arrivals = slow_at(60, 400)
    tokens = RunTokenView(traced(arrivals), 0)
    for index in (1, 2, 60, 150, 399):
        assert tokens.speed(index) == pytest.approx(speed_now(arrivals[: index + 1]))
    assert tokens.speed(0) is None


def test_run_tokens_of_a_second_run_count_from_its_first() -> None:
    trace = traced(steady(10))
    trace.begin_run(SENT + 20)
    extend(trace, [20.3, 20.4, 20.5])
    second = RunTokenView(trace, 1)
    assert len(RunTokenView(trace, 0)) == 10
    assert len(second) == 3
    assert second.x(0, CurveAxis.TIME) == pytest.approx(0.3)
    assert second.nearest(0.41, CurveAxis.TIME) == 1
    assert second.describe(0) == "token 1 (11 of the answer) · 300 ms"
    assert second.describe_range(0, 2).startswith("tokens 1–3 (11–13 of the answer) · mean ")
    assert len(RunTokenView(trace, 2)) == 0


def test_x_of_a_token_inserted_by_the_user_is_none() -> None:
    trace = Trace()
    trace.begin_run(SENT)
    trace.extend([Token(0, 9, "no", (), 0.0)], Origin.USER)
    extend(trace, steady(5))
    tokens = RunTokenView(trace, 0)
    assert tokens.generated == range(1, 6)
    assert tokens.x(0, CurveAxis.TIME) is None
    assert tokens.describe(0) == "inserted by you"
    assert tokens.nearest(-1.0, CurveAxis.TOKENS) == 1
    assert tokens.x(1, CurveAxis.TOKENS) == 1
    assert tokens.describe(1) == "token 1 (2 of the answer) · 500 ms"


def test_curve_of_an_ended_run_has_the_speed_now_at_its_points() -> None:
    points = RunTokenView(traced(steady(300)), 0).curve().points
    assert [point.speed for point in points] == pytest.approx([100.0] * len(points))
    assert (points[0].tokens, points[-1].tokens) == (2, 300)
    assert RunTokenView(traced([]), 0).curve().points == []


def test_csv_has_a_row_for_each_token() -> None:
    lines = RunTokenView(traced([0.5, 0.52], [0.01]), 0).csv().splitlines()
    assert lines == ["index,id,seconds,gap,end_probability", "0,50,0.500000,,0.010000", "1,51,0.520000,0.020000,"]


def eos_of(trace: Trace) -> EosCurve:
    curve = EosCurve()
    curve.is_on = True
    curve.show_tokens(RunTokenView(trace, 0))
    return curve


def test_eos_curve_has_a_point_for_each_token_on_either_axis() -> None:
    curve = eos_of(traced(steady(3), [0.1, 0.5, 0.2]))
    assert curve.line(CurveAxis.TOKENS) == ([1, 2, 3], [0.1, 0.5, 0.2])
    assert curve.line(CurveAxis.TIME)[0] == pytest.approx([0.5, 0.51, 0.52])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_eos_peak_is_the_highest_before_the_last_token(probabilities: list[float]) -> None:
    peak = eos_of(traced(steady(len(probabilities)), probabilities)).peak
    assert (peak.probability if peak is not None else None) == max(probabilities[:-1], default=None)


def test_eos_curve_of_a_growing_run_reads_each_token_once() -> None:
    trace = Trace()
    trace.begin_run(SENT)
    curve = eos_of(trace)
    assert curve.drawn == []
    for probability in (0.3, 0.2, 0.9):
        extend(trace, [0.5 + len(trace)], [probability])
        curve.update()
        curve.update()
    assert [point.number for point in curve.drawn] == [1, 2, 3]
    assert curve.peak is not None and curve.peak.number == 1


def test_eos_curve_of_a_long_run_is_thinned_and_keeps_its_peaks() -> None:
    high = {777: 0.34, 2_500: 0.9, 4_100: 0.5}
    curve = eos_of(traced(steady(5_000), [high.get(index, 0.001) for index in range(5_000)]))
    xs, ys = curve.line(CurveAxis.TIME)
    assert len(xs) <= MAX_DRAWN and xs == sorted(xs)
    assert set(high.values()) <= set(ys)
    early = sum(point.number <= 2_500 for point in curve.drawn)
    assert 0.4 < early / len(curve.drawn) < 0.6
    assert curve.describe_peak("{where}") == "2,501: 90 %"


def test_eos_curve_without_probabilities_says_why() -> None:
    curve = EosCurve()
    curve.show_tokens(RunTokenView(traced(steady(3), [0.1, 0.34, 0.9]), 0))
    assert curve.drawn == [], "it is off, so nothing is read"
    curve = EosCurve()
    curve.is_on = True
    assert (curve.missing, curve.describe_peak("{where}")) == (NO_TOKENS, "")
    curve.show_tokens(RunTokenView(traced(steady(5)), 0))
    assert (curve.missing, curve.drawn) == (UNRECORDED, [])
    curve.show_tokens(RunTokenView(traced(steady(3), [0.1, 0.34, 0.9]), 0))
    assert curve.missing == ""
    assert (curve.describe_peak("{where}", 0.2), curve.describe_peak("{where}", 0.4)) == ("2: 34 %", "")
    curve.is_on = False
    assert (curve.line(CurveAxis.TIME), curve.describe_peak("{where}")) == (([], []), "")
