"""The numbers of a run, from lists of arrival times."""

import pytest

from app.engine.meter import speeds
from app.engine.types import Drafted, Finish, Reason, Times


def every(step: float, count: int, start: float = 10.0) -> list[float]:
    return [start + step * index for index in range(count)]


def test_speed_now_of_a_steady_stream_is_its_speed() -> None:
    assert speeds.speed_now(every(0.01, 500)) == pytest.approx(100)


def test_speed_now_is_of_the_last_eight_tokens_or_of_the_last_fifteen_in_a_hundred() -> None:
    before = every(0.1, 10, start=0.0)
    assert speeds.speed_now(before + every(0.01, 8, start=1.5)) == pytest.approx(100)
    waited = speeds.speed_now(before + every(0.01, 7, start=1.5))
    assert waited == pytest.approx(7 / 0.66), "the eighth came before the wait"
    assert speeds.reach(118) == 18
    assert speeds.speed_now(every(0.001, 100, start=0.0) + every(0.01, 18, start=1.0)) == pytest.approx(100)


def test_speed_now_forgets_what_is_older_than_a_second() -> None:
    arrivals = every(0.001, 1000) + every(0.1, 20, start=12.0)
    assert speeds.speed_now(arrivals) == pytest.approx(10, rel=0.01)


def test_speed_now_uses_two_tokens_when_the_last_second_holds_one() -> None:
    assert speeds.speed_now([1.0, 2.0, 7.0]) == pytest.approx(0.2)


def test_speed_now_and_mean_are_one_number_while_both_are_of_all_tokens() -> None:
    arrivals = [0.0, 0.02, 0.09, 0.1, 0.17, 0.31]
    for count in range(2, 7):
        seen = arrivals[:count]
        assert speeds.speed_now(seen) == speeds.mean_speed(count, seen[0], seen[-1])


@pytest.mark.parametrize("arrivals", [[], [3.0], [3.0, 3.0]])
def test_there_is_no_speed_without_time_between_two_tokens(arrivals: list[float]) -> None:
    assert speeds.speed_now(arrivals) is None


def test_with_a_draft_model_speed_now_is_over_whole_steps() -> None:
    """Steps of four tokens each 40 ms; the tokens of one step come within 0.1 ms."""
    arrivals = [0.04 * step + 0.00003 * each for step in range(20) for each in range(4)]
    drafts = [1, 1, 1, 0] * 20
    for count in range(1, len(arrivals) + 1):
        found = speeds.speed_now(arrivals[:count], drafts[:count])
        assert found is None if count <= 4 else found == pytest.approx(100), count
    assert speeds.speed_now(arrivals[:4]) == pytest.approx(1 / 0.00003), "what it would be by single tokens"


def test_a_wait_lowers_speed_now() -> None:
    arrivals = every(0.01, 200)
    assert speeds.speed_now(arrivals, now=arrivals[-1] + 0.001) == pytest.approx(100)
    assert speeds.speed_now(arrivals, now=arrivals[-1] + 9.0) == pytest.approx(1 / 9.0)


@pytest.mark.parametrize("wait", [0.001, 0.02, 0.05, 0.5, 0.99, 1.2, 9.0])
def test_in_a_wait_it_is_no_more_than_if_the_token_came_at_once(wait: float) -> None:
    """So nothing jumps when it does come."""
    for count in (2, 5, 9, 200, 2_000):
        arrivals = [0.01 * index + 0.001 * (index % 7) for index in range(count)]
        usual, then = speeds.speed_now(arrivals), speeds.speed_now([*arrivals, arrivals[-1] + wait])
        assert usual is not None and then is not None
        assert speeds.speed_now(arrivals, now=arrivals[-1] + wait) == pytest.approx(min(usual, then)), count


def test_the_last_tokens_alone_are_enough() -> None:
    arrivals = [0.01 * index + 0.002 * (index % 7) for index in range(1000)]
    assert speeds.speed_now(arrivals[-200:], count=1000) == pytest.approx(speeds.speed_now(arrivals))


def test_mean_speed_counts_the_gaps() -> None:
    assert speeds.mean_speed(11, 5.0, 6.0) == pytest.approx(10)
    assert speeds.mean_speed(1, 5.0, 5.0) is None


def test_end_to_end_speed_counts_from_send() -> None:
    assert speeds.end_to_end_speed(10, 1.0, 6.0) == pytest.approx(2)
    assert speeds.end_to_end_speed(0, 1.0, 6.0) is None


def test_prompt_speed_leaves_the_last_prompt_token_to_the_decode() -> None:
    assert speeds.prompt_speed(101, 0.5) == pytest.approx(200)
    assert speeds.prompt_speed(1, 0.5) is None


def test_percentiles_are_interpolated() -> None:
    assert speeds.percentile([1.0, 2.0, 3.0, 4.0], 50) == pytest.approx(2.5)
    assert speeds.percentile([7.0], 99) == 7.0
    assert speeds.percentile([0.0, 100.0], 95) == pytest.approx(95)


def test_gaps_see_the_one_slow_token() -> None:
    gaps = speeds.gaps([*every(0.01, 100), 20.0], bytes(101))
    assert gaps is not None
    assert gaps.p50 == pytest.approx(0.01)
    assert gaps.p99 < 9.01
    assert speeds.percentile(sorted([0.01] * 99 + [9.01]), 100) == pytest.approx(9.01)


def test_with_drafts_the_gaps_lie_between_steps() -> None:
    arrivals = [0.0, 0.001, 0.002, 1.0, 1.001, 1.002, 2.0]
    from_draft = [1, 1, 0, 1, 1, 0, 0]
    assert speeds.step_arrivals(arrivals, from_draft) == [0.0, 1.0, 2.0]
    gaps = speeds.gaps(arrivals, from_draft)
    assert gaps is not None
    assert gaps.p50 == pytest.approx(1.0)


def test_no_gaps_for_one_token() -> None:
    assert speeds.gaps([1.0], b"\0") is None


def test_the_rest_of_a_prefill_is_foreseen_from_its_speed() -> None:
    assert speeds.remaining_seconds(250, 1000, 4.0, 5.0) == pytest.approx(3)
    assert speeds.remaining_seconds(0, 1000, 4.0, 5.0) is None
    assert speeds.remaining_seconds(5, 0, 4.0, 5.0) is None


def test_stop_latency_is_from_the_click_to_the_end_of_the_loop() -> None:
    assert speeds.stop_latency(Times(1.0, stop_asked=3.0, ended=3.25)) == pytest.approx(0.25)
    assert speeds.stop_latency(Times(1.0, ended=3.25)) is None


def test_draft_figures() -> None:
    assert speeds.acceptance(Drafted(proposed=8, accepted=6, steps=4)) == pytest.approx(0.75)
    assert speeds.acceptance(Drafted(0, 0, 4)) is None
    assert speeds.tokens_per_step(12, Drafted(8, 6, 4)) == pytest.approx(3)
    assert speeds.tokens_per_step(12, Drafted(0, 0, 0)) is None


def test_the_cost_of_observing_is_a_share_of_what_can_be_observed() -> None:
    times = Times(
        sent=100.0, prefill_started=101.0, prefill_ended=110.0, first_token=110.1, last_token=119.9, ended=120.0
    )
    assert speeds.observing_share(Finish(Reason.STOP, times=times, observing=0.25)) == pytest.approx(0.025)
    assert speeds.observing_share(Finish(Reason.STOP, times=times)) is None
    assert speeds.observing_share(Finish(Reason.STOPPED, times=Times(100.0, ended=102.0), observing=0.1)) == 0.05
    assert speeds.observing_share(Finish(Reason.ERROR, observing=0.1)) is None
