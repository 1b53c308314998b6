"""What the playground knows, as frozen values: replaced, never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from app.controls import Controls, Mode
from app.engine.meter.frame import Summary
from app.engine.types import ExactPrompt, Failure, Finish, Loading, Model, Request, Role, ToolCall
from app.records.types import BEGINNING, FilesRef, Fork, RunId, SessionId, TurnId


class Phase(Enum):
    """What the playground is doing. There is always exactly one answer."""

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
    """One finished run, whole: what was asked, what was sent, what came, how it ended and how fast it was."""

    model: str
    mode: Mode
    request: Request
    prompt: ExactPrompt | None
    """None when the run failed before there was one."""
    ids: tuple[int, ...]
    text: str
    reasoning: str
    finish: Finish
    summary: Summary
    on: Model | None = None
    """The model itself; None where it is only known by name."""
    adapter: FilesRef | None = None
    """What was on the model, and counted."""
    id: RunId = 0
    """Its number in the journal; 0: it is not there."""
    interrupted: bool = False
    """The program ended in the middle of it, so its finish is ours, not the engine's."""
    is_partial: bool = False
    """Read back without its request, prompt, ids and text: `Playground.load_full` returns them."""

    @property
    def seed(self) -> int | None:
        """The seed that makes this run happen again; None: a server was given none."""
        wire = self.finish.wire
        unseeded = not wire.seeded if wire is not None else bool(self.on and self.on.server)
        return None if unseeded else self.request.sampling.seed


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the conversation. An answer has its runs: the first one, and one for each Continue."""

    role: Role
    text: str
    reasoning: str = ""
    runs: tuple[Run, ...] = ()
    open: bool = False
    """The answer is being written: its text is in the frames until the run has finished."""
    id: TurnId = 0
    """Its number in the journal; 0: it has none yet."""
    parent: TurnId = BEGINNING
    """The turn that it follows."""
    next: TurnId = BEGINNING
    """Of a turn that is not in sight: the one that followed it last."""
    siblings: tuple[TurnId, ...] = ()
    """Of a turn in sight: what was said in its place, itself included, in the order of making."""
    forked: Fork | None = None
    """Where it took another way than the answer that it was forked from."""

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls of tools in an answer that can be read."""
        return tuple(call for run in self.runs for call in run.finish.calls if not call.wrong)


@dataclass(frozen=True, slots=True)
class ConversationSnapshot:
    """A conversation as it was: the turns in sight, and those on other branches."""

    turns: tuple[Turn, ...]
    others: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class InactiveMode:
    """What one mode has while the other is in use."""

    session: SessionId = 0
    title: str = ""
    turns: tuple[Turn, ...] = ()
    others: tuple[Turn, ...] = ()
    undoable: ConversationSnapshot | None = None


@dataclass(frozen=True, slots=True)
class State:
    """One moment of the playground."""

    phase: Phase = Phase.EMPTY
    model: Model | None = None
    is_scoring: bool = False
    """It is no run that goes on: a prompt is read for how surprising its tokens are."""
    experiment: str = ""
    """The title of the experiment that goes on, if one does."""
    wanted: str = ""
    """The model that is being opened, or the last one that was asked for."""
    loading: Loading | None = None
    session: SessionId = 0
    """The session that the turns belong to; 0: one that has not begun."""
    title: str = ""
    opening: SessionId = 0
    """The session that is being read; 0: none."""
    turns: tuple[Turn, ...] = ()
    others: tuple[Turn, ...] = ()
    """The turns on other branches, in the order of their making."""
    undoable: ConversationSnapshot | None = None
    """The conversation before the last deletion, to go back to."""
    inactive: InactiveMode = field(default_factory=InactiveMode)
    """The turns of the mode that is not in use."""
    controls: Controls = field(default_factory=Controls)
    served_observed: bool = False
    """Candidates are asked of servers too, since somebody wanted them: some then answer in one piece."""
    failure: Failure | None = None

    @property
    def observing(self) -> bool:
        """Whether the next run records candidates."""
        here = self.model is None or not self.model.server
        return self.controls.observe > 0 and (here or self.served_observed)

    @property
    def is_background(self) -> bool:
        """What goes on writes nothing on the page and has no curve in the window."""
        return self.is_scoring or bool(self.experiment)

    @property
    def last_run(self) -> Run | None:
        """The run that the last turn ended with."""
        runs = self.turns[-1].runs if self.turns else ()
        return runs[-1] if runs else None
