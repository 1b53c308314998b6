from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx.nn.layers.base import Module

from app.engine.errors import UserError
from app.engine.jobs import ReadLens
from app.engine.mlx.interpretability.layers import Layers
from app.engine.mlx.interpretability.logit_lens import read_lens
from app.engine.mlx.job_context import JobContext
from app.engine.types import Failure, LensPosition, Limits, Prefill, RawPrompt, Request, TokenPrompt
from tests.engine.mlx import architectures
from tests.engine.mlx.architectures import ARCHITECTURES, IDS, NEED_METAL, parts
from tests.engine.mlx.asking import GREEDY
from tests.engine.mlx.conftest import Open, Player
from tests.engine.mlx.independent import log_softmax
from tests.engine.tiers import mostly_slow

EXACT = 1e-5
UNSUPPORTED = {"afm7", "deepseek_v41", "iquestloopcoder"}
"""Their layers use one another, so that none can be replaced alone."""


def positions(player: Player, ids: tuple[int, ...], indexes: range) -> tuple[LensPosition, ...]:
    return player.result(ReadLens(TokenPrompt(ids), indexes)).positions


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_lens_at_the_last_layer_equals_the_logits(name: str) -> None:
    def look(context: JobContext) -> None:
        for positions in (range(39, 40), range(30, 37), range(1)):
            found = read_lens(context, IDS, ReadLens(TokenPrompt(IDS), positions))
            assert found.max_difference <= EXACT
            assert [depth.position for depth in found.positions] == list(positions)
            assert all(len(depth.guesses) == len(context.main.module.layers) for depth in found.positions)

    architectures.inspected(name, UNSUPPORTED, look)


def test_lens_supports_110_architectures() -> None:
    assert len(architectures.names() - NEED_METAL - UNSUPPORTED) >= 110


@pytest.mark.slow
def test_lens_equals_norm_and_output_head_after_each_layer(demo: Player) -> None:
    index, inner = 20, demo.main.module.model
    (found,) = positions(demo, IDS, range(index, index + 1))
    hidden = inner.embed_tokens(mx.array(IDS[: index + 1])[None])
    for layer, guess in zip(inner.layers, found.guesses, strict=True):
        hidden = layer(hidden, "causal")
        logits = np.array(inner.embed_tokens.as_linear(inner.norm(hidden))[0, -1])
        logprobs = log_softmax(logits.astype(np.float64))
        assert [each.id for each in guess.top] == np.argsort(-logprobs)[:5].tolist()
        assert [each.logprob for each in guess.top] == pytest.approx(np.sort(logprobs)[::-1][:5].tolist(), abs=1e-4)
        assert guess.entropy == pytest.approx(-(np.exp(logprobs) * logprobs).sum(), abs=1e-4)
        assert guess.logprob == pytest.approx(logprobs[IDS[index + 1]], abs=1e-4)
    assert found.said == IDS[index + 1]


@pytest.mark.slow
def test_lens_at_the_last_token_predicts_the_next_one(demo: Player) -> None:
    prompt = demo.engine.render(RawPrompt("1, 2, 3,"))
    assert not isinstance(prompt, Failure)
    (depth,) = positions(demo, prompt.ids, range(len(prompt.ids) - 1, len(prompt.ids)))
    run = demo.play(Request(TokenPrompt(prompt.ids), GREEDY, Limits(1)))
    assert [depth.said, depth.real.first.id, depth.guesses[-1].first.id] == run.ids * 3
    assert [depth.leads_at, depth.stays_from] == [2, 2]
    assert [guess.first.text for guess in depth.guesses[1:3]] == [" and", " "]


@pytest.mark.slow
def test_lens_of_a_range_equals_that_of_each_position(demo: Player) -> None:
    for depth in positions(demo, IDS, range(5, 5 + 12)):
        (alone,) = positions(demo, IDS, range(depth.position, depth.position + 1))
        assert [guess.first.id for guess in alone.guesses] == [guess.first.id for guess in depth.guesses]
        assert [g.logprob for g in alone.guesses] == pytest.approx([g.logprob for g in depth.guesses], abs=1e-3)


@pytest.mark.parametrize("model", mostly_slow(["sliding_window", "recurrent"], "sliding_window"))
def test_lens_leaves_an_untrimmable_cache_alone(open_model: Open, model: str) -> None:
    player, alone = open_model(model), open_model(model)
    request = Request(TokenPrompt(IDS), GREEDY, Limits(6))
    assert player.play(request).ids == alone.play(request).ids
    positions(player, IDS, range(20, 24))
    longer = Request(TokenPrompt(IDS * 2), GREEDY, Limits(6))
    assert player.play(longer).ids == alone.play(longer).ids


def test_lens_stops_in_the_prefill(player: Player) -> None:
    whole = parts(player.main.module)
    job = ReadLens(TokenPrompt(IDS * 10), range(399, 400))
    player.cancelled(job, lambda event: isinstance(event, Prefill) and event.done > 0)
    positions(player, IDS, range(4))
    assert parts(player.main.module) == whole


def broken(*_: object, **__: object) -> None:
    raise ValueError("no")


def bent(output: Any) -> Any:
    return output * 1.5 + 0.1


@pytest.mark.parametrize(("name", "value"), [("OutputRecorder.__call__", broken), ("_same", bent)])
def test_lens_that_differs_is_refused(demo: Player, monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    whole = parts(demo.main.module)
    with monkeypatch.context() as patch:
        patch.setattr(f"app.engine.mlx.interpretability.layers.{name}", value)
        failure = demo.do(ReadLens(TokenPrompt(IDS), range(1)))
    assert isinstance(failure, Failure) and failure.kind == "layers"
    assert parts(demo.main.module) == whole
    positions(demo, IDS, range(1))


def test_layers_of_a_model_without_layers_are_refused() -> None:
    with pytest.raises(UserError):
        Layers(Module())
