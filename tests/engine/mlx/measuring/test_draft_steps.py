from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.draft_replay import draft_leads, lookup_leads, replay
from app.engine.jobs import MeasureDraftSteps, ProposeTokens
from app.engine.mlx.measuring import draft_steps
from app.engine.protocol import StopFlag
from app.engine.types import KV, Cancellation, Event, Failure, Limits, Request, Sampling, TokenPrompt
from tests.engine.mlx.conftest import Open, Player, ignore
from tests.engine.tiers import mostly_slow

STORY = "Tell me a long story about a fox."
GREEDY = Sampling(temperature=0)
PENALTY = Sampling(temperature=0, repetition_penalty=1.3, logit_bias=((300, 2.0),))


@pytest.fixture
def pair(open_model: Open, demo_model: Path, demo_draft: Path) -> Player:
    return open_model(demo_model, demo_draft)


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft_steps, "MEASURE_S", 0.0)
    monkeypatch.setattr(draft_steps, "MOST_S", 0.0)


def request_of(player: Player, most: int, sampling: Sampling = GREEDY) -> Request:
    ids = player.main.tokenizer.encode(STORY)
    return Request(TokenPrompt(tuple(ids)), sampling, Limits(most), KV(reuse=False))


@pytest.mark.parametrize("sampling", mostly_slow([GREEDY, PENALTY], PENALTY), ids=["plain", "penalty"])
def test_replay_of_a_draft_model_equals_the_real_run(pair: Player, sampling: Sampling) -> None:
    request = request_of(pair, 25, sampling)
    assert isinstance(request.prompt, TokenPrompt)
    answer = tuple(pair.play(request).ids)
    prompt = request.prompt.ids
    (proposed,) = pair.result(ProposeTokens(TokenPrompt(prompt + answer), len(prompt), sampling))
    for count in (1, 4):
        drafted = pair.play(replace(request, draft_tokens=count))
        found, real = replay(draft_leads(answer, proposed), count, 25), drafted.finish.drafted
        assert real is not None and tuple(drafted.ids) == answer
        assert (found.proposed, found.accepted, found.step_count) == (real.proposed, real.accepted, real.steps)


@pytest.mark.parametrize("most", mostly_slow([25, 7], 7))
def test_replay_of_prompt_lookup_equals_the_real_run(pair: Player, most: int) -> None:
    ids = tuple(pair.main.tokenizer.encode(f"{STORY} {STORY} {STORY}"))
    request = Request(TokenPrompt(ids), GREEDY, Limits(most), KV(reuse=False))
    answer = tuple(pair.play(request).ids)
    for count in (1, 4):
        found = replay(lookup_leads(ids, answer, 3), count, most - 1)
        real = pair.play(replace(request, lookup_tokens=count)).finish.drafted
        assert real is not None and real.proposed > 0
        assert (found.proposed, found.accepted, found.step_count) == (real.proposed, real.accepted, real.steps)


def test_proposals_above_temperature_0_are_reproducible_draws(pair: Player) -> None:
    ids = tuple(pair.main.tokenizer.encode(STORY))
    job = ProposeTokens(TokenPrompt(ids), 3, Sampling(temperature=1.0, seed=7))
    drawn = pair.result(job)
    assert len(drawn) == draft_steps.DRAWS and {len(each) for each in drawn} == {len(ids) - 3}
    assert len(set(drawn)) > 1 and pair.result(job) == drawn


@pytest.mark.slow
def test_steps_of_all_numbers_are_measured_after_the_prompt(pair: Player, brief: None) -> None:
    request = request_of(pair, 20)
    (times,) = pair.result(MeasureDraftSteps(request, (5, 6, 7)))
    assert (len(times.lookup), len(times.drafted)) == (9, 9)
    assert min(times.plain, *times.lookup, *times.drafted) > 0
    assert pair.play(request).finish.tokens == 20, "EOS ids are ignored only while measuring"


def test_steps_are_refused_without_a_cache_and_stopped_by_the_user(pair: Player, brief: None) -> None:
    request = request_of(pair, 20)
    bare = pair.engine.run_job(MeasureDraftSteps(replace(request, kv=KV(enabled=False)), (5,)), ignore, StopFlag())
    assert isinstance(bare, Failure) and "without a KV cache" in bare.what
    stop = StopFlag()

    def ask(_event: Event) -> None:
        stop.ask()

    assert isinstance(pair.engine.run_job(MeasureDraftSteps(request, (5,)), ask, stop), Cancellation)
