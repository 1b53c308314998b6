from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mlx_lm import load
from mlx_lm.generate import stream_generate

from app.engine.meter.first_token import FirstTokenTime
from app.engine.mlx.memory import SAMPLE_INTERVAL_S
from app.engine.types import (
    AT_THE_END,
    ENDLESS,
    KV,
    ExactPrompt,
    Failure,
    Limits,
    Memory,
    Prefill,
    PromptEvent,
    PromptSource,
    RawPrompt,
    Reason,
    Request,
    Sampling,
    Token,
    TokenPrompt,
    Tuning,
)
from tests.engine.mlx.asking import GREEDY, chat
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow
from tests.standins.samples import REAL, STAND_IN, Samples

ONCE = Request(RawPrompt("Once upon a time"), GREEDY, Limits(40))
LONG = RawPrompt("Once upon a time there was a dog. " * 40)
TALES = {REAL: ", there was a little girl named Lily. She loved to play outside in the park.", STAND_IN: ""}
"""How their texts start."""
FINITE: dict[str, PromptSource] = {REAL: ONCE.prompt, STAND_IN: chat("Hello")}
ENDS = {REAL: "<|end_story|>", STAND_IN: "<|im_end|>"}


@pytest.fixture
def stories(open_model: Open, samples: Samples) -> Player:
    return open_model(samples.path("models/stories260k"))


def test_run_of_the_stories_model_writes_its_story(stories: Player, samples: Samples) -> None:
    played = stories.play(ONCE)
    model, tokenizer = load(str(samples.path("models/stories260k")))
    assert played.ids == [each.token for each in stream_generate(model, tokenizer, "Once upon a time", 40)]
    assert played.text.startswith(TALES[samples.kind])
    assert (played.finish.reason, played.finish.library_reason) == (Reason.LENGTH, "length")
    assert played.finish.tokens == len(played.tokens) == 40


def test_run_quantizes_its_cache_from_the_given_token_on(demo: Player, demo_model: Path) -> None:
    model, tokenizer = load(str(demo_model))
    found = []
    for start in (0, 12):
        kv = KV(bits=2, group_size=32, quantized_start=start, reuse=False)
        found.append(demo.play(replace(ONCE, limits=Limits(16), kv=kv)).ids)
        options: dict[str, Any] = {"kv_bits": 2, "kv_group_size": 32, "quantized_kv_start": start}
        expected = stream_generate(model, tokenizer, "Once upon a time", 16, **options)
        assert found[-1] == [each.token for each in expected]
    plain = demo.play(replace(ONCE, limits=Limits(16), kv=KV(reuse=False))).ids
    assert found[0] != found[1] != plain, "the cache must be quantized in both runs"


def test_run_of_a_quantized_model_stops_at_eos(open_model: Open, samples: Samples) -> None:
    player = open_model(samples.path("models/tinystories-656k-4bit"))
    played = player.play(replace(ONCE, prompt=FINITE[samples.kind], limits=Limits(500)))
    assert (played.finish.reason, played.finish.stop_text) == (Reason.STOP, ENDS[samples.kind])
    assert played.finish.stop_id in dict(player.model.eos)
    assert (played.tokens[-1].text, player.model.bits) == ("", 4)


def test_run_text_equals_the_decoded_ids(stories: Player) -> None:
    sampling = Sampling(temperature=1.5, seed=5, logit_bias=stories.no_eos)
    played = stories.play(replace(ONCE, sampling=sampling, limits=Limits(120)))
    whole = stories.engine.render(TokenPrompt((*played.prompted.prompt.ids, *played.ids)))
    assert isinstance(whole, ExactPrompt) and whole.text.endswith(played.text)
    assert played.shown == played.text


def test_run_times_are_in_order(stories: Player) -> None:
    played = stories.play(replace(ONCE, prompt=LONG))
    times = played.finish.times
    parts = FirstTokenTime.of(played.finish)
    assert parts is not None and all(took > 0 for took in parts.seconds.values()), "each part is measured"
    assert (
        times.sent
        <= times.started
        <= times.prefill_started
        <= times.prefill_ended
        <= times.first_token
        < times.last_token
    )
    arrivals = [token.at for token in played.tokens]
    assert [times.first_token, *arrivals[1:-1], times.last_token] == arrivals == sorted(arrivals)
    assert times.last_token <= times.ended
    assert [token.index for token in played.tokens] == list(range(40))


@pytest.mark.parametrize("tokens", mostly_slow([1, 2, 7], 2))
def test_run_stops_after_any_token(stories: Player, tokens: int) -> None:
    played = stories.play(ONCE, until=lambda event: isinstance(event, Token) and event.index == tokens - 1)
    assert (played.finish.reason, played.finish.library_reason) == (Reason.STOPPED, None)
    assert len(played.tokens) == tokens
    assert 0 < played.finish.times.stop_asked <= played.finish.times.ended
    whole = stories.play(ONCE)
    assert whole.text.startswith(played.text) and whole.finish.tokens == 40


def test_run_stopped_before_its_start_generates_nothing(stories: Player) -> None:
    played = stories.play(ONCE, until=lambda event: True)
    assert (played.finish.reason, played.tokens) == (Reason.STOPPED, [])
    assert stories.play(ONCE).finish.tokens == 40


def test_run_stopped_in_the_prefill_keeps_the_cache(stories: Player) -> None:
    request = replace(ONCE, prompt=LONG, limits=Limits(5))
    played = stories.play(request, until=lambda event: isinstance(event, Prefill) and event.done > 0)
    done = played.prefills[-1].done
    assert (played.finish.reason, played.tokens) == (Reason.STOPPED, [])
    assert (played.finish.reused, played.finish.new) == (0, done), "the rest was not prefilled"
    again = stories.play(request)
    assert again.finish.reused == done > 0
    assert again.ids == stories.play(replace(request, kv=KV(reuse=False))).ids


@pytest.mark.slow
def test_run_that_fills_the_context_ends_with_context_full(player: Player) -> None:
    context = player.model.context
    assert context is not None
    prompt = TokenPrompt(tuple(5 + index % 300 for index in range(context - 6)))
    played = player.play(Request(prompt, Sampling(temperature=1, seed=1, logit_bias=player.no_eos), Limits(ENDLESS)))
    assert (played.finish.reason, played.finish.library_reason) == (Reason.CONTEXT_FULL, "length")
    assert played.finish.tokens == 6


def test_run_with_a_prompt_above_the_context_is_refused(player: Player) -> None:
    played = player.play(Request(TokenPrompt((5,) * 2048)))
    assert played.finish.reason is Reason.CONTEXT_FULL
    assert played.finish.failure is not None and "2,048 tokens" in played.finish.failure.what


def test_run_whose_prompt_does_not_fit_into_memory_is_refused(stories: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.mlx.memory.available_bytes", lambda: 10)
    played = stories.play(ONCE)
    assert (played.finish.reason, played.finish.failure and played.finish.failure.kind) == (Reason.ERROR, "memory")
    assert len(played.prompted.prompt.ids) == played.prompted.new > 0
    assert (played.finish.new, played.prefills) == (0, [])


def test_stop_ids_apply_to_one_run(stories: Player) -> None:
    ids = stories.play(ONCE).ids
    position = next(position for position in range(2, 40) if ids[position] not in ids[:position])
    played = stories.play(replace(ONCE, limits=Limits(40, stop_ids=(ids[position],))))
    finish = played.finish
    assert (finish.reason, finish.stop_id, finish.tokens) == (Reason.STOP, ids[position], position + 1)
    assert stories.play(ONCE).finish.tokens == 40


def test_stop_string_across_tokens_ends_the_run(stories: Player) -> None:
    text = stories.play(ONCE).text
    before, wanted = text[:12], text[12:31]
    played = stories.play(replace(ONCE, limits=Limits(40, stop_strings=(wanted, "zebra"))))
    assert (played.finish.reason, played.finish.stop_text) == (Reason.STOP_STRING, wanted)
    assert (played.shown, played.finish.stop_at) == (before, len(before))
    assert played.finish.hidden.startswith(wanted)
    assert played.text == played.shown + played.finish.hidden
    assert stories.play(ONCE).finish.tokens == 40


def test_stop_string_that_stays_incomplete_is_released(stories: Player) -> None:
    text = stories.play(replace(ONCE, limits=Limits(4))).text
    played = stories.play(replace(ONCE, limits=Limits(4, stop_strings=(f"{text[2:]} little giraffe",))))
    assert played.shown == played.text == text


def test_run_with_the_same_seed_gives_the_same_tokens(stories: Player) -> None:
    warm = replace(ONCE, sampling=Sampling(temperature=1, top_p=0.9, seed=42))
    first = stories.play(warm).ids
    stories.play(replace(warm, sampling=Sampling(temperature=1, seed=7)))
    assert stories.play(warm).ids == first
    assert stories.play(replace(warm, kv=KV(reuse=False))).ids == first
    assert stories.play(replace(warm, sampling=replace(warm.sampling, seed=43))).ids != first


def test_run_with_an_invalid_value_is_refused(stories: Player) -> None:
    first = stories.play(ONCE).ids
    assert stories.failure(replace(ONCE, sampling=Sampling(top_k=100_000))).kind == "setting"
    assert stories.play(ONCE).ids == first


def test_penalties_see_cached_tokens(stories: Player) -> None:
    sampling = Sampling(temperature=0, frequency_penalty=1.0, frequency_window=200)
    request = replace(ONCE, prompt=RawPrompt("Once upon a time there was a dog. The dog was big."), sampling=sampling)
    fresh = stories.play(replace(request, kv=KV(reuse=False)))
    stories.play(request)
    cached = stories.play(request)
    assert cached.finish.reused > 0
    assert cached.ids == fresh.ids
    assert stories.play(replace(request, sampling=GREEDY)).ids != fresh.ids


@pytest.mark.parametrize("interval", mostly_slow([1, 3, 40, AT_THE_END], 3))
def test_interval_emits_tokens_in_groups(stories: Player, interval: int) -> None:
    played = stories.play(replace(ONCE, interval=interval, limits=Limits(10)))
    assert [token.index for token in played.tokens] == list(range(10))
    assert played.text == stories.play(replace(ONCE, limits=Limits(10))).text
    stopped = stories.play(replace(ONCE, interval=4), until=lambda event: isinstance(event, Token))
    assert stopped.finish.tokens == 4, "Stop at the first visible token comes after the fourth was generated"


def test_run_emits_memory_with_its_parts(stories: Player) -> None:
    played = stories.play(replace(ONCE, limits=Limits(100)))
    last = played.memories[-1]
    assert last.weights == stories.model.weights
    assert 0 < last.kv < last.active <= last.peak
    duration = played.finish.times.ended - played.finish.times.sent
    assert len(played.memories) <= 2 + duration / SAMPLE_INTERVAL_S


@pytest.mark.slow
@pytest.mark.parametrize("draft_tokens", [0, 2])
def test_run_emits_memory_during_the_prefill(
    demo_pair: Player, monkeypatch: pytest.MonkeyPatch, draft_tokens: int
) -> None:
    """From the first moment on, since the peak is another run's until then."""
    demo_pair.engine.tune(Tuning(prefill_chunk=64))
    before = demo_pair.play(replace(ONCE, prompt=LONG)).memories[-1].peak
    monkeypatch.setattr("app.engine.mlx.memory.SAMPLE_INTERVAL_S", 0.0)
    request = replace(ONCE, prompt=LONG, kv=KV(reuse=False), draft_tokens=draft_tokens, limits=Limits(1))
    played = demo_pair.play(request)
    first, *others = played.events[: played.events.index(played.tokens[0])]
    assert isinstance(first, PromptEvent) and isinstance(others[0], Memory)
    assert others[0].active <= others[0].peak < before
    held = [event.kv for event in others if isinstance(event, Memory)]
    assert held == sorted(held) and held[-1] > held[0]
    assert len(held) > len(LONG.text.split()) // 64


def test_run_without_a_model_fails_with_a_sentence(player: Player) -> None:
    player.engine.unload()
    assert player.failure(ONCE).what == "No model is loaded."


def test_run_that_fails_keeps_its_text(stories: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = stories.play(ONCE)

    def breaks(*args: object, **options: object) -> object:
        for count, response in enumerate(stream_generate(*args, **options)):
            if count == 5:
                raise RuntimeError("[METAL] Command buffer execution failed: Insufficient Memory")
            yield response

    monkeypatch.setattr("app.engine.mlx.run.stream_generate", breaks)
    played = stories.play(ONCE)
    assert played.finish.failure is not None and played.finish.failure.kind == "memory"
    assert (played.finish.reason, played.ids) == (Reason.ERROR, whole.ids[:5])
    monkeypatch.undo()
    assert stories.play(ONCE).ids == whole.ids


@pytest.mark.slow
def test_token_texts_follow_the_tokenizer(demo: Player) -> None:
    text = "Say 안녕 🦊"
    found = demo.engine.token_texts(RawPrompt(text))
    prompt = demo.engine.render(RawPrompt(text))
    assert isinstance(found, tuple) and isinstance(prompt, ExactPrompt)
    assert [each.id for each in found] == list(prompt.ids)
    assert "".join(each.text for each in found) == text
    assert b"".join(each.piece for each in found) == text.encode()
    assert any(not each.text for each in found)
    assert demo.engine.token_texts(TokenPrompt(prompt.ids)) == found
    assert isinstance(demo.engine.token_texts(RawPrompt("")), Failure)
