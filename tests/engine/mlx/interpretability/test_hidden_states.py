import mlx.core as mx
import numpy as np
import pytest
from mlx.nn.layers.quantized import quantize

from app.engine.jobs import ReadHiddenStates
from app.engine.mlx.interpretability import hidden_states
from app.engine.mlx.interpretability.hidden_states import NEIGHBOURS, WINDOW, read_hidden_states
from app.engine.protocol import StopFlag
from app.engine.types import Cancellation, HiddenStates, Prefill, TokenPrompt
from tests.engine.mlx.architectures import ARCHITECTURES, IDS, inspected
from tests.engine.mlx.conftest import Player

UNSUPPORTED = {"iquestloopcoder"}


def states(player: Player, ids: tuple[int, ...], position: int) -> HiddenStates:
    return player.result(ReadHiddenStates(TokenPrompt(ids), position))


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_hidden_states_of_any_architecture_are_read(name: str) -> None:
    job = ReadHiddenStates(TokenPrompt(IDS), 30)
    found = inspected(name, UNSUPPORTED, lambda context: (read_hidden_states(context, IDS, job), context.main.module))
    if found is not None:
        read, module = found
        assert len(read.layers) == len(read.alike) == len(module.layers)
        assert read.near is not None and len(read.near) == NEIGHBOURS
        assert all(each.norm > 0 for each in read.layers)


@pytest.mark.slow
def test_hidden_states_equal_those_of_each_layer(demo: Player) -> None:
    found, inner, at = states(demo, IDS, 20), demo.main.module.model, 20
    hidden = inner.embed_tokens(mx.array(IDS)[None])
    for layer, state, cosines in zip(inner.layers, found.layers, found.alike, strict=True):
        before, hidden = np.array(hidden[0, at], np.float64), layer(hidden, "causal")
        rows = np.array(hidden[0], np.float64)
        assert state.norm == pytest.approx(np.linalg.norm(rows[at]), rel=1e-5)
        assert state.change == pytest.approx(np.linalg.norm(rows[at] - before) / np.linalg.norm(before), rel=1e-5)
        assert state.cosine == pytest.approx(before @ rows[at] / np.linalg.norm(before) / state.norm, abs=1e-5)
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        assert np.array(cosines).reshape(len(IDS), -1) == pytest.approx(unit @ unit.T, abs=1e-5)
    assert (found.first, found.size, found.position) == (0, len(IDS), at)


@pytest.mark.slow
@pytest.mark.parametrize("is_quantized", [False, True])
def test_nearest_embeddings_equal_a_numpy_search(
    demo: Player, monkeypatch: pytest.MonkeyPatch, is_quantized: bool
) -> None:
    monkeypatch.setattr(hidden_states, "LOGITS_BYTES", 300 * 4 * 160)
    if is_quantized:
        quantize(demo.main.module, 32, 8)
    table = demo.main.module.model.embed_tokens
    assert hasattr(table, "scales") is is_quantized
    rows = np.array(table(mx.arange(demo.model.vocabulary)), np.float64)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-12)
    cosines = unit @ unit[IDS[20]]
    cosines[IDS[20]] = -1
    near = states(demo, IDS, 20).near
    assert near is not None and [each.id for each in near] == np.argsort(-cosines)[:NEIGHBOURS].tolist()
    assert [each.cosine for each in near] == pytest.approx(np.sort(-cosines)[:NEIGHBOURS] * -1, abs=1e-5)


@pytest.mark.slow
def test_hidden_states_of_a_long_text_are_a_window_around_the_token(demo: Player) -> None:
    ids = IDS * 20
    for position, first in ((3, 0), (300, 300 + 1 + WINDOW // 2 - WINDOW), (799, 800 - WINDOW)):
        found, alone = states(demo, ids, position), states(demo, ids[: position + 1], position)
        assert (found.first, found.size) == (first, WINDOW)
        assert [each.norm for each in found.layers] == pytest.approx([each.norm for each in alone.layers], rel=1e-4)


@pytest.mark.slow
def test_hidden_states_stop_in_the_prefill_and_after_it(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    job = ReadHiddenStates(TokenPrompt(IDS * 10), 399)
    demo.cancelled(job, lambda event: isinstance(event, Prefill) and event.done > 0)
    stop = StopFlag()

    def late(*_: object) -> tuple[None, list[mx.array]]:
        stop.ask()
        return None, [mx.ones((40, 8))]

    monkeypatch.setattr(hidden_states, "states", late)
    assert isinstance(demo.do(ReadHiddenStates(TokenPrompt(IDS), 20), stop=stop), Cancellation)


def test_hidden_states_that_are_infinite_give_finite_numbers(demo: Player) -> None:
    scale = demo.main.module.model.layers[1].mlp.down_proj
    scale.weight = scale.weight * mx.inf
    found = states(demo, IDS, 20)
    assert np.isfinite([(each.norm, each.change or 0.0, each.cosine or 0.0) for each in found.layers]).all()
    assert all(np.isfinite(each).all() for each in found.alike)
