from dataclasses import replace

import pytest

from app.engine.draft_replay import draft_leads, lookup_leads, replay
from app.engine.jobs import MeasureDraftSteps, ProposeTokens
from app.engine.mlx.measuring import draft_steps
from app.engine.types import KV, Failure, Limits, Request, Sampling, TokenPrompt
from tests.engine.mlx.asking import GREEDY
from tests.engine.mlx.conftest import Player
from tests.engine.tiers import mostly_slow

STORY = "Tell me a long story about a fox."
PENALTY = Sampling(temperature=0, repetition_penalty=1.3, logit_bias=((300, 2.0),))


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft_steps, "MEASURE_S", 0.0)
    monkeypatch.setattr(draft_steps, "MOST_S", 0.0)


def request_of(player: Player, most: int, sampling: Sampling = GREEDY) -> Request:
    ids = player.main.tokenizer.encode(STORY)
    return Request(TokenPrompt(tuple(ids)), sampling, Limits(most), KV(reuse=False))


@pytest.mark.parametrize("sampling", mostly_slow([GREEDY, PENALTY], PENALTY), ids=["plain", "penalty"])
def test_replay_of_a_draft_model_equals_the_real_run(demo_pair: Player, sampling: Sampling) -> None:
    request = request_of(demo_pair, 25, sampling)
    assert isinstance(request.prompt, TokenPrompt)
    answer = tuple(demo_pair.play(request).ids)
    prompt = request.prompt.ids
    (proposed,) = demo_pair.result(ProposeTokens(TokenPrompt(prompt + answer), len(prompt), sampling))
    for count in (1, 4):
        drafted = demo_pair.play(replace(request, draft_tokens=count))
        found, real = replay(draft_leads(answer, proposed), count, 25), drafted.draft_stats
        assert tuple(drafted.ids) == answer
        assert (found.proposed, found.accepted, found.step_count) == (real.proposed, real.accepted, real.steps)


@pytest.mark.parametrize("most", mostly_slow([25, 7], 7))
def test_replay_of_prompt_lookup_equals_the_real_run(demo_pair: Player, most: int) -> None:
    ids = tuple(demo_pair.main.tokenizer.encode(f"{STORY} {STORY} {STORY}"))
    request = Request(TokenPrompt(ids), GREEDY, Limits(most), KV(reuse=False))
    answer = tuple(demo_pair.play(request).ids)
    for count in (1, 4):
        found = replay(lookup_leads(ids, answer, 3), count, most - 1)
        real = demo_pair.play(replace(request, lookup_tokens=count)).draft_stats
        assert real.proposed > 0
        assert (found.proposed, found.accepted, found.step_count) == (real.proposed, real.accepted, real.steps)


def test_proposals_above_temperature_0_are_reproducible_draws(demo_pair: Player) -> None:
    ids = tuple(demo_pair.main.tokenizer.encode(STORY))
    job = ProposeTokens(TokenPrompt(ids), 3, Sampling(temperature=1.0, seed=7))
    drawn = demo_pair.result(job)
    assert len(drawn) == draft_steps.DRAWS and {len(each) for each in drawn} == {len(ids) - 3}
    assert len(set(drawn)) > 1 and demo_pair.result(job) == drawn


@pytest.mark.slow
def test_steps_of_all_numbers_are_measured_after_the_prompt(demo_pair: Player, brief: None) -> None:
    request = request_of(demo_pair, 20)
    (times,) = demo_pair.result(MeasureDraftSteps(request, (5, 6, 7)))
    assert (len(times.lookup), len(times.drafted)) == (9, 9)
    assert min(times.plain, *times.lookup, *times.drafted) > 0
    assert demo_pair.play(request).finish.tokens == 20, "EOS ids are ignored only while measuring"


def test_steps_are_refused_without_a_cache_and_stopped_by_the_user(demo_pair: Player, brief: None) -> None:
    request = request_of(demo_pair, 20)
    bare = demo_pair.do(MeasureDraftSteps(replace(request, kv=KV(enabled=False)), (5,)))
    assert isinstance(bare, Failure) and "without a KV cache" in bare.what
    demo_pair.cancelled(MeasureDraftSteps(request, (5,)), lambda event: True)
