"""Recorded logprobs equal an independent pass over prompt and answer in float64."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike

from app.engine.types import KV, ChatPrompt, Limits, Message, Request, Role, Sampling, TokenLogprobs, TokenPrompt
from tests import models
from tests.engine.mlx.conftest import Open, Played, Player
from tests.engine.mlx.independent import ALL_PENALTIES, TOLERANCES, forward, log_softmax, penalized
from tests.engine.sampler_reference import Floats
from tests.engine.tiers import mostly_slow

IDS = tuple(5 + (index * 37) % 300 for index in range(24))
REQUEST = Request(TokenPrompt(IDS), Sampling(temperature=0.9, seed=3), Limits(16), observe=10)
STORY = replace(
    REQUEST, prompt=ChatPrompt((Message(Role.USER, "Tell me a story about a fox."),)), limits=Limits(60), observe=20
)
SETTINGS = [
    Sampling(temperature=0.9, top_p=0.9, top_k=30, seed=2),
    Sampling(temperature=0, repetition_penalty=1.4),
    Sampling(temperature=0.9, presence_penalty=1.5, presence_window=12, seed=4),
    Sampling(temperature=0.9, frequency_penalty=0.9, frequency_window=40, seed=4),
    Sampling(temperature=0, logit_bias=((3, 4.0), (9, -5.0))),
    ALL_PENALTIES,
]


def assert_true(player: Player, played: Played, request: Request) -> None:
    everything = [*played.prompted.prompt.ids, *played.ids]
    rows = forward(player, everything[:-1])
    start = len(played.prompted.prompt.ids)
    ends = sorted({token for token, _ in player.model.eos} | set(request.limits.stop_ids))
    near = TOLERANCES[player.model.precision]
    assert played.tokens
    for place, token in enumerate(played.tokens):
        raw = rows[start + place - 1]
        logprobs = log_softmax(penalized(raw, everything[: start + place], request.sampling))
        assert token.observed is not None
        assert token.observed.chosen.id == token.id
        assert len(token.observed.top) == request.observe
        assert_told(token.observed, raw, logprobs, ends, near)


def assert_told(seen: TokenLogprobs, raw: Floats, logprobs: Floats, ends: list[int], near: float) -> None:
    ranked = np.sort(logprobs)[::-1]
    best = ranked[: len(seen.top)]
    told = [seen.chosen, *seen.top]
    ids = [candidate.id for candidate in told]
    assert len(set(ids[1:])) == len(best)
    assert_near([candidate.logprob for candidate in seen.top], best, near)
    assert_near([candidate.logprob for candidate in told], logprobs[ids], near)
    assert_near([candidate.raw_logit for candidate in told], raw[ids], near)
    assert_near(seen.entropy, -(np.exp(logprobs) * logprobs).sum(), near)
    assert seen.deviation is not None
    assert_near(seen.deviation, logprobs[np.isfinite(logprobs)].std(), near)
    assert_near(seen.eos_probability, np.exp(logprobs[ends]).sum(), near)
    assert_near(seen.rest, 1 - np.exp(best).sum(), near)
    assert_near(seen.chosen.logprob, ranked[seen.rank - 1], near)


def assert_near(told: ArrayLike, computed: Floats, near: float) -> None:
    assert np.abs(np.asarray(told, np.float64) - computed).max() <= near


@pytest.fixture(params=["as the device has it", "half"])
def precision(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU a small model is raised to float32; on Metal it isn't."""
    if request.param == "half":
        monkeypatch.setattr("app.engine.mlx.loading.load.RAISE_LIMIT_BYTES", 0)


@pytest.mark.parametrize("model", ["tiny_llama", "llama3_rope", "sliding_window"])
def test_logprobs_match_the_reference_for_each_architecture(
    open_model: Open, request: pytest.FixtureRequest, model: str
) -> None:
    player = open_model(request.getfixturevalue(model))
    played = player.play(REQUEST)
    assert len(played.tokens) == 16
    assert_true(player, played, REQUEST)


@pytest.mark.slow
def test_logprobs_match_the_reference_with_each_penalty(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    for sampling in SETTINGS:
        request = replace(REQUEST, sampling=sampling)
        assert_true(player, player.play(request), request)
        cached = player.play(request)
        assert cached.finish.reused > 0
        assert_true(player, cached, request)


@pytest.mark.slow
@pytest.mark.usefixtures("precision")
def test_logprobs_match_the_reference_for_the_demo_model(open_model: Open, demo_model: Path) -> None:
    player = open_model(demo_model)
    for sampling in SETTINGS:
        request = replace(STORY, sampling=sampling)
        assert_true(player, player.play(request), request)


@pytest.mark.slow
def test_logprobs_match_the_reference_to_the_end_of_a_run(open_model: Open, demo_model: Path) -> None:
    """EOS is a token like any other; the request's stop ids count as EOS too."""
    player = open_model(demo_model)
    written = player.play(replace(STORY, sampling=Sampling(temperature=0))).ids
    stop = next(token for place, token in enumerate(written) if place > 8 and token not in written[:place])
    request = replace(STORY, sampling=Sampling(temperature=0), limits=Limits(60, stop_ids=(stop,)))
    played = player.play(request)
    assert played.ids[-1] == stop
    assert_true(player, played, request)
    last = played.tokens[-1].observed
    assert last is not None
    assert last.eos_probability >= np.exp(last.chosen.logprob) - TOLERANCES[player.model.precision]


@pytest.mark.slow
@pytest.mark.parametrize(
    "sampling", mostly_slow([Sampling(temperature=0), SETTINGS[1], replace(ALL_PENALTIES, temperature=0)], SETTINGS[1])
)
def test_logprobs_match_the_reference_with_a_draft_model(
    open_model: Open, tiny_llama: Path, tmp_path: Path, sampling: Sampling
) -> None:
    draft = models.tiny_llama(tmp_path / "draft", num_hidden_layers=1)
    request = replace(REQUEST, sampling=sampling, draft_tokens=3)
    for second in (draft, tiny_llama):
        player = open_model(tiny_llama, second)
        played = player.play(request)
        assert_true(player, played, request)
    assert any(token.from_draft for token in played.tokens)


@pytest.mark.slow
@pytest.mark.usefixtures("precision")
def test_logprobs_match_the_reference_for_the_demo_pair(open_model: Open, demo_model: Path, demo_draft: Path) -> None:
    player = open_model(demo_model, demo_draft)
    for sampling in (Sampling(temperature=0), ALL_PENALTIES):
        request = replace(STORY, sampling=sampling, draft_tokens=4)
        played = player.play(request)
        assert_true(player, played, request)
        assert {token.from_draft for token in played.tokens} == {True, False}


def test_logprobs_match_the_reference_without_cache(open_model: Open, tiny_llama: Path) -> None:
    player = open_model(tiny_llama)
    for sampling in (REQUEST.sampling, ALL_PENALTIES):
        request = replace(REQUEST, sampling=sampling, kv=KV(enabled=False))
        assert_true(player, player.play(request), request)
