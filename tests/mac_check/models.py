"""The demo model in the engine, on the thread that asks, as steps want it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import KV, ChatPrompt, Event, Limits, LoadRequest, Message, Model, Request, Role, Sampling
from tests.engine.mlx.conftest import Player
from tests.mac_check.facts import SHORT

DEMO = Path(__file__).parents[2] / "resources" / "models" / "demo"
OPEN = LoadRequest(str(DEMO))
LENGTH = 12 if SHORT else 48
STORY = Request(
    ChatPrompt((Message(Role.USER, "Tell me a long story about a fox."),)),
    Sampling(temperature=0),
    Limits(LENGTH),
    KV(reuse=False),
)
COUNT = replace(STORY, prompt=ChatPrompt((Message(Role.USER, "Count 1 to 5"),)))


def ignore(event: Event) -> None:
    """Nobody watches."""


@contextmanager
def opened() -> Iterator[Player]:
    """Closed in order at the end."""
    engine = MlxEngine()
    try:
        model = engine.load(OPEN, ignore, StopFlag())
        assert isinstance(model, Model), model
        yield Player(engine, model)
    finally:
        engine.close()


def first_difference(one: list[int], other: list[int]) -> str:
    """Where two answers part, in words; empty: nowhere."""
    if one == other:
        return ""
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"they part at token {same} of {len(one)} and {len(other)}"
