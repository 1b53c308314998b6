import sys
from collections import deque
from dataclasses import replace

import pytest

from app.engine.meter.meter import LEAST_DELAY_S, ContextUse, Meter
from app.engine.types import (
    ENDLESS,
    Channel,
    ExactPrompt,
    Finish,
    Loading,
    Memory,
    NetworkTiming,
    Prefill,
    PromptEvent,
    Reason,
    Times,
    Token,
    VisibleText,
)

SENT = 100.0


def prompted(length: int, reused: int = 0, opens_reasoning: bool = False) -> PromptEvent:
    prompt = ExactPrompt("x" * length, tuple(range(length)), (), (), opens_reasoning=opens_reasoning)
    return PromptEvent(prompt, reused, length - reused)


def token(
    index: int, at: float, text: str = "a", voice: Channel | None = Channel.NORMAL, from_draft: bool = False
) -> Token:
    return Token(index, 7, text, () if voice is None else (VisibleText(voice, text),), at, from_draft)


def running(count: int, step: float = 0.01, context: int | None = 1000) -> Meter:
    meter = Meter(SENT, 200, context)
    meter.fold(prompted(40))
    for index in range(count):
        meter.fold(token(index, SENT + 1 + index * step))
    return meter


def ended(meter: Meter, tokens: int, **changes: object) -> Finish:
    times = Times(SENT, SENT + 0.5, SENT + 0.9, SENT + 1, SENT + 2, ended=SENT + 2.5)
    finish = replace(Finish(Reason.STOP, tokens=tokens, times=times, reused=0, new=40), **changes)  # type: ignore[arg-type]
    meter.finish(finish)
    return finish


def test_frame_has_new_text_once_joined_by_channel() -> None:
    meter = Meter(SENT, 100, None)
    for index, (text, voice) in enumerate(
        [("a", Channel.REASONING), ("b", Channel.REASONING), ("c", Channel.NORMAL), ("d", Channel.NORMAL)]
    ):
        meter.fold(token(index, SENT + index, text, voice))
    frame = meter.frame(SENT + 4)
    assert frame.shown == (VisibleText(Channel.REASONING, "ab"), VisibleText(Channel.NORMAL, "cd"))
    assert [each.text for each in frame.tokens] == ["a", "b", "c", "d"]
    again = meter.frame(SENT + 5)
    assert not again.shown and not again.tokens


def test_finish_releases_text_after_the_last_token() -> None:
    meter = running(1)
    ended(meter, 1, released=(VisibleText(Channel.NORMAL, "</"),))
    assert meter.frame(SENT + 3).shown == (VisibleText(Channel.NORMAL, "a</"),)


def test_figures_of_a_steady_run_have_its_speed() -> None:
    metrics = running(101).frame(SENT + 2).metrics
    assert metrics.first_token == pytest.approx(1.0)
    assert metrics.speed_now == pytest.approx(100)
    assert metrics.speed_mean == pytest.approx(100)
    assert metrics.end_to_end == pytest.approx(101 / 2)
    assert metrics.elapsed == pytest.approx(2.0)
    assert metrics.tokens == 101
    before = Meter(SENT, 100, None).frame(SENT + 3).metrics
    assert (before.first_token, before.speed_now, before.speed_mean, before.elapsed) == (None, None, None, 3)


def test_elapsed_after_the_finish_does_not_grow() -> None:
    meter = running(10)
    ended(meter, 10)
    assert meter.frame(SENT + 60).metrics.elapsed == pytest.approx(2.5)
    assert meter.summary().figures.speed_now == pytest.approx(100)


def test_points_are_timed_by_arrival_at_most_fifty_a_second() -> None:
    meter = running(1001, step=0.001)
    points = meter.frame(SENT + 2).points
    assert 47 <= len(points) <= 51
    assert points[1].seconds - points[0].seconds == pytest.approx(0.02, abs=0.002)
    assert points[-1].speed == pytest.approx(1000, rel=0.01)
    assert meter.frame(SENT + 2).points == ()


FRAME_S = 0.033


@pytest.mark.parametrize("at_a_time", [1_000, 7])
@pytest.mark.parametrize("together", [1, 10, 100])
@pytest.mark.parametrize("speed", [15, 400])
def test_points_of_tokens_in_groups_show_no_wait(speed: int, together: int, at_a_time: int) -> None:
    meter, due, here = Meter(SENT, 1_000, None), deque(token(index, SENT + index / speed) for index in range(400)), 0
    shown: list[float] = []
    points: list[float] = []
    now = SENT + FRAME_S / 2
    while due:
        made = here + sum(each.at <= now for each in due)
        ready = made if made == 400 else made - made % together
        for _ in range(min(ready - here, max(at_a_time, round(2 * speed * FRAME_S)))):
            meter.fold(due.popleft())
            here += 1
        frame = meter.frame(now)
        shown += [frame.metrics.speed_now] if frame.metrics.speed_now is not None else []
        points += [point.speed for point in frame.points]
        now += FRAME_S
    assert min(shown) == pytest.approx(speed, rel=0.01)
    assert min(points) == pytest.approx(speed, rel=0.01)


def test_points_after_a_late_frame_show_the_next_pause_at_once() -> None:
    meter = running(101)
    meter.frame(SENT + 2)
    for number in range(101, 601):
        meter.fold(token(number, SENT + 1 + number * 0.01))
    assert meter.frame(SENT + 7).metrics.speed_now == pytest.approx(100)
    assert meter.frame(SENT + 8 + LEAST_DELAY_S).metrics.speed_now == pytest.approx(1, rel=0.02)


def test_points_end_with_the_last_token() -> None:
    meter = running(7)
    points = meter.frame(SENT + 1.07).points
    ended(meter, 7)
    frame = meter.frame(SENT + 2)
    assert points[-1].tokens < 7
    assert [(point.tokens, point.speed) for point in frame.points] == [(7, frame.metrics.speed_mean)]
    pointed = running(2, step=0.5)
    assert [point.tokens for point in pointed.frame(SENT + 2).points] == [2]
    ended(pointed, 2)
    assert pointed.frame(SENT + 3).points == ()


def test_prefill_progress_has_the_remaining_seconds() -> None:
    meter = Meter(SENT, 100, 2048)
    meter.fold(prompted(1100, reused=100))
    meter.fold(Prefill(0, 1000, SENT + 1))
    meter.fold(Prefill(250, 1000, SENT + 2))
    frame = meter.frame(SENT + 2)
    assert frame.prefill is not None
    assert (frame.prefill.done, frame.prefill.total, frame.prefill.reused) == (250, 999, 100)
    assert frame.prefill.remaining == pytest.approx(3, rel=0.01) and frame.prefill_ended is None
    assert frame.prefill.started == pytest.approx(1)
    assert frame.context == ContextUse(350, 850, 2048)
    assert frame.metrics.prompt_speed is None, "of a part it would be another number than at the end"
    assert not frame.prefill.again
    meter.fold(replace(prompted(1000), stuck=True))
    progress = meter.frame(SENT + 2).prefill
    assert progress is not None and progress.again
    meter.fold(Prefill(999, 1000, SENT + 2.9))
    assert meter.frame(SENT + 3).prefill_ended == pytest.approx(2.9), "the first decode step has begun"
    meter.fold(Prefill(1000, 1000, SENT + 3.1))
    meter.fold(token(0, SENT + 3.1))
    frame = meter.frame(SENT + 3.2)
    assert (frame.prefill, frame.metrics.prompt_speed) == (None, None)
    assert frame.prefill_ended == meter.so_far(SENT + 4)[0].prefill_ended == pytest.approx(2.9)


def test_prefill_speed_is_from_the_engine_s_finish() -> None:
    meter = running(2)
    ended(meter, 2)
    summary = meter.summary()
    assert summary.prefill_seconds == pytest.approx(0.4)
    assert summary.figures.prompt_speed == pytest.approx(39 / 0.4)


def test_context_has_used_and_reserved_tokens_within_the_length() -> None:
    assert running(10).frame(SENT).context == ContextUse(50, 190, 1000)
    assert running(10, context=100).frame(SENT).context == ContextUse(50, 50, 100)
    assert running(10, context=None).frame(SENT).context == ContextUse(50, 190, None)
    endless = Meter(SENT, ENDLESS, 1000)
    endless.fold(prompted(40))
    assert endless.frame(SENT).context == ContextUse(0, 1000, 1000), "nothing is read yet"
    endless.fold(token(0, SENT + 1))
    assert endless.frame(SENT + 1).context == ContextUse(41, 959, 1000)
    assert Meter(SENT, 100, 1000).frame(SENT).context is None


def test_context_after_the_finish_has_only_the_processed_tokens() -> None:
    finished = running(10)
    ended(finished, 10)
    assert finished.frame(SENT).context == ContextUse(50, 0, 1000)
    meter = Meter(SENT, 100, 1000)
    meter.fold(prompted(400))
    ended(meter, 0, reason=Reason.STOPPED, new=64)
    assert meter.frame(SENT).context == ContextUse(64, 0, 1000)


def test_frame_has_memory_and_prompt_once() -> None:
    meter = running(1)
    first, last = Memory(1, 2, 3, 4, 5, 6), Memory(2, 2, 3, 4, 5, 6)
    meter.fold(first)
    meter.fold(last)
    frame = meter.frame(SENT)
    assert (frame.memory, frame.prompted) == (last, prompted(40))
    again = meter.frame(SENT)
    assert (again.memory, again.prompted) == (None, None)


@pytest.mark.parametrize(("ending", "visible"), [({"stop_id": 7}, 9), ({"stop_at": 6, "stop_text": "aa"}, 6)])
def test_visible_tokens_leave_out_eos_token_and_stop_string(ending: dict[str, object], visible: int) -> None:
    meter = running(10)
    ended(meter, 10, **ending)
    metrics = meter.summary().figures
    assert (metrics.tokens, metrics.visible, list(meter.ids)) == (10, visible, [7] * 10)


def test_reasoning_opened_by_the_template_is_counted() -> None:
    meter = Meter(SENT, 100, None)
    meter.fold(prompted(4, opens_reasoning=True))
    meter.fold(token(0, SENT, "", None))
    meter.fold(token(1, SENT, "hm", Channel.REASONING))
    meter.fold(token(2, SENT, "so", Channel.NORMAL))
    meter.fold(token(3, SENT, "", None))
    assert meter.frame(SENT).metrics.reasoning == 2


def test_meter_keeps_a_few_bytes_for_each_token() -> None:
    meter = running(0)
    for index in range(20_000):
        meter.fold(token(index, SENT + index * 0.001))
        if index % 100 == 99:
            meter.frame(SENT)
    kept = sum(sys.getsizeof(value) for value in vars(meter).values())
    assert kept / 20_000 < 64


def pieces(*channels: Channel) -> Meter:
    """Return the meter of a server's answer: a piece of text each second."""
    meter = Meter(sent=0.0, max_tokens=8, context=64)
    meter.fold(PromptEvent(ExactPrompt("Hi", (), (), ()), 0, 0))
    for index, channel in enumerate(channels):
        meter.fold(Token(index, -1, "a", (VisibleText(channel, "a", index),), 1.0 + index))
    return meter


def test_figures_of_uncounted_pieces_have_no_speed() -> None:
    meter = pieces(*[Channel.NORMAL] * 3)
    meter.finish(Finish(Reason.STOP, tokens=3, times=Times(0.0, ended=4.0), wire=NetworkTiming(pieces=3, whole=True)))
    summary = meter.summary()
    assert summary.figures.pieces and summary.figures.speed_mean is summary.figures.end_to_end is None
    assert (summary.gaps, summary.context) == (None, None)


@pytest.mark.parametrize(
    ("tokens", "reason", "visible"),
    [(3, Reason.LENGTH, 3), (4, Reason.STOP, 3), (4, Reason.LENGTH, None), (15, Reason.STOP, None)],
)
def test_figures_of_counted_pieces_have_visible_tokens_only_where_each_is_a_token(
    tokens: int, reason: Reason, visible: int | None
) -> None:
    meter = pieces(Channel.REASONING, Channel.REASONING, Channel.NORMAL)
    metrics = meter.frame(3.0).metrics
    assert (metrics.tokens, metrics.pieces, metrics.thought) == (3, True, 0)
    times = Times(0.0, first_token=1.0, last_token=3.0, ended=4.5)
    counted = NetworkTiming(pieces=3, counted=True)
    meter.finish(Finish(reason, tokens=tokens, times=times, reused=5, new=2, wire=counted))
    summary = meter.summary()
    metrics = summary.figures
    assert (metrics.tokens, metrics.visible, metrics.pieces) == (tokens, visible, False)
    assert (metrics.thought, metrics.speed_now) == ((2, 1.0) if visible else (0, None))
    assert metrics.speed_mean == (tokens - 1) / 2
    assert summary.context is not None and summary.context.used == 7 + tokens


def test_prefill_progress_before_the_prompt_has_the_stage() -> None:
    meter = Meter(SENT, 100, None)
    assert meter.frame(SENT).prefill is None
    meter.fold(Loading("Compiling the output format", 0, 0))
    told = meter.frame(SENT).prefill
    assert told is not None and told.stage == "Compiling the output format"
    meter.fold(prompted(40))
    assert meter.frame(SENT).prefill is None
