"""Every figure equals that of a Llama in float64 which shares nothing with the engine, on two models."""

import shutil
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import LoadRequest, RawPrompt
from app.weighing.weighing import Order, Weighing
from tests.weighing.numpy_llama import Floats, logprobs

TEXT = (
    "Once upon a time there was a fox named Tolin who lived by the sea. Every morning Tolin went to the water and "
    "counted the waves: one, two, three. 12 + 7 is 19. Then the fox ran home to eat, and that was the end. 🌊\n"
) * 3


def coarser(model: Path, folder: Path) -> Path:
    """The same model with its weights rounded to a few steps, as a quantisation has them."""
    copy = Path(shutil.copytree(model, folder / "coarse"))
    (file,) = copy.glob("*.safetensors")
    weights: dict[str, mx.array] = mx.load(str(file))  # type: ignore[assignment]
    for name, each in weights.items():
        if each.ndim == 2:
            step = mx.abs(each).max(axis=1, keepdims=True) / 7
            weights[name] = (mx.round(each / step) * step).astype(each.dtype)
    mx.save_safetensors(str(file), weights, metadata={"format": "mlx"})
    return copy


def divergence(first: Floats, second: Floats) -> Floats:
    return np.asarray((np.exp(first) * (first - second)).sum(axis=1))


def test_all_figures_are_those_of_a_llama_of_our_own(demo_model: Path, tmp_path: Path) -> None:
    coarse = coarser(demo_model, tmp_path)
    engine = MlxEngine()
    weighing = Weighing(Order(RawPrompt(TEXT), LoadRequest(str(demo_model)), LoadRequest(str(coarse))))
    assert weighing.go(engine, None, lambda event: None, StopFlag()) is None
    found = weighing.result()
    weighing.close()
    engine.unload()
    assert found is not None and found.second is not None and found.between is not None

    ids = list(found.prompt.ids)
    first, second = (logprobs(folder, ids)[:-1] for folder in (demo_model, coarse))
    size = len(found.prompt.text[found.prompt.offsets[0][1] :].encode())
    for said, rows in ((found.first, first), (found.second, second)):
        nats = -rows[np.arange(len(ids) - 1), ids[1:]]
        assert said.tokens == len(nats)
        assert said.nats_per_token == pytest.approx(nats.mean(), rel=1e-4)
        assert said.perplexity == pytest.approx(np.exp(nats.mean()), rel=1e-4)
        assert said.bits_per_byte == pytest.approx(nats.sum() / np.log(2) / size, rel=1e-4)
    middle = np.log((np.exp(first) + np.exp(second)) / 2)
    between = (divergence(first, middle) + divergence(second, middle)).mean() / 2
    assert found.between.kl_mean == pytest.approx(divergence(first, second).mean(), rel=1e-4)
    assert found.between.kl_back == pytest.approx(divergence(second, first).mean(), rel=1e-4)
    assert found.between.jensen_shannon == pytest.approx(between, rel=1e-4)
    assert found.between.same_first == (first.argmax(axis=1) == second.argmax(axis=1)).mean()
    tens = [set(np.argsort(-one)[:10]) & set(np.argsort(-other)[:10]) for one, other in zip(first, second, strict=True)]
    assert found.between.same_ten == pytest.approx(np.mean([len(each) / 10 for each in tens]), abs=1e-3)
    assert found.between.own_difference == pytest.approx(
        found.second.nats_per_token - found.first.nats_per_token, rel=1e-9
    )
    assert found.between.kl_mean > 0.01, "the copy is another model"
