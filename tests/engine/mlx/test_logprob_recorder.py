"""The recorder changes no token, waits for nothing and keeps no array. Its values are tested elsewhere."""

import gc
import itertools
import math
import shutil
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.mlx.logprob_recorder import LogprobRecorder
from app.engine.mlx.sampler import SampledDistribution
from app.engine.tokenizers.spelling import Texts
from app.engine.types import Channel, Limits, Request, Sampling, Token, TokenPrompt, VisibleText
from app.records.columns import pack_observed, unpack_observed
from tests.engine.mlx.conftest import Open

TOLERANCE = 1e-3
IDS = tuple(5 + (index * 37) % 300 for index in range(24))
REQUEST = Request(TokenPrompt(IDS), Sampling(temperature=0.9, seed=3), Limits(16), observe=10)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_recorder_in_half_precision_matches_the_reference(
    open_model: Open, tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    """The values are as precise as such logits allow, and the run names the dtype."""
    monkeypatch.setattr("app.engine.mlx.loading.load.RAISE_LIMIT_BYTES", 0)
    folder = Path(shutil.copytree(tiny_llama, tmp_path / "half"))
    weights = mx.load(str(folder / "model.safetensors"))
    assert isinstance(weights, dict)
    halved = {name: each.astype(getattr(mx, dtype)) for name, each in weights.items()}
    mx.save_safetensors(str(folder / "model.safetensors"), halved)
    player = open_model(folder)
    sampling = Sampling(temperature=0.8, repetition_penalty=1.4, top_p=0.9)
    played = player.play(replace(REQUEST, sampling=sampling))
    assert (player.model.precision, played.finish.precision) == (dtype, dtype)
    for token in played.tokens:
        assert token.observed is not None and token.observed.drawn is not None
        total = sum(math.exp(candidate.logprob) for candidate in token.observed.top) + token.observed.rest
        assert total == pytest.approx(1.0, abs=TOLERANCE)
        assert 0 < token.observed.drawn.own <= 1


def test_recorder_changes_no_token(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    observed, plain = player.play(REQUEST), player.play(replace(REQUEST, observe=0))
    assert observed.ids == plain.ids
    assert all(token.observed is None for token in plain.tokens)
    assert observed.finish.precision == "float32"


def test_recorder_emits_no_mlx_array(open_model: Open, tiny_llama: Path) -> None:
    played = open_model(tiny_llama).play(REQUEST)
    waiting: list[object] = [*played.events, played.finish]
    plain = (str, int, float, bool, bytes, type(None))
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting.extend(value)
        elif not isinstance(value, plain):
            assert type(value).__module__.startswith(("app.engine.types", "pathlib")), value
            waiting.extend(getattr(value, name) for name in getattr(value, "__slots__", ()))


@settings(max_examples=40)
@given(st.lists(st.floats(-30, 30, width=32), min_size=8, max_size=40), st.integers(1, 7), st.data())
def test_recorder_distribution_sums_to_one(logits: list[float], top: int, data: st.DataObject) -> None:
    token = data.draw(st.integers(0, len(logits) - 1))
    observer = LogprobRecorder(top, frozenset({0, 3}), str, SampledDistribution(Sampling(), frozenset()))
    observer.keep_raw(mx.array([logits]))
    observer.note(token)
    (seen,) = observer.describe()
    assert len(seen.top) == top
    assert sum(math.exp(candidate.logprob) for candidate in seen.top) + seen.rest == pytest.approx(1, abs=1e-4)
    assert 0 <= seen.entropy <= math.log(len(logits)) + 1e-4
    assert 1 <= seen.rank <= len(logits)
    assert seen.chosen.text == str(token)


def test_recorder_waits_for_no_later_step(open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a token is described mlx gets no work, which would queue behind the next step."""
    player = open_model(tiny_llama)
    asked: list[str] = []

    def guarded(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **options: object) -> object:
            with pytest.MonkeyPatch.context() as patch:
                for name in ("eval", "async_eval", "argpartition", "exp", "logsumexp"):
                    patch.setattr(mx, name, lambda *_, name=name: asked.append(name))
                return real(*args, **options)

        return call

    for name in ("note", "describe"):
        monkeypatch.setattr(LogprobRecorder, name, guarded(getattr(LogprobRecorder, name)))
    played = player.play(REQUEST)
    assert all(token.observed for token in played.tokens)
    assert asked == []


def test_recorder_time_is_reported(open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(tiny_llama)
    assert player.play(replace(REQUEST, observe=0)).finish.observing == 0.0
    finish = player.play(REQUEST).finish
    assert 0 < finish.observing < finish.times.ended - finish.times.sent
    monkeypatch.setattr("app.engine.mlx.logprob_recorder.time.perf_counter", itertools.count(0.0, 0.25).__next__)
    seconds = player.play(REQUEST).finish.observing
    assert seconds >= 0.25 * 16 * 2
    assert seconds % 0.25 == 0


TOKENS = 1_500
BATCH = 20
VOCABULARY = 512
TOKEN_BYTES = 2_000
DRAWING = SampledDistribution(Sampling(top_p=0.9), frozenset())


@pytest.mark.slow
def test_token_with_ten_alternatives_takes_less_than_two_kilobytes() -> None:
    observer = LogprobRecorder(10, frozenset({2}), Texts(lambda each: f" w{each}").__getitem__, DRAWING)
    logits = [mx.array(row) for row in np.random.default_rng(1).normal(0, 3, (BATCH, 1, 1, VOCABULARY))]
    tokens: list[Token] = []

    def fill() -> None:
        for first in range(0, TOKENS, BATCH):
            for row in logits:
                observer.keep_raw(row)
                observer.note(first % VOCABULARY)
            for place, seen in enumerate(observer.describe(), first):
                text = f" word{place}"
                tokens.append(
                    Token(place, place % 50_000, text, (VisibleText(Channel.NORMAL, text),), place / 7, False, seen)
                )

    assert _grown(fill) / TOKENS < TOKEN_BYTES
    assert len(tokens) == TOKENS


def test_tokens_read_from_the_journal_take_no_more_memory() -> None:
    observer = LogprobRecorder(10, frozenset({2}), str, DRAWING)
    observer.keep_raw(mx.array(np.random.default_rng(2).normal(0, 3, (1, VOCABULARY))))
    observer.note(5)
    said = pack_observed(observer.describe() * 1_000)
    kept: list[object] = []
    assert _grown(lambda: kept.extend(unpack_observed(said, 1_000))) / 1_000 < TOKEN_BYTES / 2
    assert len(kept) == 1_000


def _grown(work: Callable[[], None]) -> int:
    """Return by how many bytes the memory has grown."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
