"""What the layers hand on: as worked out by hand, on any architecture, and nothing is changed by looking."""

from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest
from mlx.nn.layers.quantized import quantize

from app.engine.errors import UserError
from app.engine.jobs import ReadHiddenStates
from app.engine.mlx.caches.cache import PromptCache
from app.engine.mlx.interpretability import hidden_states as looking
from app.engine.mlx.interpretability.hidden_states import NEIGHBOURS, WINDOW, hidden_states
from app.engine.protocol import StopFlag
from app.engine.types import Event, HiddenStates, Prefill, RawPrompt, Stopped, TokenPrompt
from tests.engine.mlx import architectures
from tests.engine.mlx.architectures import IDS, NEED_METAL, REPRESENTATIVE, bare, parts
from tests.engine.mlx.conftest import Open, Player
from tests.engine.tiers import mostly_slow

DEMO = Path(__file__).parents[4] / "resources" / "models" / "demo"
TOLD_APART = {"iquestloopcoder"}


def looked(player: Player, ids: tuple[int, ...], place: int) -> HiddenStates:
    found = player.engine.run_job(ReadHiddenStates(TokenPrompt(ids), place), lambda event: None, StopFlag())
    assert isinstance(found, HiddenStates), found
    return found


@pytest.mark.parametrize("name", mostly_slow(sorted(architectures.names() - NEED_METAL), *REPRESENTATIVE))
def test_any_architecture_is_seen_and_stays_as_it_is(name: str) -> None:
    module = architectures.built(name)
    before, whole = module(mx.array(IDS)[None]), parts(module)
    mx.eval(before)
    try:
        found = hidden_states(bare(module, before.shape[-1]), PromptCache(), IDS, 30, lambda event: None, StopFlag())
        assert name not in TOLD_APART
        assert len(found.layers) == len(found.alike) == len(module.layers)
        assert found.near is not None and len(found.near) == NEIGHBOURS
        assert all(each.norm > 0 for each in found.layers)
    except UserError as refused:
        assert name in TOLD_APART, refused.failure
    assert mx.array_equal(module(mx.array(IDS)[None]), before, equal_nan=True)
    assert parts(module) == whole


@pytest.mark.slow
def test_each_layer_as_worked_out_by_hand(open_model: Open) -> None:
    player = open_model(DEMO)
    main = player.engine._main
    assert main is not None
    found, inner, at = looked(player, IDS, 20), main.module.model, 20
    hidden = inner.embed_tokens(mx.array(IDS)[None])
    for layer, state, cosines in zip(inner.layers, found.layers, found.alike, strict=True):
        came, hidden = np.array(hidden[0, at], np.float64), layer(hidden, "causal")
        rows = np.array(hidden[0], np.float64)
        assert state.norm == pytest.approx(np.linalg.norm(rows[at]), rel=1e-5)
        assert state.change == pytest.approx(np.linalg.norm(rows[at] - came) / np.linalg.norm(came), rel=1e-5)
        assert state.cosine == pytest.approx(came @ rows[at] / np.linalg.norm(came) / state.norm, abs=1e-5)
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        assert np.array(cosines).reshape(len(IDS), -1) == pytest.approx(unit @ unit.T, abs=1e-5)
    assert (found.first, found.size, found.position) == (0, len(IDS), at)


@pytest.mark.slow
def test_the_nearest_tokens_of_a_table_that_is_packed_too(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player = open_model(DEMO)
    main = player.engine._main
    assert main is not None
    monkeypatch.setattr(looking, "LOGITS_BYTES", 300 * 4 * 160)
    for packed in (False, True):
        if packed:
            quantize(main.module, 32, 8)
        table = main.module.model.embed_tokens
        assert hasattr(table, "scales") is packed
        rows = np.array(table(mx.arange(main.model.vocabulary)), np.float64)
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-12)
        cosines = unit @ unit[IDS[20]]
        cosines[IDS[20]] = -1
        near = looked(player, IDS, 20).near
        assert near is not None and [each.id for each in near] == np.argsort(-cosines)[:NEIGHBOURS].tolist()
        assert [each.cosine for each in near] == pytest.approx(np.sort(-cosines)[:NEIGHBOURS] * -1, abs=1e-5)


@pytest.mark.slow
def test_of_a_long_text_a_window_around_the_token(open_model: Open) -> None:
    player, ids = open_model(DEMO), IDS * 20
    for place, first in ((3, 0), (300, 300 + 1 + WINDOW // 2 - WINDOW), (799, 800 - WINDOW)):
        found = looked(player, ids, place)
        assert (found.first, found.size) == (first, WINDOW)
        alone = looked(player, ids[: place + 1], place)
        assert [each.norm for each in found.layers] == pytest.approx([each.norm for each in alone.layers], rel=1e-4)


@pytest.mark.slow
def test_where_a_text_loops_its_states_come_to_agree(open_model: Open) -> None:
    player = open_model(DEMO)
    prompt = player.engine.render(RawPrompt("The cat sat. " * 30))
    found = looked(player, prompt.ids, len(prompt.ids) - 1)  # type: ignore[union-attr]
    assert found.loop is not None and (found.loop.start, found.loop.period) == (1, 4)
    agree = found.agree_from(found.loop)
    assert agree is not None and 1 < agree < 60


@pytest.mark.slow
def test_stop_is_heard_before_the_window_and_behind_it(open_model: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    player, stop = open_model(DEMO), StopFlag()

    def asks(event: Event) -> None:
        if isinstance(event, Prefill) and event.done:
            stop.ask()

    source = TokenPrompt(IDS * 10)
    assert isinstance(player.engine.run_job(ReadHiddenStates(source, 399), asks, stop), Stopped)
    stop = StopFlag()

    def late(*given: object) -> tuple[None, list[mx.array]]:
        stop.ask()
        return None, [mx.ones((40, 8))]

    monkeypatch.setattr(looking, "states", late)
    outcome = player.engine.run_job(ReadHiddenStates(TokenPrompt(IDS), 20), lambda event: None, stop)
    assert isinstance(outcome, Stopped)


def test_what_has_run_over_is_a_number_all_the_same(open_model: Open) -> None:
    player = open_model(DEMO)
    main = player.engine._main
    assert main is not None
    scale = main.module.model.layers[1].mlp.down_proj
    scale.weight = scale.weight * mx.inf
    found = looked(player, IDS, 20)
    figures = [(each.norm, each.change or 0.0, each.cosine or 0.0) for each in found.layers]
    assert np.isfinite(figures).all()
    assert all(np.isfinite(each).all() for each in found.alike)
