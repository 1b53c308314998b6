"""The curve of a kept run is the one that was drawn while it went on."""

from __future__ import annotations

from app.engine.meter.curve import kept_curve
from app.engine.meter.meter import Meter
from app.engine.types import Finish, Reason, Times
from tests.records import making

ARRIVALS = [0.5 + 0.037 * number + (0.6 if number > 40 else 0.0) for number in range(119)]


def test_it_is_the_meter_s_own() -> None:
    meter = Meter(100.0, 500, None)
    tokens = [making.token(index, "a", 100.0 + at) for index, at in enumerate(ARRIVALS)]
    for token in tokens:
        meter.fold(token)
    meter.finish(Finish(Reason.LENGTH, times=Times(100.0)))
    drawn = meter.frame(200.0).points
    kept = kept_curve(ARRIVALS, [token.from_draft for token in tokens]).points
    assert [point.tokens for point in kept] == [point.tokens for point in drawn]
    assert kept[-1].tokens == len(ARRIVALS)
    assert any(token.from_draft for token in tokens)
    assert [round(point.speed, 6) for point in kept] == [round(point.speed, 6) for point in drawn]


def test_few_tokens_have_no_curve() -> None:
    assert kept_curve([]).points == kept_curve([0.4]).points == []


def test_with_a_draft_model_the_first_point_is_no_burst() -> None:
    arrivals = [0.5 + 0.04 * step + 0.00003 * each for step in range(20) for each in range(4)]
    points = kept_curve(arrivals, [1, 1, 1, 0] * 20).points
    assert points
    assert all(99 < point.speed < 101 for point in points)
