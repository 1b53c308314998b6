"""The curve of a kept run is the one that was drawn while it went on."""

from __future__ import annotations

from app.engine.curve import speed_curve
from app.engine.meter import Meter
from app.engine.types import Finish, Reason, Times
from tests.records import making

ARRIVALS = [0.5 + 0.037 * number + (0.6 if number > 40 else 0.0) for number in range(119)]


def test_it_is_the_meter_s_own() -> None:
    meter = Meter(100.0, 500, None)
    for index, at in enumerate(ARRIVALS):
        meter.fold(making.token(index, "a", 100.0 + at))
    meter.finish(Finish(Reason.LENGTH, times=Times(100.0)))
    drawn = meter.frame(200.0).points
    kept = speed_curve(ARRIVALS)
    assert [point.tokens for point in kept] == [point.tokens for point in drawn]
    assert kept[-1].tokens == len(ARRIVALS)
    assert [round(point.speed, 6) for point in kept] == [round(point.speed, 6) for point in drawn]


def test_few_tokens_have_no_curve() -> None:
    assert speed_curve([]) == speed_curve([0.4]) == ()
