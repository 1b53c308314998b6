"""What is observed while generating equals an independent pass over prompt and answer, computed in float64."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.engine.mlx.observe import Observer
from app.engine.types import KV, Limits, Request, Sampling, TokenPrompt
from tests import models
from tests.engine.mlx.conftest import Open, Played, Player

TOLERANCE = 1e-3
IDS = tuple(5 + (index * 37) % 300 for index in range(24))
REQUEST = Request(TokenPrompt(IDS), Sampling(temperature=0.9, seed=3), Limits(16), observe=10)

Floats = NDArray[np.float64]


def forward(player: Player, ids: list[int]) -> Floats:
    """Raw logits of every position, in one pass and with no cache."""
    main = player.engine._main
    assert main is not None
    logits = main.module(mx.array(ids)[None])
    return np.array(logits[0].astype(mx.float32)).astype(np.float64)


def log_softmax(logits: Floats) -> Floats:
    shifted = logits - logits.max()
    return np.asarray(shifted - np.log(np.exp(shifted).sum()))


def untouched(logits: Floats, before: list[int]) -> Floats:
    return logits


def repetition(logits: Floats, before: list[int]) -> Floats:
    changed = logits.copy()
    seen = sorted(set(before[-20:]))
    changed[seen] = np.where(changed[seen] < 0, changed[seen] * 1.4, changed[seen] / 1.4)
    return changed


def assert_true(player: Player, played: Played, adjust: Callable[[Floats, list[int]], Floats] = untouched) -> None:
    everything = [*played.prompted.prompt.ids, *played.ids]
    rows = forward(player, everything[:-1])
    start = len(played.prompted.prompt.ids)
    ends = [token for token, _ in player.model.eos]
    for place, token in enumerate(played.tokens):
        raw = rows[start + place - 1]
        logprobs = log_softmax(adjust(raw, everything[: start + place]))
        seen = token.observed
        assert seen is not None
        assert seen.chosen.id == token.id
        assert seen.chosen.logprob == pytest.approx(logprobs[token.id], abs=TOLERANCE)
        assert seen.chosen.raw_logit == pytest.approx(raw[token.id], abs=TOLERANCE)
        best = np.sort(logprobs)[::-1][: len(seen.top)]
        assert [candidate.logprob for candidate in seen.top] == pytest.approx(list(best), abs=TOLERANCE)
        for candidate in seen.top:
            assert candidate.logprob == pytest.approx(logprobs[candidate.id], abs=TOLERANCE)
            assert candidate.raw_logit == pytest.approx(raw[candidate.id], abs=TOLERANCE)
        assert seen.entropy == pytest.approx(-(np.exp(logprobs) * logprobs).sum(), abs=TOLERANCE)
        assert seen.eos_probability == pytest.approx(np.exp(logprobs[ends]).sum(), abs=TOLERANCE)
        assert seen.rest == pytest.approx(1 - np.exp(best).sum(), abs=TOLERANCE)
        assert logprobs[token.id] == pytest.approx(np.sort(logprobs)[::-1][seen.rank - 1], abs=TOLERANCE)


@pytest.mark.parametrize("model", ["tiny_llama", "llama3_rope", "sliding_window"])
def test_against_an_independent_pass(open_model: Open, request: pytest.FixtureRequest, model: str) -> None:
    player = open_model(request.getfixturevalue(model))
    played = player.play(REQUEST)
    assert len(played.tokens) == 16
    assert_true(player, played)


def test_with_a_penalty(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    sampling = Sampling(temperature=0, repetition_penalty=1.4)
    played = player.play(replace(REQUEST, sampling=sampling))
    assert_true(player, played, repetition)
    cached = player.play(replace(REQUEST, sampling=sampling))
    assert cached.finish.reused > 0
    assert_true(player, cached, repetition)


@pytest.mark.parametrize("penalty", [1.0, 1.4])
def test_with_a_draft_model(open_model: Open, tiny_llama: Path, tmp_path: Path, penalty: float) -> None:
    draft = models.tiny_llama(tmp_path / "draft", num_hidden_layers=1)
    adjust = untouched if penalty == 1.0 else repetition
    for second in (draft, tiny_llama):
        player = open_model(tiny_llama, second)
        sampling = Sampling(temperature=0, repetition_penalty=penalty)
        played = player.play(replace(REQUEST, sampling=sampling, draft_tokens=3))
        assert_true(player, played, adjust)
    assert any(token.from_draft for token in played.tokens)


def test_in_the_bare_loop(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    assert_true(player, player.play(replace(REQUEST, kv=KV(enabled=False))))


def test_in_half_precision(open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.mlx.load.RAISE_LIMIT_BYTES", 0)
    player = open_model(tiny_llama)
    main = player.engine._main
    assert main is not None
    main.module.set_dtype(mx.bfloat16)
    played = player.play(replace(REQUEST, sampling=Sampling(temperature=0, repetition_penalty=1.4)))
    for token in played.tokens:
        assert token.observed is not None
        total = sum(math.exp(candidate.logprob) for candidate in token.observed.top) + token.observed.rest
        assert total == pytest.approx(1.0, abs=TOLERANCE)


def test_observing_changes_no_token(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    assert player.play(REQUEST).ids == player.play(replace(REQUEST, observe=0)).ids


def test_not_asked_for_is_not_there(open_model: Open, tiny_llama: Path) -> None:
    played = open_model(tiny_llama).play(replace(REQUEST, observe=0))
    assert all(token.observed is None for token in played.tokens)


def test_no_array_leaves_the_engine(open_model: Open, tiny_llama: Path) -> None:
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


@given(st.lists(st.floats(-30, 30, width=32), min_size=8, max_size=40), st.integers(1, 7), st.data())
def test_any_distribution_adds_up(logits: list[float], top: int, data: st.DataObject) -> None:
    token = data.draw(st.integers(0, len(logits) - 1))
    observer = Observer(top, frozenset({0, 3}), str)
    observer.keep_raw(mx.array([logits]))
    observer.note(token)
    (seen,) = observer.describe()
    assert len(seen.top) == top
    assert sum(math.exp(candidate.logprob) for candidate in seen.top) + seen.rest == pytest.approx(1, abs=1e-4)
    assert 0 <= seen.entropy <= math.log(len(logits)) + 1e-4
    assert 1 <= seen.rank <= len(logits)
    assert seen.chosen.text == str(token)


def test_reading_waits_for_no_later_step(open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a token is described, mlx is given nothing to compute: that would queue behind the next step."""
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
        monkeypatch.setattr(Observer, name, guarded(getattr(Observer, name)))
    played = player.play(REQUEST)
    assert all(token.observed for token in played.tokens)
    assert asked == []


def test_a_run_tells_what_observing_took(open_model: Open, tiny_llama: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(tiny_llama)
    assert player.play(replace(REQUEST, observe=0)).finish.observing == 0.0
    finish = player.play(REQUEST).finish
    assert 0 < finish.observing < finish.times.ended - finish.times.sent
    monkeypatch.setattr("app.engine.mlx.observe.time.perf_counter", itertools.count(0.0, 0.25).__next__)
    seconds = player.play(REQUEST).finish.observing
    assert seconds >= 0.25 * 16 * 2
    assert seconds % 0.25 == 0
