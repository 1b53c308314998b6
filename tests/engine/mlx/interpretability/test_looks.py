from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest

from app.engine.jobs import Ablate, Job, ReadAttention, ReadAttentionMatrix, ReadHiddenStates, ReadLens, ScoreTokens
from app.engine.protocol import StopFlag
from app.engine.types import Cancellation, Event, Limits, Memory, Prefill, Request, Sampling, TokenPrompt
from tests.engine.mlx.architectures import IDS
from tests.engine.mlx.conftest import Open
from tests.engine.tiers import mostly_slow

JOBS: dict[str, Callable[[tuple[int, ...]], Job[Any]]] = {
    "lens": lambda ids: ReadLens(TokenPrompt(ids), range(20, 24)),
    "heads": lambda ids: ReadAttention(TokenPrompt(ids), len(ids) - 2),
    "matrix": lambda ids: ReadAttentionMatrix(TokenPrompt(ids), 1, 0),
    "states": lambda ids: ReadHiddenStates(TokenPrompt(ids), 20),
    "ablation": lambda ids: Ablate(TokenPrompt(ids), len(ids) - 2, len(ids) - 1, (range(1, 5), range(5, 12))),
    "score": lambda ids: ScoreTokens(TokenPrompt(ids)),
}


@pytest.mark.parametrize("name", mostly_slow(JOBS, "lens", "heads", "states"))
@pytest.mark.parametrize("stopped", mostly_slow([False, True], False))
def test_job_leaves_nothing_in_memory(open_model: Open, name: str, stopped: bool) -> None:
    player, events, stop = open_model("demo_model"), list[Event](), StopFlag()
    mx.clear_cache()
    before = mx.get_active_memory()
    if stopped:
        stop.ask()
        assert isinstance(player.do(JOBS[name](IDS), events.append, stop), Cancellation)
    else:
        player.result(JOBS[name](IDS), events.append)
    assert (mx.get_active_memory(), mx.get_cache_memory()) == (before, 0)
    last = [event for event in events if isinstance(event, Memory)][-1]
    assert (last.active, last.cache) == (before, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", JOBS)
def test_job_changes_nothing_of_the_conversation(open_model: Open, name: str) -> None:
    """The next run has the same tokens and the same cache hit."""
    player, alone = open_model("demo_model"), open_model("demo_model")
    ids = IDS
    for turn in range(10):
        request = Request(TokenPrompt(ids), Sampling(temperature=0.8, seed=turn), Limits(4))
        played, expected = player.play(request), alone.play(request)
        assert (played.ids, played.prompted.reused) == (expected.ids, expected.prompted.reused)
        ids += tuple(played.ids)
        events: list[Event] = []
        player.result(JOBS[name](ids), events.append)
        if name == "lens":
            prefills = [event for event in events if isinstance(event, Prefill)]
            assert all(event.done == event.total for event in prefills), "all tokens before it are cached"
