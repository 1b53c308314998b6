"""Rates are arithmetic on counts."""

import pytest

from app.library.job import Flow


def test_a_steady_flow() -> None:
    flow = Flow(1_000, 0.0)
    for second in range(1, 21):
        flow.count(1_000 + 500 * second, float(second))
    assert flow.rate(20.0) == pytest.approx(500)
    assert not flow.stalled(20.0)


def test_what_was_here_before_has_not_arrived_now() -> None:
    flow = Flow(10**9, 0.0)
    assert flow.rate(1.0) == 0.0
    flow.count(10**9 + 100, 2.0)
    assert flow.rate(2.0) == pytest.approx(50)


def test_it_falls_to_nothing_when_nothing_arrives() -> None:
    flow = Flow(0, 0.0)
    flow.count(1_000, 1.0)
    rates = [flow.rate(moment) for moment in (1.0, 3.0, 5.0, 6.5, 60.0)]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] > 0.0 == rates[-1] == rates[-2]
    assert [flow.stalled(moment) for moment in (1.0, 3.9, 4.0)] == [False, False, True]


def test_a_file_that_is_begun_anew_is_no_negative_rate() -> None:
    flow = Flow(0, 0.0)
    flow.count(1_000, 1.0)
    flow.count(0, 2.0)
    assert flow.rate(2.0) == 0.0


def test_the_first_moment_is_no_burst() -> None:
    flow = Flow(0, 0.0)
    flow.count(1_000, 0.001)
    assert flow.rate(0.001) == 1_000
