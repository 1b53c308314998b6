"""A text goes through one model or two, also after a stop; the figures equal those of a Llama in float64."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

from app.engine.mlx import perplexity
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Cancellation, Event, Failure, Loading, LoadRequest, Prefill, RawPrompt
from app.perplexity.measuring import PerplexityJob, PerplexityMeasurement
from app.perplexity.result import PerplexityResult, changed
from tests.adapters import adapter
from tests.models import shortened
from tests.perplexity.numpy_llama import Floats, logprobs

TEXT = "Once upon a time there was a fox named Tolin who lived by the sea, and counted 1, 2, 3 waves. "


@pytest.fixture
def engine() -> Iterator[MlxEngine]:
    made = MlxEngine()
    yield made
    made.unload()


def whole(engine: MlxEngine, order: PerplexityJob) -> PerplexityResult:
    weighing = PerplexityMeasurement(order)
    assert weighing.go(engine, None, lambda event: None, StopFlag()) is None
    found = weighing.result()
    weighing.close()
    assert found is not None
    return found


def order(text: str, *models: Path) -> PerplexityJob:
    return PerplexityJob(RawPrompt(text), *(LoadRequest(str(each)) for each in models))


class StopAt:
    """Asks to stop as soon as so many tokens are read."""

    def __init__(self, done: int) -> None:
        self.done, self.flag, self.told = done, StopFlag(), list[Event]()

    def emit(self, event: Event) -> None:
        self.told.append(event)
        if isinstance(event, Prefill) and event.done >= self.done:
            self.flag.ask()


@pytest.mark.slow
@pytest.mark.parametrize(("times", "context"), [(12, 1_024), (20, 512)], ids=["one window", "several windows"])
def test_perplexity_measurement_stopped_and_resumed_gives_the_same_result(
    engine: MlxEngine,
    tiny_llama: Path,
    llama3_rope: Path,
    times: int,
    context: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(perplexity, "SEEN_CHUNK", 64)
    asked = order(TEXT * times, shortened(tiny_llama, tmp_path, context), llama3_rope)
    expected = whole(engine, asked)
    assert (expected.windows > 1) is (context < len(expected.positions))
    weighing, done = PerplexityMeasurement(asked), 0
    outcome: object = Cancellation()
    while isinstance(outcome, Cancellation):
        stopping = StopAt(done)
        outcome = weighing.go(engine, None, stopping.emit, stopping.flag)
        done += len(expected.positions) // 3
        so_far = weighing.result()
        if so_far is not None:
            assert so_far.first.each == expected.first.each[: so_far.first.tokens]
            assert so_far.kl == expected.kl[: len(so_far.kl)]
            tokens = len(so_far.kl) if so_far.second else so_far.first.tokens
            assert tokens == so_far.first.tokens > 0, "both models on the same part of the text"
            assert so_far.second is None or so_far.second.tokens == tokens
    assert outcome is None
    assert weighing.result() == expected
    assert done > 5 * (len(expected.positions) // 3), "it was stopped in both models"
    weighing.close()


@pytest.mark.slow
def test_perplexity_measurement_stopped_with_different_vocabularies_compares_the_same_text(
    engine: MlxEngine, tiny_llama: Path, demo_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perplexity, "SEEN_CHUNK", 64)
    asked = order(TEXT * 12, tiny_llama, demo_model)
    expected, weighing = whole(engine, asked), PerplexityMeasurement(asked)
    stopping = StopAt(len(expected.positions) + 64)
    assert isinstance(weighing.go(engine, None, stopping.emit, stopping.flag), Cancellation)
    found = weighing.result()
    assert found is not None and found.second is not None and expected.second is not None
    assert 0 < found.second.tokens < expected.second.tokens
    sizes = [each.nats_per_token * each.tokens / each.bits_per_byte for each in (found.first, found.second)]
    assert sizes[0] == pytest.approx(sizes[1], abs=8), "the same bytes, but for a token"
    assert found.first.each == expected.first.each[: found.first.tokens]
    assert len(found.positions) == len(found.weights) == len(found.before) == found.first.tokens
    weighing.close()


@pytest.mark.slow
def test_perplexity_progress_of_two_models_counts_the_tokens_of_both(
    engine: MlxEngine, tiny_llama: Path, llama3_rope: Path
) -> None:
    told = list[Event]()
    weighing = PerplexityMeasurement(order(TEXT * 12, tiny_llama, llama3_rope))
    weighing.go(engine, None, told.append, StopFlag())
    weighing.close()
    read = [event for event in told if isinstance(event, Prefill)]
    assert [event.done for event in read] == sorted(event.done for event in read)
    assert {event.total for event in read} == {read[-1].done}


@pytest.mark.slow
def test_perplexity_measurement_of_the_open_model_does_not_load_it_again(engine: MlxEngine, tiny_llama: Path) -> None:
    told = list[Event]()
    model = engine.load(LoadRequest(str(tiny_llama)), lambda event: None, StopFlag())
    weighing = PerplexityMeasurement(order(TEXT, tiny_llama))
    assert weighing.go(engine, model, told.append, StopFlag()) is None  # type: ignore[arg-type]
    assert not any(isinstance(event, Loading) for event in told)
    assert weighing.opened == model


def test_perplexity_measurement_of_a_model_open_with_an_adapter_ignores_the_adapter(
    engine: MlxEngine, tiny_llama: Path, tmp_path: Path
) -> None:
    alone = whole(engine, order(TEXT, tiny_llama))
    planted = str(adapter(tmp_path / "planted", tiny_llama, planted=0.05))
    model = engine.load(LoadRequest(str(tiny_llama), adapter=planted), lambda event: None, StopFlag())
    weighing = PerplexityMeasurement(order(TEXT, tiny_llama))
    assert weighing.go(engine, model, lambda event: None, StopFlag()) is None  # type: ignore[arg-type]
    found = weighing.result()
    assert found is not None and found.first.each == alone.first.each


def test_changed_tokens_of_two_models_are_sorted_by_kl(engine: MlxEngine, tiny_llama: Path, llama3_rope: Path) -> None:
    found = whole(engine, order(TEXT, tiny_llama, llama3_rope))
    most = changed(found, 5)
    assert [each.kl for each in most] == sorted(found.kl, reverse=True)[:5]
    number = found.positions.index(most[0].place)
    assert most[0].own_difference == found.second.each[number] - found.first.each[number]  # type: ignore[union-attr]
    assert most[0].text == found.text(most[0].place)
    assert (most[0].first, most[0].second) == (
        found.weights[number].likeliest_text,
        found.others[number].likeliest_text,
    )


@pytest.mark.slow
def test_perplexity_windows_of_two_models_fit_the_shorter_context(
    engine: MlxEngine, tiny_llama: Path, tmp_path: Path
) -> None:
    found = whole(engine, order(TEXT * 4, tiny_llama, shortened(tiny_llama, tmp_path, 128)))
    assert found.windows > 1
    assert max(found.before) < 128
    assert found.between is not None
    assert set(found.kl) == {0.0}


def test_perplexity_measurement_with_a_missing_second_model_keeps_the_first_result(
    engine: MlxEngine, tiny_llama: Path, tmp_path: Path
) -> None:
    weighing = PerplexityMeasurement(order(TEXT, tiny_llama, tmp_path))
    assert isinstance(weighing.go(engine, None, lambda event: None, StopFlag()), Failure)
    found = weighing.result()
    assert found is not None
    assert (found.second, found.between) == (None, None)
    weighing.close()


LONG_TEXT = (
    "Once upon a time there was a fox named Tolin who lived by the sea. Every morning Tolin went to the water and "
    "counted the waves: one, two, three. 12 + 7 is 19. Then the fox ran home to eat, and that was the end. 🌊\n"
) * 3


def coarser(model: Path, folder: Path) -> Path:
    """The same model with its weights rounded to a few steps, as a quantization has them."""
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


@pytest.mark.slow
def test_perplexity_metrics_of_two_models_equal_a_float64_reference(
    engine: MlxEngine, demo_model: Path, tmp_path: Path
) -> None:
    coarse = coarser(demo_model, tmp_path)
    found = whole(engine, order(LONG_TEXT, demo_model, coarse))
    assert found.second is not None and found.between is not None
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
