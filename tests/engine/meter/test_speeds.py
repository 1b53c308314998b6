"""The numbers of a run, from lists of arrival times."""

import pytest

from app.engine.meter import speeds
from app.engine.types import Drafted, Finish, Reason, Times


def every(step: float, count: int, start: float = 10.0) -> list[float]:
    return [start + step * index for index in range(count)]


def test_speed_now_of_a_steady_stream_is_its_speed() -> None:
    assert speeds.speed_now(every(0.01, 500)) == pytest.approx(100)


def test_speed_now_spans_eight_tokens_or_fifteen_percent() -> None:
    before = every(0.1, 10, start=0.0)
    assert speeds.speed_now(before + every(0.01, 8, start=1.5)) == pytest.approx(100)
    waited = speeds.speed_now(before + every(0.01, 7, start=1.5))
    assert waited == pytest.approx(7 / 0.66), "the eighth came before the wait"
    assert speeds.window_tokens(118) == 18
    assert speeds.speed_now(every(0.001, 100, start=0.0) + every(0.01, 18, start=1.0)) == pytest.approx(100)


def test_speed_now_spans_at_most_a_second() -> None:
    arrivals = every(0.001, 1000) + every(0.1, 20, start=12.0)
    assert speeds.speed_now(arrivals) == pytest.approx(10, rel=0.01)


def test_speed_now_spans_at_least_two_tokens() -> None:
    assert speeds.speed_now([1.0, 2.0, 7.0]) == pytest.approx(0.2)


def test_speed_now_of_few_tokens_is_the_mean_speed() -> None:
    arrivals = [0.0, 0.02, 0.09, 0.1, 0.17, 0.31]
    for count in range(2, 7):
        seen = arrivals[:count]
        assert speeds.speed_now(seen) == speeds.mean_speed(count, seen[0], seen[-1])


@pytest.mark.parametrize("arrivals", [[], [3.0], [3.0, 3.0]])
def test_speed_now_without_time_is_none(arrivals: list[float]) -> None:
    assert speeds.speed_now(arrivals) is None


def test_speed_now_with_a_draft_model_spans_whole_steps() -> None:
    """Steps of four tokens each 40 ms; the tokens of one step come within 0.1 ms."""
    arrivals = [0.04 * step + 0.00003 * each for step in range(20) for each in range(4)]
    drafts = [1, 1, 1, 0] * 20
    for count in range(1, len(arrivals) + 1):
        found = speeds.speed_now(arrivals[:count], drafts[:count])
        assert found is None if count <= 4 else found == pytest.approx(100), count
    assert speeds.speed_now(arrivals[:4]) == pytest.approx(1 / 0.00003), "what it would be by single tokens"


def test_speed_now_in_a_wait_falls() -> None:
    arrivals = every(0.01, 200)
    assert speeds.speed_now(arrivals, now=arrivals[-1] + 0.001) == pytest.approx(100)
    assert speeds.speed_now(arrivals, now=arrivals[-1] + 9.0) == pytest.approx(1 / 9.0)


@pytest.mark.parametrize("wait", [0.001, 0.02, 0.05, 0.5, 0.99, 1.2, 9.0])
def test_speed_now_in_a_wait_is_at_most_that_of_a_token_now(wait: float) -> None:
    """So nothing jumps when it does come."""
    for count in (2, 5, 9, 200, 2_000):
        arrivals = [0.01 * index + 0.001 * (index % 7) for index in range(count)]
        usual, then = speeds.speed_now(arrivals), speeds.speed_now([*arrivals, arrivals[-1] + wait])
        assert usual is not None and then is not None
        assert speeds.speed_now(arrivals, now=arrivals[-1] + wait) == pytest.approx(min(usual, then)), count


def test_speed_now_of_the_last_tokens_is_that_of_all() -> None:
    arrivals = [0.01 * index + 0.002 * (index % 7) for index in range(1000)]
    assert speeds.speed_now(arrivals[-200:], count=1000) == pytest.approx(speeds.speed_now(arrivals))


def test_mean_speed_is_of_the_times_between_tokens() -> None:
    assert speeds.mean_speed(11, 5.0, 6.0) == pytest.approx(10)
    assert speeds.mean_speed(1, 5.0, 5.0) is None


def test_end_to_end_speed_counts_from_send() -> None:
    assert speeds.end_to_end_speed(10, 1.0, 6.0) == pytest.approx(2)
    assert speeds.end_to_end_speed(0, 1.0, 6.0) is None


def test_prefill_speed_leaves_out_the_last_prompt_token() -> None:
    assert speeds.prefill_speed(101, 0.5) == pytest.approx(200)
    assert speeds.prefill_speed(1, 0.5) is None


def test_percentiles_are_interpolated() -> None:
    assert speeds.percentile([1.0, 2.0, 3.0, 4.0], 50) == pytest.approx(2.5)
    assert speeds.percentile([7.0], 99) == 7.0
    assert speeds.percentile([0.0, 100.0], 95) == pytest.approx(95)


def test_latency_percentiles_have_the_one_slow_token_in_p99() -> None:
    gaps = speeds.gaps([*every(0.01, 100), 20.0], bytes(101))
    assert gaps is not None
    assert gaps.p50 == pytest.approx(0.01)
    assert gaps.p99 < 9.01
    assert speeds.percentile(sorted([0.01] * 99 + [9.01]), 100) == pytest.approx(9.01)


def test_latency_percentiles_with_drafts_are_between_steps() -> None:
    arrivals = [0.0, 0.001, 0.002, 1.0, 1.001, 1.002, 2.0]
    from_draft = [1, 1, 0, 1, 1, 0, 0]
    assert speeds.step_arrivals(arrivals, from_draft) == [0.0, 1.0, 2.0]
    gaps = speeds.gaps(arrivals, from_draft)
    assert gaps is not None
    assert gaps.p50 == pytest.approx(1.0)


def test_latency_percentiles_of_one_token_are_none() -> None:
    assert speeds.gaps([1.0], b"\0") is None


def test_remaining_seconds_are_from_the_speed_so_far() -> None:
    assert speeds.remaining_seconds(250, 1000, 4.0, 5.0) == pytest.approx(3)
    assert speeds.remaining_seconds(0, 1000, 4.0, 5.0) is None
    assert speeds.remaining_seconds(5, 0, 4.0, 5.0) is None


def test_stop_latency_is_from_click_to_end_of_loop() -> None:
    assert speeds.stop_latency(Times(1.0, stop_asked=3.0, ended=3.25)) == pytest.approx(0.25)
    assert speeds.stop_latency(Times(1.0, ended=3.25)) is None


def test_acceptance_and_tokens_per_step_without_proposals_are_none() -> None:
    assert speeds.acceptance(Drafted(proposed=8, accepted=6, steps=4)) == pytest.approx(0.75)
    assert speeds.acceptance(Drafted(0, 0, 4)) is None
    assert speeds.tokens_per_step(12, Drafted(8, 6, 4)) == pytest.approx(3)
    assert speeds.tokens_per_step(12, Drafted(0, 0, 0)) is None


def test_observing_share_is_of_the_time_after_the_prefill() -> None:
    times = Times(
        sent=100.0, prefill_started=101.0, prefill_ended=110.0, first_token=110.1, last_token=119.9, ended=120.0
    )
    assert speeds.observing_share(Finish(Reason.STOP, times=times, observing=0.25)) == pytest.approx(0.025)
    assert speeds.observing_share(Finish(Reason.STOP, times=times)) is None
    assert speeds.observing_share(Finish(Reason.STOPPED, times=Times(100.0, ended=102.0), observing=0.1)) == 0.05
    assert speeds.observing_share(Finish(Reason.ERROR, observing=0.1)) is None
