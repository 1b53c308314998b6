import gc
from dataclasses import replace
from typing import Any

import pytest
from mlx_lm.generate import BatchGenerator

from app.engine.mlx.caches.prompt_cache import WORTH_KEEPING
from app.engine.mlx.reply import Reply
from app.engine.protocol import StopFlag
from app.engine.types import (
    KV,
    Event,
    Limits,
    Memory,
    Message,
    PromptEvent,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    Token,
    Tuning,
)
from tests.engine.mlx.asking import GREEDY, chat
from tests.engine.mlx.conftest import Player, record_passes

CLERK = Message(Role.SYSTEM, "You are a careful clerk who answers in one short sentence. " * 6)
FOX = Request(chat("Tell me a long story about a fox."), GREEDY, Limits(48), KV(reuse=False))
COUNT = replace(FOX, prompt=chat("Count 1 to 5"))


def sampled(seed: int, **values: float) -> Request:
    return replace(FOX, sampling=replace(Sampling(temperature=0.9, seed=seed), **values))  # type: ignore[arg-type]


ROWS: dict[str, tuple[Request, ...]] = {
    "greedy": (FOX, COUNT),
    "seeds": (sampled(1), sampled(2), FOX, sampled(1)),
    "filters": (sampled(3, top_p=0.8), sampled(3, top_k=5), sampled(3, min_p=0.1)),
    "top-nσ": (sampled(5, top_n_sigma=1.5), FOX, sampled(5, top_n_sigma=0.5, repetition_penalty=1.3)),
    "penalties": (
        sampled(4, xtc_probability=0.5),
        sampled(4, repetition_penalty=1.3),
        sampled(4, frequency_penalty=0.5),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_batch_rows_equal_single_runs(demo: Player, name: str) -> None:
    for row, one in zip(demo.together(*ROWS[name]), map(demo.play, ROWS[name]), strict=True):
        assert (row.ids, row.shown) == (one.ids, one.shown)
        assert (row.finish.reason, row.finish.new) == (one.finish.reason, one.finish.new)
        assert (row.finish.stop_id, row.finish.stop_text) == (one.finish.stop_id, one.finish.stop_text)


@pytest.mark.slow
def test_batch_prefills_a_common_prefix_once(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = record_passes(demo.main.module, monkeypatch)

    def clerk(words: str, reuse: bool = True) -> Request:
        return replace(sampled(4), prompt=chat(words, CLERK), kv=KV(reuse=reuse))

    def chunks() -> list[int]:
        """Return the sizes of the chunks that were prefilled for one text alone, once."""
        sizes = [tokens for _, rows, tokens in passes if rows == 1 and tokens > 1]
        passes.clear()
        return sizes

    story = replace(FOX, kv=KV(), session=1)
    demo.play(story)
    chunks()
    first = demo.together(clerk("Count 1 to 5"), clerk("Who are you?"))
    found, begun = (row.finish.reused for row in first)
    assert begun - found == sum(chunks()) > 40, "the beginning that it shares with the story was cached"
    second = demo.together(clerk("Who are you?"), clerk("A fox?"))
    assert chunks() == [], "the prefix of the last batch is reused"
    assert all(row.finish.reused >= begun for row in second)
    for row in (*first, *second):
        assert (row.prompted.reused, row.prompted.new) == (row.finish.reused, row.finish.new)
        assert row.finish.reused + row.finish.new == len(row.prompted.prompt.ids)
    assert demo.play(story).finish.reused > WORTH_KEEPING
    without = [clerk(words, reuse=False) for words in ("Count 1 to 5", "Who are you?", "A fox?")]
    alone = [demo.play(each).ids for each in without]
    assert [row.ids for row in (*first, *second)] == [alone[at] for at in (0, 1, 1, 2)]
    chunks()
    demo.together(*without)
    assert sum(chunks()) < 40, "without reuse no prefix is prefilled alone"


def test_batch_longer_than_the_precomputed_seeds_is_unchanged(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.mlx.batch.KEYS_AHEAD", 5)
    request = replace(sampled(6), limits=Limits(12))
    assert demo.together(request)[0].ids == demo.play(request).ids


@pytest.mark.slow
def test_batch_rows_have_their_own_finish_reasons(demo: Player) -> None:
    fox = demo.play(FOX)
    word = fox.text.split()[5]
    limits = (Limits(7), Limits(48, (word,)), Limits(48, (), (fox.ids[3],)))
    _, short, at_word, at_id = rows = demo.together(COUNT, *(replace(FOX, limits=each) for each in limits))
    reasons = [row.finish.reason for row in rows]
    assert reasons == [Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.STOP]
    assert (short.finish.tokens, at_id.finish.tokens) == (7, 4)
    assert (at_word.finish.stop_text, at_word.shown) == (word, fox.text[: fox.text.index(word)])


def test_batch_emits_the_events_of_a_run(demo: Player) -> None:
    row, _ = demo.together(COUNT, FOX)
    assert [type(event) for event in row.events] == [PromptEvent, *[Token] * row.finish.tokens, Memory]
    times = row.finish.times
    assert times.sent < times.first_token <= times.last_token <= times.ended
    assert [token.at for token in row.tokens] == sorted(token.at for token in row.tokens)
    assert row.memories[-1].peak > 0


def test_batch_stop_ends_all_rows_and_keeps_their_text(demo: Player) -> None:
    rows = demo.together(FOX, sampled(1), until=lambda event: isinstance(event, Token) and event.index == 9)
    assert all(row.finish.reason is Reason.STOPPED and 10 <= row.finish.tokens <= 11 for row in rows)
    assert rows[0].shown == demo.play(replace(FOX, limits=Limits(rows[0].finish.tokens))).shown


@pytest.mark.slow
@pytest.mark.parametrize("reuse", [False, True])
def test_batch_stop_in_the_prefill_reports_its_progress(demo: Player, reuse: bool) -> None:
    prompts = [RawPrompt("A fox sat there. " * 30 + end) for end in ("A", "B")]
    requests = [replace(FOX, prompt=prompt, kv=KV(reuse=reuse)) for prompt in prompts]
    for row in demo.together(*requests, until=lambda event: isinstance(event, PromptEvent)):
        assert (row.finish.reason, row.finish.reused, row.finish.new) == (Reason.STOPPED, 0, 0)
    for row in demo.together(*requests):
        assert row.finish.reused + row.finish.new == len(row.prompted.prompt.ids)


def test_batch_stop_after_a_chunk_counts_it(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, step = StopFlag(), BatchGenerator.next

    def stopping(generator: BatchGenerator) -> Any:
        stop.ask()
        return step(generator)

    monkeypatch.setattr(BatchGenerator, "next", stopping)
    demo.engine.tune(Tuning(prefill_chunk=64))  # the measured one is 16 on a busy machine, less than the prompt
    events: list[Event] = []
    finishes = demo.engine.generate_together([FOX, COUNT], [events.append] * 2, stop)
    lengths = [len(each.prompt.ids) for each in events if isinstance(each, PromptEvent)]
    assert [(each.reused, each.new) for each in finishes] == [(0, length - 1) for length in lengths]


@pytest.mark.parametrize(
    "changes",
    [
        {"kv": KV(enabled=False)},
        {"kv": KV(bits=8)},
        {"draft_tokens": 2},
        {"sampling": Sampling(top_p=7)},
    ],
)
def test_batch_with_an_unsupported_request_is_refused(demo: Player, changes: dict[str, Any]) -> None:
    for row in demo.together(FOX, replace(FOX, **changes)):
        assert row.finish.reason is Reason.ERROR
        assert row.finish.failure is not None and row.finish.failure.todo


@pytest.mark.parametrize("changes", [{}, {"repetition_penalty": 1.3}])
def test_batch_records_the_logprobs_of_each_row(player: Player, changes: dict[str, Any]) -> None:
    """The biased logits of the whole vocabulary are recorded, as in a single run."""
    sampling = replace(GREEDY, **changes)
    rows = [Request(RawPrompt(text), sampling, Limits(6), KV(reuse=False), observe=3) for text in ("Once upon", "A")]
    for together, request in zip(player.together(*rows), rows, strict=True):
        alone = player.play(request)
        assert together.ids == alone.ids
        ours, theirs = ([each.chosen.raw_logit for each in run.logprobs] for run in (together, alone))
        assert ours == pytest.approx(theirs, abs=1e-4)
        assert together.chosen_logprobs == pytest.approx(alone.chosen_logprobs, abs=1e-4)


@pytest.mark.parametrize("together", [False, True])
def test_prefill_step_of_a_request_divides_the_prompt(
    player: Player, monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    passes = record_passes(player.main.module, monkeypatch)
    request = Request(RawPrompt("word " * 40), limits=Limits(1), kv=KV(reuse=False), prefill_step=16)
    _ = player.together(request, request) if together else player.play(request)
    sizes = [tokens for _, _, tokens in passes]
    assert max(sizes) == 16 and sizes.count(16) > 1


def test_batch_is_freed_without_garbage_collection(demo: Player) -> None:
    gc.collect()
    gc.disable()
    try:
        demo.together(FOX, COUNT)
        demo.play(COUNT)
        assert not [each for each in gc.get_objects() if type(each) is Reply]
    finally:
        gc.enable()
