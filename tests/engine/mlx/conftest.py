"""An engine on the test's own thread, with helpers."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import mlx.core as mx
import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import Event, Finish, LoadRequest, Memory, Model, Prefill, Prompted, Request, Token
from tests import compiling


@dataclass(slots=True)
class Played:
    """A run that has ended, with all its events."""

    finish: Finish
    events: list[Event] = field(default_factory=list)

    @property
    def tokens(self) -> list[Token]:
        return [event for event in self.events if isinstance(event, Token)]

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]

    @property
    def text(self) -> str:
        return "".join(token.text for token in self.tokens)

    @property
    def shown(self) -> str:
        pieces = [piece for token in self.tokens for piece in token.shown]
        return "".join(piece.text for piece in (*pieces, *self.finish.released))

    @property
    def prompted(self) -> Prompted:
        return next(event for event in self.events if isinstance(event, Prompted))

    @property
    def prefills(self) -> list[Prefill]:
        return [event for event in self.events if isinstance(event, Prefill)]

    @property
    def memories(self) -> list[Memory]:
        return [event for event in self.events if isinstance(event, Memory)]


class Player:
    """An engine with a model."""

    def __init__(self, engine: MlxEngine, model: Model) -> None:
        self.engine = engine
        self.model = model

    def play(self, request: Request, until: Callable[[Event], bool] | None = None) -> Played:
        """Run a request; `until` presses Stop at the first event for which it holds."""
        stop = StopFlag()
        events: list[Event] = []

        def emit(event: Event) -> None:
            events.append(event)
            if until is not None and until(event):
                stop.ask()

        return Played(self.engine.generate(request, emit, stop), events)


Open = Callable[..., Player]


@pytest.fixture(scope="session", autouse=True)
def compiles_where_that_is_wanted() -> Iterator[None]:
    """The engine turns compiling off on the CPU."""
    with pytest.MonkeyPatch.context() as patch:
        if compiling.WANTED in os.environ:
            patch.setattr(mx, "disable_compile", lambda: None)
        yield


@pytest.fixture
def open_model() -> Iterator[Open]:
    """Open a folder (and a draft model) in a fresh engine; all is freed after the test."""
    engines: list[MlxEngine] = []

    def open_it(folder: Path, draft: Path | None = None, adapter: Path | None = None) -> Player:
        engine = MlxEngine()
        engines.append(engine)
        request = LoadRequest(str(folder), str(draft) if draft else None, adapter=str(adapter) if adapter else None)
        model = engine.load(request, lambda event: None, StopFlag())
        assert isinstance(model, Model), model
        return Player(engine, model)

    yield open_it
    for engine in engines:
        engine.unload()  # not close(): the streams of pytest's thread serve the next test too
    mx.clear_cache()
