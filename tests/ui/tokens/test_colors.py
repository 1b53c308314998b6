import math

import pytest

from app.engine.meter.trace import Origin, Trace
from app.engine.types import Token, TokenLogprobs
from app.ui.tokens.colors import (
    DRAFT,
    LEVELS,
    PLAIN,
    USER,
    Coloring,
    Scale,
    strength_of,
    tone_of,
    top_gap,
)
from tests.ui.tokens.answers import forbidding, observed


def trace_of(*arrivals: float, observed: TokenLogprobs | None = None) -> Trace:
    trace = Trace()
    trace.begin_run()
    trace.extend([Token(at, at, "a", (), when, False, observed) for at, when in enumerate(arrivals)])
    return trace


def test_strength_matches_the_definitions() -> None:
    half = trace_of(0.0, observed=observed(0.5, 2 * math.log(2)))
    assert strength_of(half, 0, Scale(Coloring.PROBABILITY)) == pytest.approx(0.5)
    assert strength_of(half, 0, Scale(Coloring.SURPRISE)) == pytest.approx(1 / 10)
    assert strength_of(half, 0, Scale(Coloring.ENTROPY)) == pytest.approx(2 / 8)
    rare = trace_of(0.0, observed=observed(1e-9))
    assert tone_of(rare, 0, Scale(Coloring.SURPRISE)) == LEVELS - 1
    assert tone_of(rare, 0, Scale(Coloring.PROBABILITY)) == LEVELS - 1
    sure = trace_of(0.0, observed=observed(1.0))
    assert {tone_of(sure, 0, Scale(each)) for each in (Coloring.PROBABILITY, Coloring.SURPRISE)} == {0}


def test_strength_of_an_unknown_value_is_none() -> None:
    trace = trace_of(0.0, 0.1)
    assert tone_of(trace, 0, Scale(Coloring.PROBABILITY)) == PLAIN
    assert tone_of(trace, 0, Scale(Coloring.GAP, 0.1)) == PLAIN, "the first token has none before it"
    assert tone_of(trace, 1, Scale(Coloring.GAP)) == PLAIN, "there is no scale yet"
    assert tone_of(trace, 1, Scale(Coloring.NONE)) == PLAIN


def test_top_gap_is_the_rounded_p99() -> None:
    trace = trace_of(*(0.004 * at for at in range(300)))
    assert top_gap(trace) == pytest.approx(0.005)
    assert tone_of(trace, 5, Scale(Coloring.GAP, 0.005)) == int(LEVELS * 0.8)
    assert top_gap(trace_of(0.0)) is None
    assert top_gap(Trace()) is None
    assert top_gap(trace_of(0.0, 0.002)) == pytest.approx(0.002), "what is round stays as it is"


def test_tones_of_origins_differ() -> None:
    trace = Trace()
    trace.begin_run()
    for origin in (Origin.MODEL, Origin.DRAFT, Origin.USER):
        trace.extend([Token(0, 1, "a", (), 0.0)], origin)
    assert [tone_of(trace, position, Scale(Coloring.ORIGIN)) for position in range(3)] == [PLAIN, DRAFT, USER]


def test_strength_of_ruled_out_probability_is_its_share() -> None:
    scale = Scale(Coloring.FORBIDDEN)
    assert strength_of(trace_of(0.0, observed=forbidding(0.75, 0.5)), 0, scale) == 0.75
    assert tone_of(trace_of(0.0, observed=observed(0.5)), 0, scale) == PLAIN, "no form held"
