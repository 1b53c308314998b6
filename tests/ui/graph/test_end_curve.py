"""How likely the end was: thinned without losing a peak, and named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.meter.trace import Trace
from app.ui.graph.end_curve import NO_TOKENS, UNRECORDED, EndCurve, EndPoint, Ends
from app.ui.graph.tokens import RunTokens
from app.ui.widgets.plots.speed_curve import MOST_DRAWN, Axis
from tests.ui.instruments.arrivals import extend, steady, traced

PROBABILITIES = st.lists(st.floats(0, 1), min_size=1, max_size=60)


def curve_of(probabilities: list[float]) -> EndCurve:
    curve = EndCurve(RunTokens(traced(steady(len(probabilities)), probabilities), 0))
    curve.catch_up()
    return curve


def test_a_point_for_each_token_on_both_axes() -> None:
    curve = curve_of([0.1, 0.5, 0.2])
    assert curve.xs(Axis.TOKENS) == [1, 2, 3]
    assert curve.xs(Axis.TIME) == pytest.approx([0.5, 0.51, 0.52])
    assert curve.ys(200.0) == pytest.approx([20, 100, 40])


@given(PROBABILITIES)
def test_the_peak_is_the_highest_before_the_last(probabilities: list[float]) -> None:
    peak = curve_of(probabilities).peak
    if len(probabilities) == 1:
        assert peak is None
    else:
        assert peak is not None
        assert peak.probability == max(probabilities[:-1])
        assert probabilities[peak.number - 1] == peak.probability


def test_what_has_come_since_is_added_once() -> None:
    trace = Trace()
    trace.begin_run(100.0)
    curve = EndCurve(RunTokens(trace, 0))
    curve.catch_up()
    assert curve.drawn == []
    for end in (0.3, 0.2, 0.9):
        extend(trace, [0.5 + len(trace)], [end])
        curve.catch_up()
        curve.catch_up()
    assert [point.number for point in curve.drawn] == [1, 2, 3]
    assert curve.peak is not None
    assert curve.peak.number == 1


def test_a_long_run_stays_drawable_and_keeps_every_peak() -> None:
    trace = Trace()
    trace.begin_run(100.0)
    curve = EndCurve(RunTokens(trace, 0))
    high = {777: 0.34, 2_500: 0.9, 4_100: 0.5}
    for start in range(0, 5_000, 40):
        fresh = range(start, start + 40)
        extend(trace, [0.5 + 0.01 * index for index in fresh], [high.get(index, 0.001) for index in fresh])
        curve.catch_up()
        assert len(curve.drawn) <= MOST_DRAWN
    assert {(point.number, point.probability) for point in curve.drawn} >= {
        (index + 1, probability) for index, probability in high.items()
    }
    assert curve.xs(Axis.TIME) == sorted(curve.xs(Axis.TIME))
    early = sum(1 for point in curve.drawn if point.number <= 2_500)
    assert 0.4 < early / len(curve.drawn) < 0.6, "no part is coarser than another"
    assert curve.peak is not None
    assert curve.peak.told == "EOS peak at 2,501: 90 %"


def test_end_point_shows_the_eos_probability_and_its_token() -> None:
    assert EndPoint(120, 119, 1.0, 0.34).told == "EOS peak at 120: 34 %"
    assert EndPoint(3, 7, 1.0, 0.34).brief == "3 (8 of the answer): 34 %", "as the ending's card has it"


def test_tells_why_there_is_nothing() -> None:
    ends = Ends()
    ends.on = True
    assert (ends.missing, ends.curve, ends.told) == (NO_TOKENS, None, "")
    ends.show_tokens(RunTokens(traced(steady(5)), 0))
    assert (ends.missing, ends.curve, ends.told) == (UNRECORDED, None, "")
    ends.show_tokens(RunTokens(traced(steady(3), [0.1, 0.34, 0.9]), 0))
    assert ends.missing == ""
    assert ends.told == "EOS probability peaked at token 2: 34 %."
    ends.on = False
    assert (ends.curve, ends.told) == (None, "")
