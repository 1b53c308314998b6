from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mlx_lm.models.cache import QuantizedKVCache

from app.engine.draft_length import DraftLength
from app.engine.types import (
    AUTOMATIC,
    KV,
    FormatKind,
    Limits,
    OutputFormat,
    RawPrompt,
    Reason,
    Request,
    Sampling,
    Token,
    TokenPrompt,
)
from tests.engine.mlx.asking import GREEDY, chat
from tests.engine.mlx.conftest import Open, Played, Player, record_passes
from tests.engine.tiers import mostly_slow

PENALIZED = Sampling(temperature=0, repetition_penalty=1.2, presence_penalty=0.5, presence_window=0)
SAMPLED = Sampling(temperature=1.0, top_p=0.95, xtc_probability=0.5, seed=3)
CODE = "Repeat this:\ndef area(width, height):\n    return width * height\n\ndef area(width, height):\n    return"
PROMPTS = {"code": RawPrompt(CODE), "chat": RawPrompt("Tell me a long story about a fox.")}
PERSON = OutputFormat().put(
    FormatKind.SCHEMA,
    '{"type": "object", "properties": {"name": {"type": "string", "maxLength": 9}, "age": {"enum": [7, 77]}},'
    ' "required": ["name", "age"], "additionalProperties": false}',
)
IDS = tuple(5 + (index * 37) % 20 for index in range(60))
SHORT = Request(TokenPrompt(IDS), GREEDY, Limits(20))
"""A random model repeats itself soon, so that proposals are accepted."""


def assert_same(player: Player, request: Request, lookup_tokens: int = 4) -> Played:
    """Run a request with prompt lookup; assert that the tokens are those of a run without it."""
    plain, played = player.play(request), player.play(replace(request, lookup_tokens=lookup_tokens))
    assert played.finish.failure is None
    assert (played.ids, played.text, played.finish.reason) == (plain.ids, plain.text, plain.finish.reason)
    assert played.finish.drafted is not None and plain.finish.drafted is None
    return played


@pytest.mark.slow
@pytest.mark.parametrize("sampling", [GREEDY, PENALIZED, SAMPLED], ids=["greedy", "penalized", "sampled"])
@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("lookup_tokens", [AUTOMATIC, 1, 4, 16])
def test_lookup_changes_no_token(demo: Player, sampling: Sampling, prompt: str, lookup_tokens: int) -> None:
    """Also above temperature 0: each token is sampled with the random numbers that it would have without proposals."""
    assert_same(demo, Request(PROMPTS[prompt], sampling, Limits(60)), lookup_tokens)


@pytest.mark.parametrize("sampling", [GREEDY, PENALIZED], ids=["greedy", "penalized"])
def test_lookup_records_the_same_logprobs(player: Player, sampling: Sampling) -> None:
    request = replace(SHORT, sampling=sampling, observe=5)
    played = assert_same(player, request)
    assert played.chosen_logprobs == pytest.approx(player.play(request).chosen_logprobs, abs=1e-3)


@pytest.mark.parametrize("seeds", mostly_slow([range(2), range(2, 60)], range(2)))
def test_lookup_above_temperature_0_samples_the_same_tokens(player: Player, seeds: range) -> None:
    """Stronger than an equal distribution."""
    accepted, three_tokens = 0, tuple((token, 100.0) for token in IDS[:3])
    for seed in seeds:
        sampling = Sampling(temperature=1, xtc_probability=0.5, logit_bias=three_tokens, seed=seed)
        played = assert_same(player, replace(SHORT, sampling=sampling, limits=Limits(12)))
        accepted += played.draft_stats.accepted
    assert accepted


@pytest.mark.parametrize(
    "change",
    [
        {"form": OutputFormat().put(FormatKind.REGEX, "((ab|ba)c){6}")},
        {"limits": Limits(20, stop_ids=(163,))},
    ],
    ids=["output format", "stop id"],
)
def test_lookup_changes_no_token_with(player: Player, change: dict[str, Any]) -> None:
    assert_same(player, replace(SHORT, **change))


def test_lookup_changes_no_token_with_a_quantized_cache(demo: Player) -> None:
    request = Request(PROMPTS["code"], GREEDY, Limits(20), KV(bits=8, group_size=32, quantized_start=40))
    assert_same(demo, request)
    assert all(type(layer) is QuantizedKVCache for layer in demo.engine._cache.caches)


@pytest.mark.slow
def test_lookup_changes_no_token_of_a_form_with_reasoning_budget_and_stop_string(demo: Player) -> None:
    request = Request(PROMPTS["code"], PENALIZED, Limits(60))
    assert assert_same(demo, replace(request, form=PERSON, observe=5)).finish.reason is Reason.FORM
    assert_same(demo, replace(request, limits=Limits(40, stop_strings=("height)",))))
    fox = chat("Tell me about a fox.", reply_start="<think>\n")
    assert assert_same(demo, Request(fox, GREEDY, Limits(40, think_budget=6), observe=5)).finish.thinking is not None


def test_lookup_is_unused_without_a_cache(player: Player) -> None:
    request = replace(SHORT, kv=KV(enabled=False), limits=Limits(6))
    plain, played = player.play(request), player.play(replace(request, lookup_tokens=4))
    assert (played.ids, played.finish.drafted) == (plain.ids, None)


@pytest.mark.parametrize("max_tokens", mostly_slow([1, 2, 3, 5, 9], 1, 3))
def test_lookup_ends_at_max_tokens_with_a_true_cache(player: Player, max_tokens: int) -> None:
    played = assert_same(player, replace(SHORT, limits=Limits(max_tokens)))
    assert len(played.ids) == max_tokens
    cache = player.engine._cache
    assert cache.ids == (*IDS, *played.ids)[: len(cache.ids)] and len(cache.ids) >= len(IDS) + max_tokens - 1
    assert {layer.offset for layer in cache.caches} == {len(cache.ids)}


def test_lookup_verifies_only_proposed_tokens(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = record_passes(player.main.module, monkeypatch)
    played = player.play(replace(SHORT, lookup_tokens=4, kv=KV(reuse=False)))
    drafted, found = played.draft_stats, played.draft_stats.lookup
    assert found is not None
    sizes = [tokens for _, _, tokens in passes[-drafted.steps :]]
    assert sum(sizes) == drafted.steps + drafted.proposed
    assert sum(size > 1 for size in sizes) == found.steps < drafted.steps
    assert 0 < drafted.accepted == sum(token.from_draft for token in played.tokens)
    rejected = sum(len(each.ids) for each in drafted.rejected)
    assert drafted.accepted + rejected <= drafted.proposed


def test_lookup_reuses_the_cache_of_the_turn_before(player: Player) -> None:
    first = player.play(replace(SHORT, lookup_tokens=4))
    second = replace(SHORT, prompt=TokenPrompt((*IDS, *first.ids, *IDS[:5])))
    played = player.play(replace(second, lookup_tokens=4))
    assert played.finish.reused >= len(IDS) + len(first.ids) - 1
    assert played.ids == player.play(replace(second, kv=KV(reuse=False))).ids


@pytest.mark.parametrize("index", mostly_slow([0, 3, 7], 3))
def test_lookup_run_stopped_in_a_step_leaves_a_true_cache(player: Player, index: int) -> None:
    request = replace(SHORT, lookup_tokens=8)
    stopped = player.play(request, until=lambda event: isinstance(event, Token) and event.index == index)
    assert (stopped.finish.reason, len(stopped.ids)) == (Reason.STOPPED, index + 1)
    cache = player.engine._cache
    assert {layer.offset for layer in cache.caches} == {len(cache.ids)}
    assert player.play(request).ids == player.play(replace(SHORT, kv=KV(reuse=False))).ids


def test_lookup_is_refused_where_tokens_cannot_be_taken_back(open_model: Open, sliding_window: Path) -> None:
    player = open_model(sliding_window)
    assert not player.model.can.lookup
    assert "can't be trimmed" in player.failure(replace(SHORT, lookup_tokens=2)).what


def test_lookup_is_refused_with_a_limited_cache_and_in_a_batch(player: Player) -> None:
    asked = replace(SHORT, lookup_tokens=AUTOMATIC)
    assert "unlimited size" in player.failure(replace(asked, kv=KV(max_size=64))).what
    (played,) = player.together(asked)
    assert played.finish.failure is not None and "no draft tokens" in played.finish.failure.what


def test_lookup_replaces_the_draft_model(demo_pair: Player) -> None:
    played = demo_pair.play(Request(PROMPTS["code"], GREEDY, Limits(12), draft_tokens=3, lookup_tokens=2))
    assert played.draft_stats.lookup is not None and not played.conditions.draft_share


@pytest.mark.parametrize("observe", [0, 5])
def test_lookup_without_use_begins_each_pass_before_its_token_is_known(
    player: Player, monkeypatch: pytest.MonkeyPatch, observe: int
) -> None:
    monkeypatch.setattr(DraftLength, "_best", lambda self, matched: 3 * (matched == 2))
    for sampling in (GREEDY, Sampling(temperature=1, seed=4)):
        played = assert_same(player, replace(SHORT, sampling=sampling, observe=observe), AUTOMATIC)
        cache = player.engine._cache
        assert {layer.offset for layer in cache.caches} == {len(cache.ids)} and len(cache.ids) >= len(IDS) + 19
        assert played.draft_stats.steps == len(played.ids) - played.draft_stats.accepted
