"""The state of the playground, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from app.controls import Controls, Mode
from app.engine.meter.meter import Summary
from app.engine.types import ExactPrompt, Failure, Finish, Loading, Model, Request, Role, ToolCall
from app.records.types import BEGINNING, FilesRef, Fork, RunId, SessionId, TurnId


class Phase(Enum):
    """The activity of the playground."""

    EMPTY = "empty"
    LOADING = "loading"
    READY = "ready"
    PREFILLING = "prefilling"
    GENERATING = "generating"
    STOPPING = "stopping"


BUSY = frozenset({Phase.LOADING, Phase.PREFILLING, Phase.GENERATING, Phase.STOPPING})
STOPPABLE = BUSY - {Phase.STOPPING}
RUNNING = frozenset({Phase.PREFILLING, Phase.GENERATING})
LOADABLE = frozenset({Phase.EMPTY, Phase.READY, Phase.LOADING})
SETTLED = frozenset({Phase.EMPTY, Phase.READY})
READY = frozenset({Phase.READY})


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run: request, prompt, tokens, finish and measurements."""

    model: str
    mode: Mode
    request: Request
    prompt: ExactPrompt | None
    """None if the run failed before the prompt was rendered."""
    ids: tuple[int, ...]
    text: str
    reasoning: str
    finish: Finish
    summary: Summary
    on: Model | None = None
    """The model; None if only its name is known."""
    adapter: FilesRef | None = None
    """The adapter; None if there was none or its strength was 0."""
    id: RunId = 0
    """Id in the journal; 0: not recorded."""
    interrupted: bool = False
    """Whether the process ended during the run, so that its finish is not the engine's."""
    is_partial: bool = False
    """Whether request, prompt, ids and text are missing; `Playground.load_full` reads them."""

    @property
    def seed(self) -> int | None:
        """The seed that reproduces this run; None: a server received none."""
        wire = self.finish.wire
        unseeded = not wire.seeded if wire is not None else bool(self.on and self.on.server)
        return None if unseeded else self.request.sampling.seed


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the conversation. An answer has a run for its start and one for each Continue."""

    role: Role
    text: str
    reasoning: str = ""
    runs: tuple[Run, ...] = ()
    open: bool = False
    """Whether the answer is being generated: its text is in the frames until the run has finished."""
    id: TurnId = 0
    """Id in the journal; 0: none yet."""
    parent: TurnId = BEGINNING
    """The turn before it."""
    next: TurnId = BEGINNING
    """For a turn on a branch: the turn that followed it last."""
    siblings: tuple[TurnId, ...] = ()
    """For a turn on the page: the alternatives in its place, itself included, oldest first."""
    forked: Fork | None = None
    """The fork that this answer begins with; None: it isn't forked."""

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The valid tool calls of an answer."""
        return tuple(call for run in self.runs for call in run.finish.calls if not call.wrong)


@dataclass(frozen=True, slots=True)
class ConversationSnapshot:
    """The turns on the page and on the branches at one point in time."""

    turns: tuple[Turn, ...]
    others: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class InactiveMode:
    """The session of the mode that is not in use."""

    session: SessionId = 0
    title: str = ""
    turns: tuple[Turn, ...] = ()
    others: tuple[Turn, ...] = ()
    undoable: ConversationSnapshot | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The state of the playground at one moment."""

    phase: Phase = Phase.EMPTY
    model: Model | None = None
    is_scoring: bool = False
    """Whether the tokens of a prompt are being scored, which is not a run."""
    experiment: str = ""
    """The title of the running experiment, evaluation or measurement."""
    wanted: str = ""
    """The model that is being opened, or that was requested last."""
    loading: Loading | None = None
    session: SessionId = 0
    """The session of the turns; 0: none yet."""
    title: str = ""
    opening: SessionId = 0
    """The session that is being read; 0: none."""
    turns: tuple[Turn, ...] = ()
    others: tuple[Turn, ...] = ()
    """The turns on branches, oldest first."""
    undoable: ConversationSnapshot | None = None
    """The conversation before the last deletion or edit; None: there is nothing to undo."""
    inactive: InactiveMode = field(default_factory=InactiveMode)
    """The session of the mode that is not in use."""
    controls: Controls = field(default_factory=Controls)
    served_observed: bool = False
    """Whether logprobs are requested from servers too. Some then send the answer in one piece."""
    failure: Failure | None = None

    @property
    def observing(self) -> bool:
        """Whether the next run records alternatives."""
        here = self.model is None or not self.model.server
        return self.controls.observe > 0 and (here or self.served_observed)

    @property
    def is_background(self) -> bool:
        """Whether the activity writes nothing on the page and has no curve in the window."""
        return self.is_scoring or bool(self.experiment)

    @property
    def last_run(self) -> Run | None:
        """The run that the last turn ended with."""
        runs = self.turns[-1].runs if self.turns else ()
        return runs[-1] if runs else None
