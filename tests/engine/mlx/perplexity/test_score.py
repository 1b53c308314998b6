"""How surprising a prompt's tokens are equals an independent softmax in float64, and the conversation's cache stays."""

import math
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from numpy.typing import NDArray

from app.engine.jobs import ScoreTokens
from app.engine.mlx import perplexity
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.prefill import CHUNK_MIN
from app.engine.protocol import StopFlag
from app.engine.types import (
    ChatPrompt,
    Event,
    Failure,
    Limits,
    Memory,
    Message,
    Prefill,
    RawPrompt,
    Request,
    Role,
    Sampling,
    Stopped,
    TokenPrompt,
    TokenWeights,
)
from tests.engine.mlx.conftest import Open, Player

TOLERANCE = 1e-3
IDS = tuple(5 + (index * 37) % 300 for index in range(100))
TEXT = "Once upon a time a small fox lived by the sea. It had a boat, and every morning it counted 1, 2, 3 waves. 🌊\n"


def weighed(player: Player, prompt: TokenPrompt | RawPrompt | ChatPrompt) -> tuple[TokenWeights, list[Event]]:
    events: list[Event] = []
    found = player.engine.run_job(ScoreTokens(prompt), events.append, StopFlag())
    assert isinstance(found, TokenWeights), found
    return found, events


def log_softmax(player: Player, ids: tuple[int, ...]) -> NDArray[np.float64]:
    """All positions in one pass with no cache, then plain numpy in float64."""
    main = player.engine._main
    assert main is not None
    logits = np.array(main.module(mx.array(ids)[None])[0].astype(mx.float32)).astype(np.float64)
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def assert_true(player: Player, found: TokenWeights) -> None:
    expected = log_softmax(player, found.ids)
    assert found.weights[0] is None
    assert len(found.weights) == len(found.ids)
    for place, weight in enumerate(found.weights[1:], start=1):
        assert weight is not None
        row = expected[place - 1]
        own = row[found.ids[place]]
        assert weight.logprob == pytest.approx(own, abs=TOLERANCE)
        assert weight.surprise == pytest.approx(-own / math.log(2), abs=2 * TOLERANCE)
        assert weight.likeliest_logprob == pytest.approx(row.max(), abs=TOLERANCE)
        assert row[weight.likeliest] == pytest.approx(row.max(), abs=TOLERANCE)
        better = np.sort(row)[::-1]
        assert better[weight.rank - 1] == pytest.approx(own, abs=TOLERANCE)


@pytest.mark.parametrize("model", ["tiny_llama", "llama3_rope", "sliding_window", "recurrent"])
def test_against_an_independent_pass_in_many_chunks(
    open_model: Open, request: pytest.FixtureRequest, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perplexity, "LOGITS_BYTES", 0)
    player = open_model(request.getfixturevalue(model))
    found, events = weighed(player, TokenPrompt(IDS))
    assert_true(player, found)
    done = [event.done for event in events if isinstance(event, Prefill)]
    assert done == [*range(1, len(IDS), CHUNK_MIN), len(IDS)]
    assert isinstance(events[-1], Memory)


@pytest.mark.slow
def test_the_demo_model_on_a_chat(open_model: Open, demo_model: Path) -> None:
    player = open_model(demo_model)
    found, events = weighed(player, ChatPrompt((Message(Role.USER, TEXT * 4),)))
    assert_true(player, found)
    assert len([event for event in events if isinstance(event, Prefill)]) > 2, "a border of chunks lies inside"
    likeliest = found.weights[5]
    assert likeliest is not None
    assert likeliest.likeliest_text == player.engine._main.spelling.text(likeliest.likeliest)  # type: ignore[union-attr]


def test_the_cache_of_the_conversation_stays_as_it_is(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    request = Request(TokenPrompt(IDS[:40]), Sampling(temperature=0), Limits(8))
    first = player.play(request)
    longer = TokenPrompt((*IDS[:40], *first.ids, 9, 10))
    before = player.engine.reusable(longer.ids, request).count
    kept = player.engine.memory().kv
    weighed(player, TokenPrompt(IDS))
    assert player.engine.reusable(longer.ids, request).count == before == len(longer.ids) - 2
    assert player.engine.memory().kv == kept
    assert player.play(Request(longer, Sampling(temperature=0), Limits(4))).finish.reused == before


def test_stop_is_heard_between_two_chunks(open_model: Open, tiny_llama: Path) -> None:
    player, stop, events = open_model(tiny_llama), StopFlag(), list[Event]()

    def emit(event: Event) -> None:
        events.append(event)
        if isinstance(event, Prefill) and event.done > 1:
            stop.ask()

    assert isinstance(player.engine.run_job(ScoreTokens(TokenPrompt(IDS)), emit, stop), Stopped)
    assert [event.done for event in events if isinstance(event, Prefill)] == [1, 1 + CHUNK_MIN]


def test_broken_weights_make_numbers_all_the_same(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    main = player.engine._main
    assert main is not None
    norm: Any = main.module.model.norm
    norm.weight = norm.weight * float("nan")
    found, _ = weighed(player, TokenPrompt(IDS[:4]))
    assert all(weight is not None and math.isfinite(weight.logprob) for weight in found.weights[1:])


def test_one_token_has_nothing_before_it(open_model: Open, tiny_llama: Path) -> None:
    found, _ = weighed(open_model(tiny_llama), TokenPrompt((7,)))
    assert found == TokenWeights((7,), (None,))


@pytest.mark.parametrize(
    ("ids", "words"),
    [((), "nothing to send"), ((1, 2**20), "vocabulary has 384"), (tuple(IDS * 30), "context window holds 2,048")],
)
def test_what_can_not_be_weighed_is_refused(
    open_model: Open, tiny_llama: Path, ids: tuple[int, ...], words: str
) -> None:
    player = open_model(tiny_llama)
    found = player.engine.run_job(ScoreTokens(TokenPrompt(ids)), lambda _: None, StopFlag())
    assert isinstance(found, Failure)
    assert words in found.what


def test_without_a_model_there_is_a_sentence() -> None:
    found = MlxEngine().run_job(ScoreTokens(RawPrompt("Hi")), lambda _: None, StopFlag())
    assert isinstance(found, Failure)
    assert found.what == "No model is loaded."
