"""An engine on the test's own thread, with helpers."""

import os
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx.nn.layers.base import Module

from app.engine.draft_length import StepCosts
from app.engine.jobs import Job, Result
from app.engine.mlx import engine
from app.engine.mlx.engine import MlxEngine
from app.engine.mlx.loaded import LoadedModel, arrays_of
from app.engine.mlx.loading.load import load
from app.engine.model_files.folder import Folder
from app.engine.protocol import Emit, StopFlag
from app.engine.script import python_script
from app.engine.types import (
    Cancellation,
    Channel,
    Conditions,
    DraftStats,
    Event,
    ExactPrompt,
    Failure,
    Finish,
    LoadRequest,
    Memory,
    Model,
    Prefill,
    PromptEvent,
    Request,
    Reusable,
    Token,
    TokenLogprobs,
    TokenPrompt,
)
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
        return self.text_in(*Channel)

    def text_in(self, *channels: Channel) -> str:
        """Return the visible text in these channels."""
        pieces = [*(piece for token in self.tokens for piece in token.shown), *self.finish.released]
        return "".join(piece.text for piece in pieces if piece.voice in channels)

    @property
    def logprobs(self) -> list[TokenLogprobs]:
        """Return what was recorded of each token."""
        found = [token.observed for token in self.tokens if token.observed is not None]
        assert len(found) == len(self.tokens)
        return found

    @property
    def chosen_logprobs(self) -> list[float]:
        return [each.chosen.logprob for each in self.logprobs]

    @property
    def draft_stats(self) -> DraftStats:
        assert self.finish.drafted is not None
        return self.finish.drafted

    @property
    def conditions(self) -> Conditions:
        assert self.finish.conditions is not None
        return self.finish.conditions

    @property
    def prompted(self) -> PromptEvent:
        return next(event for event in self.events if isinstance(event, PromptEvent))

    @property
    def prefills(self) -> list[Prefill]:
        return [event for event in self.events if isinstance(event, Prefill)]

    @property
    def memories(self) -> list[Memory]:
        return [event for event in self.events if isinstance(event, Memory)]


def ignore(event: Event) -> None:
    pass


class Player:
    """An engine with a model."""

    def __init__(self, engine: MlxEngine, model: Model) -> None:
        self.engine = engine
        self.model = model

    @property
    def main(self) -> LoadedModel:
        return self.engine._loaded()

    def play(self, request: Request, until: Callable[[Event], bool] = lambda event: False) -> Played:
        """Run a request; `until` presses Stop at the first event for which it holds."""
        stop, events = StopFlag(), list[Event]()
        return Played(self.engine.generate(request, _stopping(events, until, stop), stop), events)

    def together(self, *requests: Request, until: Callable[[Event], bool] = lambda event: False) -> list[Played]:
        """Run requests as one batch."""
        stop, rows = StopFlag(), [list[Event]() for _ in requests]
        finishes = self.engine.generate_together(requests, [_stopping(row, until, stop) for row in rows], stop)
        return [Played(finish, row) for finish, row in zip(finishes, rows, strict=True)]

    def failure(self, request: Request) -> Failure:
        """Run a request that fails."""
        failure = self.play(request).finish.failure
        assert failure is not None and failure.todo
        return failure

    def load(
        self, folder: Path, draft: Path | None = None, adapter: Path | None = None, **how: Any
    ) -> Model | Failure | Cancellation:
        """`how`: other fields of the request."""
        second, put = (str(path) if path else None for path in (draft, adapter))
        return self.engine.load(LoadRequest(str(folder), second, adapter=put, **how), ignore, StopFlag())

    def do(
        self, job: Job[Result], emit: Emit = ignore, stop: StopFlag | None = None
    ) -> Result | Failure | Cancellation:
        return self.engine.run_job(job, emit, stop or StopFlag())

    def result(self, job: Job[Result], emit: Emit = ignore) -> Result:
        """Do a job that succeeds."""
        found = self.do(job, emit)
        assert not isinstance(found, Failure | Cancellation), found
        return found

    def cancelled(self, job: Job[Any], until: Callable[[Event], bool]) -> list[Event]:
        """Do a job that is stopped at the first event for which `until` holds; return its events."""
        stop, events = StopFlag(), list[Event]()
        assert isinstance(self.do(job, _stopping(events, until, stop), stop), Cancellation)
        return events

    @property
    def no_eos(self) -> tuple[tuple[int, float], ...]:
        """The bias with which a run doesn't end by itself."""
        return tuple((token, -100.0) for token in self.main.eos_ids())

    def reusable(self, request: Request) -> Reusable:
        assert isinstance(request.prompt, TokenPrompt)
        return self.engine.reusable(request.prompt.ids, request)


def _stopping(events: list[Event], until: Callable[[Event], bool], stop: StopFlag) -> Emit:
    def emit(event: Event) -> None:
        events.append(event)
        if until(event):
            stop.ask()

    return emit


def record_passes(module: Module, patch: pytest.MonkeyPatch) -> list[tuple[Module, int, int]]:
    """Return the passes of models of this class, which grow: the model, its rows and its tokens in each row."""
    kind, passes = type(module), list[tuple[Module, int, int]]()
    usual = kind.__call__

    def recorded(model: Module, tokens: mx.array, *given: Any, **named: Any) -> Any:
        rows, each = tokens.shape
        passes.append((model, rows, each))
        return usual(model, tokens, *given, **named)

    patch.setattr(kind, "__call__", recorded)
    return passes


def executed(request: Request, prompt: ExactPrompt | None, model: Model, streams: bool = False) -> dict[str, Any]:
    """Execute the script of a run, and return its variables."""
    variables: dict[str, Any] = {}
    exec(compile(python_script(request, prompt, model, streams=streams), "script", "exec"), variables)
    return variables


Open = Callable[..., Player]


@pytest.fixture(scope="session", autouse=True)
def compiled_if_wanted() -> Iterator[None]:
    """The engine turns compiling off on the CPU."""
    with pytest.MonkeyPatch.context() as patch:
        if compiling.WANTED in os.environ:
            patch.setattr(mx, "disable_compile", lambda: None)
        yield


@pytest.fixture(scope="session")
def loads() -> Callable[..., LoadedModel]:
    """Load each folder of the session once; each caller gets a copy, which shares only arrays and tokenizer."""
    loaded: dict[tuple[Path, str], LoadedModel] = {}

    def load_once(folder: Folder, *how: Any, **options: Any) -> LoadedModel:
        key = folder.path, repr(options)
        if key not in loaded:
            loaded[key] = load(folder, *how, **options)
        found = loaded[key]
        arrays = {id(array): array for array in arrays_of(found.module)}
        module = deepcopy(found.module, arrays)
        return replace(found, module=module, pace=copy(found.pace), grammars={}, step_costs=StepCosts())

    return load_once


@pytest.fixture
def open_model(request: pytest.FixtureRequest, loads: Callable[..., LoadedModel], tmp_path: Path) -> Iterator[Open]:
    """Open a folder (and a draft model) in a fresh engine; all is freed after the test."""
    players: list[Player] = []

    def replaces_parts() -> bool:
        return "monkeypatch" in request.fixturenames and bool(request.getfixturevalue("monkeypatch")._setattr)

    def open_it(folder: Path | str, draft: Path | None = None, adapter: Path | None = None) -> Player:
        """`folder`: also the name of a fixture."""
        path = request.getfixturevalue(folder) if isinstance(folder, str) else folder
        missing: Any = None
        players.append(player := Player(MlxEngine(), missing))
        with pytest.MonkeyPatch.context() as patch:
            # What a test writes may change, and what it replaces may take part in the load.
            if tmp_path not in path.parents and not replaces_parts():
                patch.setattr(engine, "load", loads)
            model = player.load(path, draft, adapter)
        assert isinstance(model, Model), model
        player.model = model
        return player

    yield open_it
    for player in players:
        player.engine.unload()  # not close(): the streams of pytest's thread serve the next test too
    mx.clear_cache()


@pytest.fixture
def player(open_model: Open, tiny_llama: Path) -> Player:
    """The random Llama."""
    return open_model(tiny_llama)


@pytest.fixture
def demo(open_model: Open, demo_model: Path) -> Player:
    return open_model(demo_model)


@pytest.fixture
def demo_pair(open_model: Open, demo_model: Path, demo_draft: Path) -> Player:
    """The demo model with its draft model."""
    return open_model(demo_model, demo_draft)
