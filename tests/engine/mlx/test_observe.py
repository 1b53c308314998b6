"""Observing changes no token, waits for nothing and keeps no array; that what it tells is true is tested beside."""

import itertools
import math
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.mlx.drawing import Drawing
from app.engine.mlx.observe import Observer
from app.engine.types import Limits, Request, Sampling, TokenPrompt
from tests.engine.mlx.conftest import Open

TOLERANCE = 1e-3
IDS = tuple(5 + (index * 37) % 300 for index in range(24))
REQUEST = Request(TokenPrompt(IDS), Sampling(temperature=0.9, seed=3), Limits(16), observe=10)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_in_half_precision(
    open_model: Open, tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    """What is told adds up, is as near as such logits are, and the run says what they are of."""
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


def test_in_full_precision(open_model: Open, tiny_llama: Path) -> None:
    assert open_model(tiny_llama).play(REQUEST).finish.precision == "float32"


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
    observer = Observer(top, frozenset({0, 3}), str, Drawing(Sampling(), frozenset()))
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
