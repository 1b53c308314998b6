"""A batch generates row by row what each request generates alone, with every finish reason."""

import gc
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx.nn.layers.base import Module
from mlx_lm.generate import BatchGenerator

from app.engine.mlx.batch import BatchRun
from app.engine.mlx.caches.cache import WORTH_KEEPING
from app.engine.mlx.reply import Reply
from app.engine.protocol import BatchEngine, StopFlag
from app.engine.types import (
    KV,
    ChatPrompt,
    Event,
    Finish,
    Limits,
    Memory,
    Message,
    Prompted,
    RawPrompt,
    Reason,
    Request,
    Role,
    Sampling,
    Token,
    Tuning,
)
from tests.engine.mlx.conftest import Open, Played, Player

FOX = Request(
    ChatPrompt((Message(Role.USER, "Tell me a long story about a fox."),)),
    Sampling(temperature=0),
    Limits(48),
    KV(reuse=False),
)
COUNT = replace(FOX, prompt=ChatPrompt((Message(Role.USER, "Count 1 to 5"),)))


@pytest.fixture
def demo(open_model: Open, demo_model: Path) -> Player:
    return open_model(demo_model)


@dataclass
class Batch:
    """All events of a batch, by row."""

    rows: list[Played]

    @property
    def finishes(self) -> list[Finish]:
        return [row.finish for row in self.rows]


def together(player: Player, *requests: Request, until: Callable[[Event], bool] | None = None) -> Batch:
    stop = StopFlag()
    events: list[list[Event]] = [[] for _ in requests]

    def taker(row: list[Event]) -> Callable[[Event], None]:
        def take(event: Event) -> None:
            row.append(event)
            if until is not None and until(event):
                stop.ask()

        return take

    engine: BatchEngine = player.engine
    assert player.model.can.batch
    finishes = engine.generate_together(requests, [taker(row) for row in events], stop)
    return Batch([Played(finish, row) for finish, row in zip(finishes, events, strict=True)])


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
def test_batch_rows_have_the_tokens_of_single_runs(demo: Player, name: str) -> None:
    requests = ROWS[name]
    alone = [demo.play(request) for request in requests]
    batch = together(demo, *requests)
    assert [row.ids for row in batch.rows] == [one.ids for one in alone]
    assert [row.shown for row in batch.rows] == [one.shown for one in alone]
    assert [each.reason for each in batch.finishes] == [one.finish.reason for one in alone]
    assert [(each.stop_id, each.stop_text, each.new) for each in batch.finishes] == [
        (one.finish.stop_id, one.finish.stop_text, one.finish.new) for one in alone
    ]


@pytest.mark.slow
def test_batch_prefills_a_common_prefix_once(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    usual = BatchRun._prefix_cache

    def counted(batch: BatchRun, ids: list[int]) -> list[object]:
        read.append(len(ids))
        return usual(batch, ids)

    monkeypatch.setattr(BatchRun, "_prefix_cache", counted)
    system = Message(Role.SYSTEM, "You are a careful clerk who answers in one short sentence. " * 6)
    asked = [Message(Role.USER, words) for words in ("Count 1 to 5", "Who are you?", "A fox?")]
    requests = [replace(sampled(4), prompt=ChatPrompt((system, each)), kv=KV()) for each in asked]
    alone = [demo.play(replace(request, kv=KV(reuse=False))) for request in requests]
    assert [row.ids for row in together(demo, *requests).rows] == [one.ids for one in alone]
    assert len(read) == 1 and read[0] > 40
    together(demo, *(replace(request, kv=KV(reuse=False)) for request in requests))
    assert len(read) == 1, "not where the cache is not to be used again"


@pytest.mark.slow
def test_batch_reuses_the_prefix_of_the_last_one(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    assert demo.engine._main is not None
    kind = type(demo.engine._main.module)
    usual, read = kind.__call__, list[int]()

    def counted(module: Module, tokens: mx.array, *given: Any, **named: Any) -> mx.array:
        if tokens.shape[0] == 1 and tokens.shape[1] > 1:
            read.append(tokens.shape[1])
        found: mx.array = usual(module, tokens, *given, **named)
        return found

    monkeypatch.setattr(kind, "__call__", counted)
    system = Message(Role.SYSTEM, "You are a careful clerk who answers in one short sentence. " * 6)

    def asked(words: str, reuse: bool = True) -> Request:
        return replace(sampled(4), prompt=ChatPrompt((system, Message(Role.USER, words))), kv=KV(reuse=reuse))

    story = replace(FOX, kv=KV(), session=1)
    demo.play(story)
    read.clear()
    first = together(demo, asked("Count 1 to 5"), asked("Who are you?"))
    assert sum(read) > 40
    found, begun = (each.reused for each in first.finishes)
    assert begun - found == sum(read), "read for the first row, but for what the story begins with, too"
    read.clear()
    second = together(demo, asked("Who are you?"), asked("A fox?"))
    assert read == [], "what they begin with is there"
    assert all(each.reused >= begun for each in second.finishes)
    for row in (*first.rows, *second.rows):
        (prompted,) = (event for event in row.events if isinstance(event, Prompted))
        assert (prompted.reused, prompted.new) == (row.finish.reused, row.finish.new)
        assert row.finish.reused + row.finish.new == len(prompted.prompt.ids)
    assert demo.play(story).finish.reused > WORTH_KEEPING
    alone = [demo.play(asked(words, reuse=False)).ids for words in ("Count 1 to 5", "Who are you?", "A fox?")]
    assert [row.ids for row in (*first.rows, *second.rows)] == [alone[at] for at in (0, 1, 1, 2)]


def test_batch_longer_than_the_precomputed_seeds_is_unchanged(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.mlx.batch.KEYS_AHEAD", 5)
    request = replace(sampled(6), limits=Limits(12))
    assert together(demo, request).rows[0].ids == demo.play(request).ids


@pytest.mark.slow
def test_batch_rows_have_their_own_finish_reasons(demo: Player) -> None:
    said = demo.play(FOX).text
    word = said.split()[5]
    ended = together(
        demo,
        COUNT,
        replace(FOX, limits=Limits(7)),
        replace(FOX, limits=Limits(48, (word,))),
        replace(FOX, limits=Limits(48, (), (demo.play(FOX).ids[3],))),
    )
    reasons = [each.reason for each in ended.finishes]
    assert reasons == [Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.STOP]
    assert [each.tokens for each in ended.finishes][1] == 7
    assert ended.finishes[2].stop_text == word
    assert ended.rows[2].shown == said[: said.index(word)]
    assert ended.finishes[3].tokens == 4


def test_batch_emits_the_events_of_a_run(demo: Player) -> None:
    row = together(demo, COUNT, FOX).rows[0]
    assert [type(event) for event in row.events] == [Prompted, *[Token] * row.finish.tokens, Memory]
    times = row.finish.times
    assert times.sent < times.first_token <= times.last_token <= times.ended
    assert [token.at for token in row.tokens] == sorted(token.at for token in row.tokens)
    assert row.memories[-1].peak > 0


def test_batch_stop_ends_all_rows_and_keeps_their_text(demo: Player) -> None:
    stopped = together(demo, FOX, sampled(1), until=lambda event: isinstance(event, Token) and event.index == 9)
    assert [each.reason for each in stopped.finishes] == [Reason.STOPPED] * 2
    assert all(10 <= each.tokens <= 11 for each in stopped.finishes)
    assert stopped.rows[0].shown == demo.play(replace(FOX, limits=Limits(stopped.finishes[0].tokens))).shown


@pytest.mark.slow
@pytest.mark.parametrize("reuse", [False, True])
def test_batch_stop_in_the_prefill_reports_its_progress(demo: Player, reuse: bool) -> None:
    requests = [
        replace(FOX, prompt=RawPrompt("A fox sat there. " * 30 + end), kv=KV(reuse=reuse)) for end in ("A", "B")
    ]
    stopped = together(demo, *requests, until=lambda event: isinstance(event, Prompted))
    assert [(each.reason, each.reused, each.new) for each in stopped.finishes] == [(Reason.STOPPED, 0, 0)] * 2
    ended = together(demo, *requests)
    lengths = [len(row.prompted.prompt.ids) for row in ended.rows]
    assert [each.reused + each.new for each in ended.finishes] == lengths


def test_batch_stop_after_a_chunk_counts_it(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    stop, step = StopFlag(), BatchGenerator.next

    def stopping(generator: BatchGenerator) -> Any:
        stop.ask()
        return step(generator)

    monkeypatch.setattr(BatchGenerator, "next", stopping)
    demo.engine.tune(Tuning(prefill_chunk=64))  # the measured one is 16 on a busy machine, less than the prompt
    prompted: list[Event] = []
    engine: BatchEngine = demo.engine
    finishes = engine.generate_together([FOX, COUNT], [prompted.append] * 2, stop)
    lengths = [len(each.prompt.ids) for each in prompted if isinstance(each, Prompted)]
    assert [(each.reused, each.new) for each in finishes] == [(0, length - 1) for length in lengths]


@pytest.mark.parametrize(
    "request_",
    [
        replace(FOX, kv=KV(enabled=False)),
        replace(FOX, kv=KV(bits=8)),
        replace(FOX, observe=3),
        replace(FOX, draft_tokens=2),
        replace(FOX, sampling=Sampling(top_p=7)),
    ],
)
def test_batch_with_an_unsupported_request_is_refused(demo: Player, request_: Request) -> None:
    batch = together(demo, FOX, request_)
    assert [each.reason for each in batch.finishes] == [Reason.ERROR] * 2
    assert all(each.failure is not None and each.failure.todo for each in batch.finishes)


def test_batch_on_a_model_without_plain_cache_is_refused(open_model: Open, sliding_window: Path) -> None:
    player = open_model(sliding_window)
    assert not player.model.can.batch
    (finish,) = player.engine.generate_together([FOX], [lambda event: None], StopFlag())
    assert finish.failure is not None and finish.failure.kind in ("batch", "empty")


@pytest.mark.slow
def test_run_after_a_batch_is_unchanged(demo: Player) -> None:
    before = demo.play(sampled(8)).ids
    together(demo, sampled(1), sampled(2))
    assert demo.play(sampled(8)).ids == before


def test_batch_is_freed_without_garbage_collection(demo: Player) -> None:
    gc.collect()
    gc.disable()
    try:
        together(demo, FOX, COUNT)
        demo.engine.generate(COUNT, lambda event: None, StopFlag())
        assert not [each for each in gc.get_objects() if type(each) is Reply]
    finally:
        gc.enable()
