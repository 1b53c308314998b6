"""How far two models are apart equals an independent computation in float64; a part of it bounds the whole."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.engine import distributions
from app.engine.distributions import Distributions
from app.engine.jobs import CompareTokens, ScoreTokens
from app.engine.mlx import perplexity
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.perplexity import DistributionComparison
from app.engine.protocol import StopFlag
from app.engine.types import Failure, LoadRequest, Model, Stopped, TokenDifference, TokenPrompt, TokenWeights
from tests.engine.mlx.conftest import Open, Player
from tests.engine.mlx.independent import forward, log_softmax

IDS = tuple(5 + (index * 37) % 300 for index in range(200))

Rows = NDArray[np.float64]


def found(first: Rows, second: Rows, largest: int = distributions.LARGEST_BYTES) -> list[TokenDifference]:
    differences: list[TokenDifference] = []
    with Distributions(len(first), first.shape[1], largest) as kept:
        kept.put(first.astype(np.float32))
        kept.rewind()
        DistributionComparison(kept, differences).see(second.astype(np.float32))
    return differences


def some(count: int, width: int, seed: int, sharpness: float) -> Rows:
    logits = np.random.default_rng(seed).normal(0, sharpness, (count, width))
    return np.array([log_softmax(row) for row in logits])


def divergence(first: Rows, second: Rows) -> Rows:
    return np.asarray((np.exp(first) * (first - second)).sum(axis=1))


def expected_between(first: Rows, second: Rows) -> Rows:
    middle = np.log((np.exp(first) + np.exp(second)) / 2)
    return (divergence(first, middle) + divergence(second, middle)) / 2


def all_of(player: Player, ids: tuple[int, ...]) -> Rows:
    return np.array([log_softmax(row) for row in forward(player, list(ids))[:-1]])


def test_two_models_in_many_chunks(
    open_model: Open, tiny_llama: Path, llama3_rope: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perplexity, "SEEN_CHUNK", 64)
    player, other = open_model(tiny_llama), open_model(llama3_rope)
    differences: list[TokenDifference] = []
    with Distributions(len(IDS) - 1, player.model.vocabulary) as kept:
        into = player.engine.run_job(ScoreTokens(TokenPrompt(IDS), kept=kept), lambda event: None, StopFlag())
        kept.rewind()
        against = other.engine.run_job(
            CompareTokens(TokenPrompt(IDS), kept, differences), lambda event: None, StopFlag()
        )
    assert isinstance(into, TokenWeights) and isinstance(against, TokenWeights)
    first, second = all_of(player, IDS), all_of(other, IDS)
    assert [each.lowest for each in differences] == pytest.approx(
        divergence(first, second).tolist(), rel=1e-3, abs=1e-5
    )
    assert np.mean([each.lowest for each in differences]) == pytest.approx(divergence(first, second).mean(), rel=1e-4)
    assert np.mean([each.back for each in differences]) == pytest.approx(divergence(second, first).mean(), rel=1e-4)
    between = np.mean([each.between for each in differences])
    assert between == pytest.approx(expected_between(first, second).mean(), rel=1e-4)
    same = (first.argmax(axis=1) == second.argmax(axis=1)).tolist()
    assert [each.same_first for each in differences] == same


@pytest.mark.slow
def test_a_model_is_not_apart_from_itself(demo_model: Path) -> None:
    """Exactly, though it was let go and opened again."""
    differences: list[TokenDifference] = []
    engine = MlxEngine()
    with Distributions(len(IDS) - 1, _open(engine, demo_model).vocabulary) as kept:
        engine.run_job(ScoreTokens(TokenPrompt(IDS), kept=kept), lambda event: None, StopFlag())
        kept.rewind()
        _open(engine, demo_model)
        engine.run_job(CompareTokens(TokenPrompt(IDS), kept, differences), lambda event: None, StopFlag())
    engine.unload()
    assert differences == [TokenDifference(0.0, 0.0, 0.0, 0.0, True, 1.0)] * (len(IDS) - 1)


def _open(engine: MlxEngine, folder: Path) -> Model:
    model = engine.load(LoadRequest(str(folder)), lambda event: None, StopFlag())
    assert isinstance(model, Model)
    return model


@pytest.mark.parametrize("sharpness", [0.1, 2.0, 8.0, 20.0])
def test_a_part_of_the_distributions_bounds_the_whole(sharpness: float) -> None:
    first = some(250, 2_000, 1, sharpness)
    second = some(250, 2_000, 2, sharpness) if sharpness < 5 else first + some(250, 2_000, 3, 0.3)
    second = np.array([log_softmax(row) for row in second])
    partly, wholly = found(first, second, largest=0), found(first, second)
    exact = divergence(first, second)
    assert all(each.lowest <= one <= each.highest for each, one in zip(partly, exact, strict=True))
    assert [each.lowest for each in wholly] == pytest.approx(exact.tolist(), rel=1e-4, abs=1e-6)
    assert all(each.lowest == each.highest for each in wholly)
    assert [(each.same_first, each.same_ten) for each in partly] == [(e.same_first, e.same_ten) for e in wholly]
    assert all(each.back is None and each.between is None for each in partly)


def test_a_tie_counts_as_the_same_choice() -> None:
    first = np.log(np.array([[0.4, 0.4, 0.2]]))
    second = np.log(np.array([[0.3, 0.5, 0.2]]))
    assert found(first, second)[0].same_first and found(second, first)[0].same_first


def test_stop_is_heard(open_model: Open, tiny_llama: Path) -> None:
    player, stop = open_model(tiny_llama), StopFlag()
    stop.ask()
    with Distributions(len(IDS), player.model.vocabulary) as kept:
        assert isinstance(
            player.engine.run_job(ScoreTokens(TokenPrompt(IDS), kept=kept), lambda event: None, stop), Stopped
        )


def test_a_full_disk_is_told(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    with Distributions(len(IDS), player.model.vocabulary) as kept, Path("/dev/full").open("wb") as full:
        kept._file.close()
        kept._file = full  # type: ignore[assignment]
        found = player.engine.run_job(ScoreTokens(TokenPrompt(IDS), kept=kept), lambda event: None, StopFlag())
    assert isinstance(found, Failure) and found.kind == "disk", found
