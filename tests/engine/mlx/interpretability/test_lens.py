"""What the layers would have said: the last one says what the model says, whatever it is, and nothing is changed."""

import math
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx.nn.layers.base import Module

from app.engine.errors import UserError
from app.engine.jobs import ReadLens
from app.engine.mlx.caches.cache import PromptCache
from app.engine.mlx.interpretability.layers import Layers
from app.engine.mlx.interpretability.lens import look_inside
from app.engine.protocol import StopFlag
from app.engine.types import (
    Event,
    Failure,
    LensResult,
    Limits,
    Prefill,
    RawPrompt,
    Request,
    Sampling,
    Stopped,
    TokenPrompt,
)
from tests import models
from tests.engine.mlx import architectures
from tests.engine.mlx.architectures import IDS, NEED_METAL, REPRESENTATIVE, bare, parts
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow

DEMO = Path(__file__).parents[4] / "resources" / "models" / "demo"
EXACT = 1e-5
TOLD_APART = {"afm7", "deepseek_v41", "iquestloopcoder"}
"""Their layers look at one another, so that none can be stood in for alone."""
GREEDY = Sampling(temperature=0)


def looked(player: Player, ids: tuple[int, ...], places: range) -> LensResult:
    found = player.engine.run_job(ReadLens(TokenPrompt(ids), places), lambda event: None, StopFlag())
    assert isinstance(found, LensResult), found
    return found


@pytest.mark.parametrize("name", mostly_slow(sorted(architectures.names() - NEED_METAL), *REPRESENTATIVE))
def test_the_last_layer_says_what_the_model_says(name: str) -> None:
    module = architectures.built(name)
    before, whole = module(mx.array(IDS)[None]), parts(module)
    mx.eval(before)
    main = bare(module, before.shape[-1])
    try:
        for places in (range(39, 40), range(30, 37), range(1)):
            found = look_inside(main, PromptCache(), IDS, places, lambda event: None, StopFlag())
            assert isinstance(found, LensResult)
            assert found.max_difference <= EXACT
            assert [depth.position for depth in found.places] == list(places)
            assert all(len(depth.guesses) == len(module.layers) for depth in found.places)
        assert name not in TOLD_APART
    except UserError as refused:
        assert name in TOLD_APART, refused.failure
    assert mx.array_equal(module(mx.array(IDS)[None]), before, equal_nan=True)
    assert parts(module) == whole


def test_enough_of_them_are_tried() -> None:
    assert len(architectures.names() - NEED_METAL - TOLD_APART) >= 110


@pytest.mark.slow
def test_each_layer_against_its_own_norm_and_readout(open_model: Open) -> None:
    player = open_model(DEMO)
    main = player.engine._main
    assert main is not None
    place, inner = 20, main.module.model
    found = looked(player, IDS, range(place, place + 1)).places[0]
    hidden, mask = inner.embed_tokens(mx.array(IDS[: place + 1])[None]), "causal"
    for layer, guess in zip(inner.layers, found.guesses, strict=True):
        hidden = layer(hidden, mask)
        logits = np.array(inner.embed_tokens.as_linear(inner.norm(hidden))[0, -1]).astype(np.float64)
        logprobs = logits - logits.max()
        logprobs -= math.log(np.exp(logprobs).sum())
        assert [each.id for each in guess.top] == np.argsort(-logprobs)[:5].tolist()
        assert [each.logprob for each in guess.top] == pytest.approx(np.sort(logprobs)[::-1][:5].tolist(), abs=1e-4)
        assert guess.entropy == pytest.approx(-(np.exp(logprobs) * logprobs).sum(), abs=1e-4)
        assert guess.logprob == pytest.approx(logprobs[IDS[place + 1]], abs=1e-4)
    assert found.said == IDS[place + 1]


@pytest.mark.slow
def test_the_last_place_says_what_the_model_would_say_next(open_model: Open) -> None:
    player = open_model(DEMO)
    prompt = player.engine.render(RawPrompt("1, 2, 3,"))
    assert not isinstance(prompt, Failure)
    depth = looked(player, prompt.ids, range(len(prompt.ids) - 1, len(prompt.ids))).places[0]
    run = player.play(Request(TokenPrompt(prompt.ids), GREEDY, Limits(1)))
    assert [depth.said, depth.real.first.id, depth.guesses[-1].first.id] == run.ids * 3
    assert [depth.leads_at, depth.stays_from] == [2, 2]
    assert [guess.first.text for guess in depth.guesses[1:3]] == [" and", " "]


@pytest.mark.slow
def test_a_stretch_is_its_places_one_by_one(open_model: Open) -> None:
    player = open_model(DEMO)
    stretch = looked(player, IDS, range(5, 5 + 12)).places
    for depth in stretch:
        alone = looked(player, IDS, range(depth.position, depth.position + 1)).places[0]
        assert [guess.first.id for guess in alone.guesses] == [guess.first.id for guess in depth.guesses]
        assert [g.logprob for g in alone.guesses] == pytest.approx([g.logprob for g in depth.guesses], abs=1e-3)


@pytest.mark.parametrize("maker", mostly_slow([models.sliding_window, models.recurrent], models.sliding_window))
def test_a_cache_that_cannot_be_cut_is_left_alone(open_model: Open, tmp_path: Path, maker: Any) -> None:
    player, alone = open_model(maker(tmp_path)), open_model(tmp_path)
    request = Request(TokenPrompt(IDS), GREEDY, Limits(6))
    assert player.play(request).ids == alone.play(request).ids
    looked(player, IDS, range(20, 24))
    longer = Request(TokenPrompt(IDS * 2), GREEDY, Limits(6))
    assert player.play(longer).ids == alone.play(longer).ids


def test_stop_is_heard_between_two_chunks_and_between_two_layers(open_model: Open, tmp_path: Path) -> None:
    player = open_model(models.tiny_llama(tmp_path))
    stop = StopFlag()

    def asks(event: Event) -> None:
        if isinstance(event, Prefill) and event.done:
            stop.ask()

    outcome = player.engine.run_job(ReadLens(TokenPrompt(IDS * 10), range(399, 400)), asks, stop)
    assert isinstance(outcome, Stopped)
    main = player.engine._main
    assert main is not None
    whole = parts(main.module)
    looked(player, IDS, range(4))
    assert parts(main.module) == whole


def test_a_layer_that_fails_is_put_back_and_told(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(DEMO)
    main = player.engine._main
    assert main is not None
    whole = parts(main.module)

    def broken(*_: object, **__: object) -> None:
        raise ValueError("no")

    with monkeypatch.context() as patch:
        patch.setattr("app.engine.mlx.interpretability.layers.OutputRecorder.__call__", broken)
        failure = player.engine.run_job(ReadLens(TokenPrompt(IDS), range(1)), lambda event: None, StopFlag())
    assert isinstance(failure, Failure) and failure.kind == "layers"
    assert parts(main.module) == whole
    looked(player, IDS, range(1))


def test_what_is_not_the_models_answer_is_not_told(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(DEMO)

    def bent(output: Any) -> Any:
        return output * 1.5 + 0.1

    monkeypatch.setattr("app.engine.mlx.interpretability.layers._same", bent)
    failure = player.engine.run_job(ReadLens(TokenPrompt(IDS), range(1)), lambda event: None, StopFlag())
    assert isinstance(failure, Failure) and failure.kind == "layers"


def test_a_model_without_lists_of_layers_is_refused() -> None:
    with pytest.raises(UserError):
        Layers(Module())
