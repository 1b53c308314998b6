"""What looks leave in memory: nothing, whether they are done, stopped or refused."""

from collections.abc import Callable
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Event, Failure, Memory, Stopped, TokenPrompt
from tests.engine.mlx.architectures import IDS
from tests.engine.mlx.conftest import Open

DEMO = Path(__file__).parents[4] / "resources" / "models" / "demo"
SOURCE = TokenPrompt(IDS)
Look = Callable[[MlxEngine, Callable[[Event], None], StopFlag], object]
LOOKS: dict[str, Look] = {
    "lens": lambda engine, emit, stop: engine.look_inside(SOURCE, range(20, 24), emit, stop),
    "heads": lambda engine, emit, stop: engine.attention(SOURCE, 20, emit, stop),
    "matrix": lambda engine, emit, stop: engine.attention_matrix(SOURCE, 1, 0, stop),
    "states": lambda engine, emit, stop: engine.hidden_states(SOURCE, 20, emit, stop),
    "words": lambda engine, emit, stop: engine.leave_out(SOURCE, 30, 33, (range(1, 5), range(5, 12)), emit, stop),
    "weighing": lambda engine, emit, stop: engine.weigh(SOURCE, emit, stop),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("stopped", [False, True])
def test_nothing_of_a_look_stays_in_memory(open_model: Open, look: Look, stopped: bool) -> None:
    engine, told, stop = open_model(DEMO).engine, list[Event](), StopFlag()
    mx.clear_cache()
    before = mx.get_active_memory()
    if stopped:
        stop.ask()
    outcome = look(engine, told.append, stop)
    assert isinstance(outcome, Stopped) is stopped and not isinstance(outcome, Failure)
    assert (mx.get_active_memory(), mx.get_cache_memory()) == (before, 0)
    last = [event for event in told if isinstance(event, Memory)][-1:]
    assert all((each.active, each.cache) == (before, 0) for each in last), "and so it is told"
