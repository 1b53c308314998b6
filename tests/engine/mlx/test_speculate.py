import gc
import json
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import mlx.core as mx
import pytest
from mlx_lm.models.cache import QuantizedKVCache

from app.engine.draft_length import DraftLength
from app.engine.types import (
    AUTOMATIC,
    ENDLESS,
    KV,
    Failure,
    KVShape,
    Limits,
    Model,
    Prefill,
    Reason,
    Request,
    Sampling,
    Token,
    TokenPrompt,
)
from tests import models
from tests.engine.mlx.asking import GREEDY
from tests.engine.mlx.conftest import Open, Player, record_passes
from tests.engine.tiers import mostly_slow

IDS = tuple(5 + (index * 37) % 300 for index in range(60))
PLAIN = Request(TokenPrompt(IDS[:20]), GREEDY, Limits(24))


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """Another random model with the same vocabulary: nearly all its proposals are rejected."""
    return models.tiny_llama(tmp_path / "draft", num_hidden_layers=1)


@pytest.fixture
def pair(open_model: Open, tiny_llama: Path, draft: Path) -> Player:
    return open_model(tiny_llama, draft)


@pytest.fixture
def twins(open_model: Open, tiny_llama: Path) -> Player:
    """The draft model is the model itself: every proposal is accepted."""
    return open_model(tiny_llama, tiny_llama)


@pytest.mark.parametrize("draft_tokens", mostly_slow([1, 2, 5], 2))
@pytest.mark.parametrize(
    "sampling",
    [
        pytest.param(GREEDY, marks=pytest.mark.slow),
        Sampling(temperature=0, repetition_penalty=2.0, presence_penalty=3.0, presence_window=0),
    ],
    ids=["plain", "penalty"],
)
def test_draft_greedy_output_is_identical(pair: Player, twins: Player, draft_tokens: int, sampling: Sampling) -> None:
    prompt = TokenPrompt((*IDS[:20], *pair.play(PLAIN).ids))  # so that the penalties apply
    request = replace(PLAIN, prompt=prompt, sampling=sampling)
    for player in (pair, twins):
        drafted = player.play(replace(request, draft_tokens=draft_tokens))
        assert drafted.ids == player.play(request).ids


@pytest.mark.slow
def test_draft_output_above_temperature_0_is_reproducible_but_another(pair: Player) -> None:
    """As the setting's text says: draft and target model draw from one random stream."""
    request = replace(PLAIN, sampling=Sampling(temperature=1.0, seed=7))
    drafted = replace(request, draft_tokens=3)
    assert pair.play(request).ids == pair.play(request).ids
    assert pair.play(drafted).ids == pair.play(drafted).ids != pair.play(request).ids


def test_draft_proposals_are_accepted_or_reported_as_rejected(pair: Player, twins: Player) -> None:
    for player in (pair, twins):
        played = player.play(replace(PLAIN, draft_tokens=3))
        drafted = played.draft_stats
        assert drafted.accepted == sum(token.from_draft for token in played.tokens)
        assert drafted.accepted + drafted.steps >= played.finish.tokens == 24
        rejected = drafted.rejected
        # The limit may cut off the last step before it is known what became of its proposals.
        counted = drafted.accepted + sum(len(each.ids) for each in rejected)
        assert drafted.proposed - 3 <= counted <= drafted.proposed
        assert not any(played.tokens[each.index].from_draft for each in rejected)
        assert all(each.ids[0] != played.ids[each.index] for each in rejected)
        assert all(len(each.texts) == len(each.ids) for each in rejected)
        if player is twins:
            assert len(rejected) <= 1 and drafted.proposed * 0.9 < drafted.accepted
        else:
            assert len(rejected) > 5
    plain = pair.play(PLAIN)
    assert plain.finish.drafted is None and not any(token.from_draft for token in plain.tokens)


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(temperature=0, repetition_penalty=1.3)])
def test_draft_is_unused_without_a_cache(pair: Player, sampling: Sampling) -> None:
    """The logprobs are those of the model, with any draft model."""
    request = replace(PLAIN, sampling=sampling, observe=5, limits=Limits(6))
    bare, plain = (pair.play(each) for each in (replace(request, kv=KV(enabled=False), draft_tokens=3), request))
    assert (bare.finish.drafted, bare.ids) == (None, plain.ids)
    assert not bare.conditions.draft_share and len(bare.tokens) == 6
    assert bare.chosen_logprobs == pytest.approx(plain.chosen_logprobs, abs=1e-3)
    ours, known = ([each.chosen.raw_logit for each in run.logprobs] for run in (bare, plain))
    assert ours == pytest.approx(known, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pair", "twins"])
def test_draft_run_leaves_a_usable_cache(request: pytest.FixtureRequest, name: str) -> None:
    player: Player = request.getfixturevalue(name)
    first = replace(PLAIN, draft_tokens=3)
    again = replace(first, prompt=TokenPrompt((*IDS[:20], *player.play(first).ids, *IDS[20:25])))
    second = player.play(again)
    assert second.finish.reused >= 20
    for other in (replace(again, kv=KV(reuse=False)), replace(again, draft_tokens=0)):
        assert second.ids == player.play(other).ids


def test_draft_run_stopped_in_a_step_leaves_a_true_cache(twins: Player) -> None:
    request = replace(PLAIN, draft_tokens=5)
    stopped = twins.play(request, until=lambda event: isinstance(event, Token) and event.index == 3)
    assert (stopped.finish.reason, len(stopped.ids)) == (Reason.STOPPED, 4)
    assert twins.play(request).ids == twins.play(replace(request, kv=KV(reuse=False))).ids


@pytest.mark.slow
def test_draft_prefill_reports_progress_and_stops(pair: Player) -> None:
    long = replace(PLAIN, prompt=TokenPrompt(tuple(5 + (index * 7) % 300 for index in range(1_500))), draft_tokens=2)
    whole = pair.play(long)
    steps = [event.done for event in whole.prefills]
    assert steps == sorted(steps) and (steps[0], steps[-1]) == (0, 1_499)
    assert whole.finish.times.prefill_started < whole.finish.times.prefill_ended <= whole.finish.times.first_token
    fresh = replace(long, kv=KV(reuse=False))
    stopped = pair.play(fresh, until=lambda event: isinstance(event, Prefill) and event.done > 0)
    assert (stopped.finish.reason, stopped.tokens) == (Reason.STOPPED, [])
    assert 0 < pair.play(long).finish.reused < 1_500


@pytest.mark.slow
def test_draft_run_without_max_tokens_ends_with_context_full(pair: Player) -> None:
    context = pair.model.context
    assert context is not None
    sampling = Sampling(temperature=0, logit_bias=pair.no_eos)
    played = pair.play(Request(TokenPrompt((7,) * (context - 9)), sampling, Limits(ENDLESS), draft_tokens=3))
    assert (played.finish.reason, played.finish.tokens) == (Reason.CONTEXT_FULL, 9)


AUTO = replace(PLAIN, draft_tokens=AUTOMATIC)
CHOSEN = (3, 1, 0, 0, 0, 0, 0, 8, 2)
"""Numbers of draft tokens, with enough steps without any that passes begin before their token is known."""


@pytest.fixture
def varied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the automatic number, which depends on the speed of the computer."""
    numbers = cycle(CHOSEN)
    monkeypatch.setattr(DraftLength, "_best", lambda self, matched: next(numbers))


@pytest.mark.usefixtures("varied")
@pytest.mark.parametrize(
    ("sampling", "observe"),
    [
        pytest.param(GREEDY, 0, marks=pytest.mark.slow),
        (Sampling(temperature=0, repetition_penalty=2.0, presence_penalty=3.0, presence_window=0), 0),
        (Sampling(temperature=1.0, top_p=0.95, xtc_probability=0.5, seed=7), 5),
    ],
    ids=["greedy", "penalty", "sampled"],
)
def test_draft_automatic_number_changes_no_token(pair: Player, twins: Player, sampling: Sampling, observe: int) -> None:
    """Also above temperature 0: each token has the random numbers that it would have without a draft model."""
    request = replace(AUTO, sampling=sampling, observe=observe, kv=KV(reuse=False))
    for player in (pair, twins):
        plain, played = player.play(replace(request, draft_tokens=0)), player.play(request)
        drafted, cache = played.draft_stats, player.engine._cache
        assert played.ids == plain.ids and drafted.automatic is not None
        if observe:
            assert played.chosen_logprobs == pytest.approx(plain.chosen_logprobs, abs=1e-3)
        else:
            assert not any(token.observed for token in (*plain.tokens, *played.tokens))
        assert drafted.accepted == sum(token.from_draft for token in played.tokens)
        assert drafted.accepted + drafted.steps == len(played.ids) == 24
        assert {layer.offset for layer in cache.caches} == {len(cache.ids)} and len(cache.ids) > 20
        if player is twins:
            assert drafted.accepted == drafted.proposed, "both models sample with the same random numbers"


@pytest.mark.usefixtures("varied")
def test_draft_automatic_number_computes_only_verified_tokens(pair: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = record_passes(pair.main.module, monkeypatch)
    drafted = pair.play(replace(AUTO, kv=KV(reuse=False))).draft_stats
    assert drafted.automatic is not None and drafted.proposed
    target = [tokens for model, _, tokens in passes if model is pair.main.module]
    draft = [tokens for model, _, tokens in passes if model is not pair.main.module]
    assert sum(target[-drafted.steps :]) == drafted.steps + drafted.proposed
    assert 2 < len(draft) <= drafted.proposed + 4, "and two that catch up after steps without draft tokens"


@pytest.mark.usefixtures("varied")
@pytest.mark.parametrize("index", mostly_slow([2, 5, 11], 5))
def test_draft_automatic_run_stopped_in_a_step_leaves_a_true_cache(pair: Player, twins: Player, index: int) -> None:
    for player in (pair, twins):
        stopped = player.play(AUTO, until=lambda event: isinstance(event, Token) and event.index == index)
        assert (stopped.finish.reason, len(stopped.ids)) == (Reason.STOPPED, index + 1)
        cache = player.engine._cache
        assert {layer.offset for layer in cache.caches} == {len(cache.ids)}
        again = player.play(AUTO)
        assert again.finish.reused == 19
        assert again.ids == player.play(replace(PLAIN, kv=KV(reuse=False))).ids


@pytest.mark.usefixtures("varied")
@pytest.mark.parametrize(
    ("draft_tokens", "quantized_start"), [(AUTOMATIC, 0), pytest.param(3, 0, marks=pytest.mark.slow), (3, 30)]
)
def test_draft_run_quantizes_both_caches_for_the_next_run(
    demo_pair: Player, draft_tokens: int, quantized_start: int
) -> None:
    """mlx-lm quantizes copies of the list."""
    kv = KV(bits=8, group_size=32, quantized_start=quantized_start)
    request = replace(PLAIN, draft_tokens=draft_tokens, kv=kv, limits=Limits(12))
    first, cache = demo_pair.play(request), demo_pair.engine._cache
    assert first.finish.failure is None
    assert {type(layer) for layer in cache.caches} == {QuantizedKVCache}
    assert {layer.offset for layer in cache.caches} == {len(cache.ids)}
    again = demo_pair.play(replace(request, prompt=TokenPrompt((*IDS[:20], *first.ids, 7))))
    assert again.finish.reused >= 20


def test_draft_with_heads_that_cannot_be_quantized_is_refused(pair: Player) -> None:
    assert pair.engine._draft is not None
    pair.engine._draft.model = replace(pair.engine._draft.model, kv=KVShape(1, 4, (48,)))
    request = replace(PLAIN, draft_tokens=3, kv=KV(bits=8, group_size=32))
    assert "Heads of size 48" in pair.failure(request).what


def test_draft_automatic_number_is_refused_with_a_limited_cache(pair: Player) -> None:
    assert "unlimited size" in pair.failure(replace(AUTO, kv=KV(max_size=64))).what


def refused(player: Player, main: Path, draft: Path) -> str:
    outcome = player.load(main, draft)
    assert isinstance(outcome, Failure)
    return outcome.what


def test_draft_that_does_not_fit_is_refused(
    player: Player, tiny_llama: Path, sliding_window: Path, recurrent: Path, tmp_path: Path
) -> None:
    assert "The model's KV cache can't be trimmed" in refused(player, sliding_window, tiny_llama)
    assert "The draft model's KV cache can't be trimmed" in refused(player, tiny_llama, recurrent)
    larger, other = models.tiny_llama(tmp_path / "larger", vocab_size=512), models.tiny_llama(tmp_path / "other")
    assert "vocabularies of different sizes: 384 and 512" in refused(player, tiny_llama, larger)
    content = json.loads((other / "tokenizer.json").read_text())
    content["model"]["merges"] = content["model"]["merges"][:-40]
    (other / "tokenizer.json").write_text(json.dumps(content))
    assert "tokenize the same text differently" in refused(player, tiny_llama, other)


def test_draft_that_is_refused_unloads_a_new_model(player: Player, llama3_rope: Path, recurrent: Path) -> None:
    player.engine.unload()
    gc.collect()
    mx.clear_cache()
    before = mx.get_active_memory()
    refused(player, llama3_rope, recurrent)
    assert player.engine.memory().weights == 0
    assert mx.get_active_memory() <= before * 1.01


def test_refused_draft_leaves_the_open_models(player: Player, pair: Player, tiny_llama: Path, recurrent: Path) -> None:
    for each in (player, pair):
        refused(each, tiny_llama, recurrent)
        assert each.play(PLAIN).finish.failure is None
    drafted = replace(PLAIN, draft_tokens=2)
    assert player.failure(drafted).what == "No draft model is loaded."
    assert pair.play(drafted).finish.drafted is not None


def test_draft_change_keeps_the_model(player: Player, tiny_llama: Path, draft: Path) -> None:
    module = player.engine._main
    outcome = player.load(tiny_llama, draft)
    assert isinstance(outcome, Model) and outcome.draft is not None and outcome.can.draft
    assert player.engine._main is module
    assert player.play(replace(PLAIN, draft_tokens=2)).finish.drafted is not None


def test_draft_that_is_idle_counts_as_memory(pair: Player) -> None:
    """The gauge shows what is in memory, so it doesn't change between or within runs."""
    assert pair.model.draft is not None
    runs = [pair.play(PLAIN), pair.play(replace(PLAIN, draft_tokens=2)), *pair.together(PLAIN, PLAIN)]
    memories = [event for run in runs for event in run.memories]
    both = pair.model.weights + pair.model.draft.weights
    assert {event.weights for event in (*memories, pair.engine.memory())} == {both}
