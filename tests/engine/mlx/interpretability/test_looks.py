"""What looks leave behind: nothing in memory, whether they are done or stopped, and the same conversation."""

from collections.abc import Callable
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.jobs import Ablate, ReadAttention, ReadAttentionMatrix, ReadHiddenStates, ReadLens, ScoreTokens
from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Event, Failure, Limits, Memory, Prefill, Request, Sampling, Stopped, TokenPrompt
from tests.engine.mlx.architectures import IDS
from tests.engine.mlx.conftest import Open
from tests.engine.tiers import mostly_slow

DEMO = Path(__file__).parents[4] / "resources" / "models" / "demo"
Look = Callable[[MlxEngine, tuple[int, ...], Callable[[Event], None], StopFlag], object]
LOOKS: dict[str, Look] = {
    "lens": lambda engine, ids, emit, stop: engine.run_job(ReadLens(TokenPrompt(ids), range(20, 24)), emit, stop),
    "heads": lambda engine, ids, emit, stop: engine.run_job(ReadAttention(TokenPrompt(ids), len(ids) - 2), emit, stop),
    "matrix": lambda engine, ids, emit, stop: engine.run_job(
        ReadAttentionMatrix(TokenPrompt(ids), 1, 0), lambda event: None, stop
    ),
    "states": lambda engine, ids, emit, stop: engine.run_job(ReadHiddenStates(TokenPrompt(ids), 20), emit, stop),
    "words": lambda engine, ids, emit, stop: engine.run_job(
        Ablate(TokenPrompt(ids), len(ids) - 2, len(ids) - 1, (range(1, 5), range(5, 12))), emit, stop
    ),
    "weighing": lambda engine, ids, emit, stop: engine.run_job(ScoreTokens(TokenPrompt(ids)), emit, stop),
}


@pytest.mark.parametrize("name", mostly_slow(LOOKS, "lens", "heads", "states"))
@pytest.mark.parametrize("stopped", mostly_slow([False, True], False))
def test_a_look_leaves_nothing_in_memory(open_model: Open, name: str, stopped: bool) -> None:
    engine, seen, stop = open_model(DEMO).engine, list[Event](), StopFlag()
    mx.clear_cache()
    before = mx.get_active_memory()
    if stopped:
        stop.ask()
    outcome = LOOKS[name](engine, IDS, seen.append, stop)
    assert isinstance(outcome, Stopped) is stopped and not isinstance(outcome, Failure)
    assert (mx.get_active_memory(), mx.get_cache_memory()) == (before, 0)
    last = [event for event in seen if isinstance(event, Memory)][-1:]
    assert all((each.active, each.cache) == (before, 0) for each in last)


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOKS)
def test_a_look_changes_nothing_of_the_conversation(open_model: Open, name: str) -> None:
    """To the token; also, what the next run finds in the cache is the same."""
    player, alone = open_model(DEMO), open_model(DEMO)
    ids = IDS
    for turn in range(10):
        request = Request(TokenPrompt(ids), Sampling(temperature=0.8, seed=turn), Limits(4))
        said, expected = player.play(request), alone.play(request)
        assert (said.ids, said.prompted.reused) == (expected.ids, expected.prompted.reused)
        ids += tuple(said.ids)
        seen: list[Event] = []
        outcome = LOOKS[name](player.engine, ids, seen.append, StopFlag())
        assert not isinstance(outcome, Failure | Stopped)
        if name == "lens":
            read = [event for event in seen if isinstance(event, Prefill)]
            assert all(event.done == event.total for event in read), "the cache holds all that is before the token"
