import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from app.engine import distributions
from app.engine.distributions import Distributions
from app.engine.jobs import CompareTokens, ScoreTokens
from app.engine.mlx import perplexity
from app.engine.mlx.perplexity import DistributionComparison
from app.engine.mlx.prefill import CHUNK_MIN
from app.engine.types import (
    Event,
    Failure,
    Limits,
    Memory,
    Model,
    Prefill,
    Request,
    TokenDifference,
    TokenPrompt,
    TokenScores,
)
from tests.engine.mlx.asking import ALL_MODELS, GREEDY, chat
from tests.engine.mlx.conftest import Open, Player
from tests.engine.mlx.independent import forward, log_softmax
from tests.engine.tiers import mostly_slow

TOLERANCE = 1e-3
IDS = tuple(5 + (index * 37) % 300 for index in range(200))
TEXT = "Once upon a time a small fox lived by the sea. It had a boat, and every morning it counted 1, 2, 3 waves. 🌊\n"
Rows = NDArray[np.float64]


def rows_of(player: Player, ids: Sequence[int]) -> Rows:
    return np.array([log_softmax(row) for row in forward(player.main, ids)[:-1]])


def assert_exact(player: Player, found: TokenScores) -> None:
    first, *weights = found.weights
    assert first is None and len(found.weights) == len(found.ids)
    for token, row, weight in zip(found.ids[1:], rows_of(player, found.ids), weights, strict=True):
        assert weight is not None
        own = row[token]
        assert weight.logprob == pytest.approx(own, abs=TOLERANCE)
        assert weight.surprise == pytest.approx(-own / math.log(2), abs=2 * TOLERANCE)
        assert weight.likeliest_logprob == pytest.approx(row.max(), abs=TOLERANCE)
        assert row[weight.likeliest] == pytest.approx(row.max(), abs=TOLERANCE)
        assert np.sort(row)[::-1][weight.rank - 1] == pytest.approx(own, abs=TOLERANCE)


@pytest.mark.parametrize("model", mostly_slow(ALL_MODELS, "tiny_llama", "recurrent"))
def test_scores_in_chunks_equal_one_pass(open_model: Open, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perplexity, "LOGITS_BYTES", 0)
    player, events = open_model(model), list[Event]()
    assert_exact(player, player.result(ScoreTokens(TokenPrompt(IDS)), events.append))
    done = [event.done for event in events if isinstance(event, Prefill)]
    assert done == [*range(1, len(IDS), CHUNK_MIN), len(IDS)]
    assert isinstance(events[-1], Memory)


@pytest.mark.slow
def test_scores_of_a_chat_with_the_demo_model_equal_one_pass(demo: Player) -> None:
    events: list[Event] = []
    found = demo.result(ScoreTokens(chat(TEXT * 4)), events.append)
    assert_exact(demo, found)
    assert len([event for event in events if isinstance(event, Prefill)]) > 2, "it takes several chunks"
    likeliest = found.weights[5]
    assert likeliest is not None and likeliest.likeliest_text == demo.main.spelling.text(likeliest.likeliest)


def test_score_leaves_the_cache_of_the_conversation(player: Player) -> None:
    request = Request(TokenPrompt(IDS[:40]), GREEDY, Limits(8))
    first = player.play(request)
    longer = Request(TokenPrompt((*IDS[:40], *first.ids, 9, 10)), GREEDY, Limits(4))
    before, kv = player.reusable(longer).count, player.engine.memory().kv
    player.result(ScoreTokens(TokenPrompt(IDS)))
    assert player.reusable(longer).count == before == 40 + 8
    assert player.engine.memory().kv == kv
    assert player.play(longer).finish.reused == before


def test_score_stops_between_two_chunks(player: Player) -> None:
    events = player.cancelled(
        ScoreTokens(TokenPrompt(IDS)), lambda event: isinstance(event, Prefill) and event.done > 1
    )
    assert [event.done for event in events if isinstance(event, Prefill)] == [1, 1 + CHUNK_MIN]


def test_score_with_nan_logits_is_finite(player: Player) -> None:
    norm = player.main.module.model.norm
    norm.weight = norm.weight * float("nan")
    found = player.result(ScoreTokens(TokenPrompt(IDS[:4])))
    assert all(weight is not None and math.isfinite(weight.logprob) for weight in found.weights[1:])


def test_score_of_one_token_is_empty(player: Player) -> None:
    assert player.result(ScoreTokens(TokenPrompt((7,)))) == TokenScores((7,), (None,))


@pytest.mark.parametrize(
    ("ids", "words"),
    [((), "nothing to send"), ((1, 2**20), "vocabulary has 384"), (IDS * 15, "context window holds 2,048")],
)
def test_score_of_an_invalid_prompt_is_refused(player: Player, ids: tuple[int, ...], words: str) -> None:
    found = player.do(ScoreTokens(TokenPrompt(ids)))
    assert isinstance(found, Failure) and words in found.what


def compared(first: Rows, second: Rows, largest: int = distributions.LARGEST_BYTES) -> list[TokenDifference]:
    differences: list[TokenDifference] = []
    with Distributions(len(first), first.shape[1], largest) as kept:
        kept.put(first.astype(np.float32))
        kept.rewind()
        DistributionComparison(kept, differences).see(second.astype(np.float32))
    return differences


def random_rows(seed: int, sharpness: float) -> Rows:
    logits = np.random.default_rng(seed).normal(0, sharpness, (250, 2_000))
    return np.array([log_softmax(row) for row in logits])


def divergence(first: Rows, second: Rows) -> Rows:
    return np.asarray((np.exp(first) * (first - second)).sum(axis=1))


def test_model_differences_equal_one_pass(open_model: Open, player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perplexity, "SEEN_CHUNK", 64)
    other, found = open_model("llama3_rope"), list[TokenDifference]()
    with Distributions(len(IDS) - 1, player.model.vocabulary) as kept:
        player.result(ScoreTokens(TokenPrompt(IDS), kept=kept))
        kept.rewind()
        other.result(CompareTokens(TokenPrompt(IDS), kept, found))
    first, second = rows_of(player, IDS), rows_of(other, IDS)
    middle = np.log((np.exp(first) + np.exp(second)) / 2)
    lowest, between = [each.lowest for each in found], (divergence(first, middle) + divergence(second, middle)) / 2
    assert lowest == pytest.approx(divergence(first, second).tolist(), rel=1e-3, abs=1e-5)
    assert np.mean(lowest) == pytest.approx(divergence(first, second).mean(), rel=1e-4)
    assert np.mean([each.back for each in found]) == pytest.approx(divergence(second, first).mean(), rel=1e-4)
    assert np.mean([each.between for each in found]) == pytest.approx(between.mean(), rel=1e-4)
    assert [each.same_first for each in found] == (first.argmax(axis=1) == second.argmax(axis=1)).tolist()


@pytest.mark.slow
def test_difference_of_a_model_from_itself_is_zero(demo: Player, demo_model: Path) -> None:
    """Exactly, even if it was loaded again."""
    found: list[TokenDifference] = []
    with Distributions(len(IDS) - 1, demo.model.vocabulary) as kept:
        demo.result(ScoreTokens(TokenPrompt(IDS), kept=kept))
        kept.rewind()
        assert isinstance(demo.load(demo_model), Model)
        demo.result(CompareTokens(TokenPrompt(IDS), kept, found))
    assert found == [TokenDifference(0.0, 0.0, 0.0, 0.0, True, 1.0)] * (len(IDS) - 1)


@pytest.mark.parametrize("sharpness", [0.1, 2.0, 8.0, 20.0])
def test_difference_from_top_tokens_bounds_that_from_all(sharpness: float) -> None:
    first = random_rows(1, sharpness)
    second = random_rows(2, sharpness) if sharpness < 5 else first + random_rows(3, 0.3)
    second = np.array([log_softmax(row) for row in second])
    partly, wholly = compared(first, second, largest=0), compared(first, second)
    exact = divergence(first, second)
    assert all(each.lowest <= one <= each.highest for each, one in zip(partly, exact, strict=True))
    assert [each.lowest for each in wholly] == pytest.approx(exact.tolist(), rel=1e-4, abs=1e-6)
    assert all(each.lowest == each.highest for each in wholly)
    assert [(each.same_first, each.same_ten) for each in partly] == [(e.same_first, e.same_ten) for e in wholly]
    assert all(each.back is None and each.between is None for each in partly)


def test_difference_counts_a_tie_as_the_same_choice() -> None:
    first, second = np.log(np.array([[0.4, 0.4, 0.2]])), np.log(np.array([[0.3, 0.5, 0.2]]))
    assert compared(first, second)[0].same_first and compared(second, first)[0].same_first


def test_distributions_on_a_full_disk_are_a_failure(player: Player) -> None:
    with Distributions(len(IDS), player.model.vocabulary) as kept, Path("/dev/full").open("wb") as full:
        kept._file.close()
        kept._file = full  # type: ignore[assignment]
        found = player.do(ScoreTokens(TokenPrompt(IDS), kept=kept))
    assert isinstance(found, Failure) and found.kind == "disk", found
