"""Stalls, jumps of the clock and quick hands, in short."""

import pytest

from app.state import Phase
from tests.faults import leaving, moments
from tests.faults.cycles import cycled

pytestmark = pytest.mark.usefixtures("qapp")


def test_what_stalls_or_takes_long_can_be_stopped() -> None:
    assert moments.stalled().lost == ()
    assert moments.slow_prefill().lost == ()


@pytest.mark.parametrize("by", [-moments.YEAR_S, moments.YEAR_S], ids=["back", "forth"])
def test_the_clock_may_jump(by: float) -> None:
    assert moments.clock_jumped(by).lost == ()


def test_the_lid_may_be_closed() -> None:
    assert moments.slept().lost == ()


def test_starts_and_stops_leave_nothing_behind() -> None:
    assert cycled(300).lost == ()


def test_quick_hands() -> None:
    assert moments.stopped_often().lost == ()
    assert moments.sent_during_load().lost == ()


@pytest.mark.parametrize("phase", [Phase.LOADING, Phase.GENERATING], ids=lambda phase: phase.value)
def test_whoever_quits_loses_nothing(phase: Phase) -> None:
    assert leaving.quit_in(phase, 1).lost == ()


def test_whoever_quits_without_a_model_or_in_an_experiment_loses_nothing() -> None:
    assert leaving.quit_without_a_model().lost == ()
    assert leaving.quit_in_an_experiment(2).lost == ()


def test_two_windows_on_one_folder() -> None:
    assert moments.two_at_once().lost == ()
