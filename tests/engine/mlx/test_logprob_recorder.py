import gc
import itertools
import math
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.mlx.logprob_recorder import LogprobReader, LogprobRecorder, ScoredChoice
from app.engine.mlx.sampler import Doubles, SampledDistribution
from app.engine.mlx.top_k import Floats
from app.engine.text import TextCache
from app.engine.types import KV, Channel, Limits, Request, Sampling, Token, TokenLogprobs, TokenPrompt, VisibleText
from tests import models
from tests.engine.mlx.asking import GREEDY, chat, halved
from tests.engine.mlx.conftest import Open, Played, Player
from tests.engine.mlx.independent import ALL_PENALTIES, TOLERANCES, forward, log_softmax, penalized

TOLERANCE = 1e-3
ROUNDING = 1e-4
"""Two logits that differ by less are equal after the highest one was subtracted."""
LOGIT = st.floats(-30, 30, width=32) | st.just(-math.inf) | st.sampled_from([0.0, 1.0])
ROW = st.lists(LOGIT, min_size=8, max_size=90)
IDS = tuple(5 + (index * 37) % 300 for index in range(24))
REQUEST = Request(TokenPrompt(IDS), Sampling(temperature=0.9, seed=3), Limits(16), observe=10)
STORY = replace(REQUEST, prompt=chat("Tell me a story about a fox."), limits=Limits(60), observe=20)
SETTINGS = [
    Sampling(temperature=0.9, top_p=0.9, top_k=30, seed=2),
    Sampling(temperature=0, repetition_penalty=1.4),
    Sampling(temperature=0.9, presence_penalty=1.5, presence_window=12, seed=4),
    Sampling(temperature=0.9, frequency_penalty=0.9, frequency_window=40, seed=4),
    Sampling(temperature=0, logit_bias=((3, 4.0), (9, -5.0))),
    ALL_PENALTIES,
]
TOKENS, BATCH, VOCABULARY = 1_500, 20, 512
TOKEN_BYTES = 2_000
TOP_P = SampledDistribution(Sampling(top_p=0.9), frozenset())


def described(top: int, rows: list[Floats], token: int = 0) -> list[TokenLogprobs]:
    describer = LogprobReader(top, frozenset({1}), str, SampledDistribution(Sampling(), frozenset()))
    return describer.describe([ScoredChoice(token, row, row) for row in rows])


@settings(max_examples=30)
@given(st.integers(1, 20), st.lists(ROW, min_size=2, max_size=5), st.integers(0, 7))
def test_top_tokens_of_several_rows_are_the_best_and_shares_sum_to_one(
    top: int, rows: list[list[float]], token: int
) -> None:
    length = min(len(row) for row in rows)
    top = min(top, length)
    finite = [np.array(row[:length], np.float32) for row in rows if max(row[:length]) > -math.inf]
    for row, seen in zip(finite, described(top, finite, token) if finite else [], strict=True):
        ids = [candidate.id for candidate in seen.top]
        assert len(set(ids)) == top
        assert row[ids].tolist() == pytest.approx(sorted(row.tolist(), reverse=True)[:top], abs=ROUNDING)
        assert sum(math.exp(candidate.logprob) for candidate in seen.top) + seen.rest == pytest.approx(1, abs=1e-4)
        assert 0 <= seen.entropy <= math.log(length) + 1e-4
        assert 1 <= seen.rank <= length
        assert (seen.chosen.id, seen.chosen.text) == (token, str(token))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_logprobs_of_invalid_logits_are_finite(bad: float) -> None:
    row = np.zeros(40, np.float32)
    row[3] = bad
    for seen in described(5, [row, np.full(40, bad, np.float32)], 2):
        logprobs = [seen.chosen.logprob, *(each.logprob for each in seen.top)]
        assert np.isfinite([seen.entropy, seen.rest, seen.eos_probability, *logprobs]).all()
        assert len(seen.top) == 5


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_recorder_in_half_precision_has_its_precision(
    open_model: Open, tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    monkeypatch.setattr("app.engine.model_files.conversion.FLOAT32_SHARE", 0)
    player = open_model(halved(tiny_llama, tmp_path / "half", getattr(mx, dtype)))
    played = player.play(replace(REQUEST, sampling=Sampling(temperature=0.8, repetition_penalty=1.4, top_p=0.9)))
    assert (player.model.precision, played.finish.precision) == (dtype, dtype)
    for seen in played.logprobs:
        assert sum(math.exp(candidate.logprob) for candidate in seen.top) + seen.rest == pytest.approx(1, abs=TOLERANCE)
        assert seen.drawn is not None and 0 < seen.drawn.own <= 1


def test_recorder_changes_no_token(player: Player) -> None:
    observed, plain = player.play(REQUEST), player.play(replace(REQUEST, observe=0))
    assert observed.ids == plain.ids
    assert all(token.observed is None for token in plain.tokens)
    assert observed.finish.precision == "float32"


def test_recorder_emits_no_mlx_array(player: Player) -> None:
    played = player.play(REQUEST)
    waiting: list[object] = [*played.events, played.finish]
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting.extend(value)
        elif not isinstance(value, str | int | float | bool | bytes | None):
            assert type(value).__module__.startswith(("app.engine.types", "pathlib")), value
            waiting.extend(getattr(value, name) for name in getattr(value, "__slots__", ()))


def test_recorder_waits_for_no_later_step(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a token is described mlx gets no work, which would queue behind the next step."""
    calls: list[str] = []

    def guarded(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **options: object) -> object:
            with pytest.MonkeyPatch.context() as patch:
                for name in ("eval", "async_eval", "argpartition", "exp", "logsumexp"):
                    patch.setattr(mx, name, lambda *_, name=name: calls.append(name))
                return real(*args, **options)

        return call

    for name in ("note", "describe"):
        monkeypatch.setattr(LogprobRecorder, name, guarded(getattr(LogprobRecorder, name)))
    played = player.play(REQUEST)
    assert all(token.observed for token in played.tokens)
    assert calls == []


def test_recorder_time_is_reported(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    assert player.play(replace(REQUEST, observe=0)).finish.observing == 0.0
    finish = player.play(REQUEST).finish
    assert 0 < finish.observing < finish.times.ended - finish.times.sent
    monkeypatch.setattr("app.engine.mlx.logprob_recorder.time.perf_counter", itertools.count(0.0, 0.25).__next__)
    seconds = player.play(REQUEST).finish.observing
    assert seconds >= 0.25 * 16 * 2 and seconds % 0.25 == 0


@pytest.mark.slow
def test_token_with_ten_alternatives_takes_less_than_two_kilobytes() -> None:
    recorder = LogprobRecorder(10, frozenset({2}), TextCache(lambda each: f" w{each}").__getitem__, TOP_P)
    logits = [mx.array(row) for row in np.random.default_rng(1).normal(0, 3, (BATCH, 1, 1, VOCABULARY))]
    tokens: list[Token] = []
    gc.collect()
    tracemalloc.start()
    try:
        for first in range(0, TOKENS, BATCH):
            for row in logits:
                recorder.keep_raw(row)
                recorder.note(first % VOCABULARY)
            for position, seen in enumerate(recorder.describe(), first):
                shown = (VisibleText(Channel.NORMAL, text := f" word{position}"),)
                tokens.append(Token(position, position % 50_000, text, shown, position / 7, False, seen))
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] / TOKENS < TOKEN_BYTES
    finally:
        tracemalloc.stop()
    assert len(tokens) == TOKENS


def assert_exact(player: Player, request: Request) -> Played:
    """Run a request, and compare all recorded values."""
    played = player.play(request)
    ids, start = [*played.prompted.prompt.ids, *played.ids], len(played.prompted.prompt.ids)
    ends = sorted({token for token, _ in player.model.eos} | set(request.limits.stop_ids))
    near = TOLERANCES[player.model.precision]
    assert played.tokens
    assert [seen.chosen.id for seen in played.logprobs] == played.ids
    rows = forward(player.main, ids[:-1])[start - 1 :]
    for position, (seen, raw) in enumerate(zip(played.logprobs, rows, strict=True), start):
        logprobs = log_softmax(penalized(raw, ids[:position], request.sampling))
        assert len(seen.top) == request.observe
        assert_values(seen, raw, logprobs, ends, near)
    return played


def assert_values(seen: TokenLogprobs, raw: Doubles, logprobs: Doubles, ends: list[int], near: float) -> None:
    ranked = np.sort(logprobs)[::-1]
    best, recorded = ranked[: len(seen.top)], [seen.chosen, *seen.top]
    ids = [candidate.id for candidate in recorded]
    assert len(set(ids[1:])) == len(best)
    assert seen.deviation is not None
    for found, computed in (
        ([candidate.logprob for candidate in seen.top], best),
        ([candidate.logprob for candidate in recorded], logprobs[ids]),
        ([candidate.raw_logit for candidate in recorded], raw[ids]),
        (seen.entropy, -(np.exp(logprobs) * logprobs).sum()),
        (seen.deviation, logprobs[np.isfinite(logprobs)].std()),
        (seen.eos_probability, np.exp(logprobs[ends]).sum()),
        (seen.rest, 1 - np.exp(best).sum()),
        (seen.chosen.logprob, ranked[seen.rank - 1]),
    ):
        assert np.abs(np.asarray(found, np.float64) - computed).max() <= near


@pytest.fixture(params=["as the device has it", "half"])
def precision(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU a small model becomes float32; on Metal it doesn't."""
    if request.param == "half":
        monkeypatch.setattr("app.engine.model_files.conversion.FLOAT32_SHARE", 0)


@pytest.mark.parametrize("model", ["tiny_llama", "llama3_rope", "sliding_window"])
def test_logprobs_match_the_reference_for_each_architecture(open_model: Open, model: str) -> None:
    assert len(assert_exact(open_model(model), REQUEST).tokens) == 16


@pytest.mark.slow
@pytest.mark.parametrize("sampling", SETTINGS)
def test_logprobs_match_the_reference_with_each_penalty(player: Player, sampling: Sampling) -> None:
    request = replace(REQUEST, sampling=sampling)
    assert_exact(player, request)
    assert assert_exact(player, request).finish.reused > 0


@pytest.mark.slow
@pytest.mark.usefixtures("precision")
def test_logprobs_match_the_reference_for_the_demo_models(demo_pair: Player) -> None:
    for sampling in SETTINGS:
        assert_exact(demo_pair, replace(STORY, sampling=sampling))
    for sampling in (GREEDY, ALL_PENALTIES):
        played = assert_exact(demo_pair, replace(STORY, sampling=sampling, draft_tokens=4))
        assert {token.from_draft for token in played.tokens} == {True, False}


@pytest.mark.slow
def test_logprobs_match_the_reference_to_the_end_of_a_run(demo: Player) -> None:
    """EOS is a token like any other; the request's stop ids count as EOS too."""
    ids = demo.play(replace(STORY, sampling=GREEDY)).ids
    stop = next(token for position, token in enumerate(ids) if position > 8 and token not in ids[:position])
    played = assert_exact(demo, replace(STORY, sampling=GREEDY, limits=Limits(60, stop_ids=(stop,))))
    assert played.ids[-1] == stop
    last = played.logprobs[-1]
    assert last.eos_probability >= np.exp(last.chosen.logprob) - TOLERANCES[demo.model.precision]


@pytest.mark.slow
@pytest.mark.parametrize("sampling", [GREEDY, SETTINGS[1], replace(ALL_PENALTIES, temperature=0)])
def test_logprobs_match_with_a_draft_model(
    open_model: Open, tiny_llama: Path, tmp_path: Path, sampling: Sampling
) -> None:
    draft = models.tiny_llama(tmp_path / "draft", num_hidden_layers=1)
    request = replace(REQUEST, sampling=sampling, draft_tokens=3)
    runs = [assert_exact(open_model(tiny_llama, second), request) for second in (draft, tiny_llama)]
    assert any(token.from_draft for token in runs[-1].tokens)


@pytest.mark.parametrize("sampling", [REQUEST.sampling, ALL_PENALTIES])
def test_logprobs_match_the_reference_without_cache(player: Player, sampling: Sampling) -> None:
    assert_exact(player, replace(REQUEST, sampling=sampling, kv=KV(enabled=False)))
