from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import pytest
from mlx.nn.layers.base import Module
from mlx.nn.layers.embedding import Embedding

from app.engine.mlx.loading.probe import _exceeded_tables, vocabulary_of
from app.engine.types import Limits, Request, Sampling, TokenPrompt
from tests import models
from tests.engine.mlx.conftest import Open

pytestmark = pytest.mark.usefixtures("timed_in_full")

SHORT = 300


def test_vocabulary_is_the_shortest_token_table(open_model: Open, tmp_path: Path) -> None:
    model = open_model(models.two_tables(tmp_path / "short", vocab_size_per_layer_input=SHORT)).model
    assert model.vocabulary == SHORT
    assert open_model(models.two_tables(tmp_path / "even")).model.vocabulary == models.VOCABULARY_ROWS


@pytest.mark.parametrize("positions", [64, 2048])
def test_vocabulary_ignores_position_tables(open_model: Open, tmp_path: Path, positions: int) -> None:
    folder = models.table_of_positions(tmp_path / "gpt2", n_positions=positions, n_ctx=positions)
    assert open_model(folder).model.vocabulary == models.VOCABULARY_ROWS


def test_vocabulary_ignores_unused_tables() -> None:
    """As in gemma3n: ids beyond the second table are read there as the first one."""

    class Masked(Module):
        def __init__(self) -> None:
            super().__init__()  # type: ignore[no-untyped-call]
            self.layers: list[Module] = []
            self.first, self.second = Embedding(40, 4), Embedding(30, 4)

        def __call__(self, ids: mx.array, cache: object = None) -> mx.array:
            return mx.array(self.first(ids) + self.second(mx.where(ids < 30, ids, 0)))

    assert vocabulary_of(Masked(), 40) == 40
    assert vocabulary_of(Masked(), 35) == 35


@pytest.mark.parametrize("beyond", [0, 1, 83])
def test_prompt_id_above_the_vocabulary_is_refused(open_model: Open, tmp_path: Path, beyond: int) -> None:
    player = open_model(models.two_tables(tmp_path / "short", vocab_size_per_layer_input=SHORT))
    for request in (
        Request(TokenPrompt((5, SHORT + beyond))),
        Request(TokenPrompt((5,)), Sampling(logit_bias=((SHORT + beyond, 100.0),))),
    ):
        assert str(SHORT + beyond) in player.failure(request).what


@pytest.mark.slow
def test_run_samples_no_id_above_the_vocabulary(open_model: Open, tmp_path: Path) -> None:
    """Its logits have more rows: even at a high temperature no id beyond the short table is sampled."""
    player = open_model(models.two_tables(tmp_path / "short", vocab_size_per_layer_input=SHORT))
    request = Request(TokenPrompt((5, 6)), Sampling(temperature=10.0, seed=3), Limits(60), observe=3)
    with _exceeded_tables() as exceeded:
        played = player.play(request)
        bare = player.play(replace(request, kv=replace(request.kv, enabled=False), limits=Limits(8)))
    assert played.finish.failure is bare.finish.failure is None
    assert max((*played.ids, *bare.ids)) < SHORT
    assert exceeded == []
