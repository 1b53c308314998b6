"""The state of the playground and the displayed run, as immutable values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum

from app.controls import Controls, Mode
from app.engine.meter.meter import Summary
from app.engine.types import (
    ExactPrompt,
    Failure,
    Finish,
    Loading,
    Model,
    Reason,
    Request,
    Role,
    ToolCall,
    WeightFormat,
)
from app.number_format import model_label
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
ANSWERING = RUNNING | {Phase.STOPPING}
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
    format: WeightFormat = field(default_factory=WeightFormat)
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

    @property
    def model_label(self) -> str:
        return model_label(self.model, self.format, self.adapter.name if self.adapter is not None else "")

    def is_by(self, model: Model) -> bool:
        """Return whether this model generated the run. A run from the journal knows only its name."""
        return self.model == model.name and (self.on is None or self.on.folder == model.folder)


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

    @property
    def is_failed(self) -> bool:
        """Whether this is an answer whose run failed or was stopped before its first token."""
        if not self.runs or self.text or self.reasoning:
            return False
        finish = self.runs[-1].finish
        return finish.failure is not None or finish.reason is Reason.STOPPED


@dataclass(frozen=True, slots=True)
class ConversationSnapshot:
    """The turns on the page and on the branches at one point in time."""

    turns: tuple[Turn, ...]
    others: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session and its turns."""

    session: SessionId = 0
    title: str = ""
    turns: tuple[Turn, ...] = ()
    others: tuple[Turn, ...] = ()
    undoable: ConversationSnapshot | None = None

    @property
    def is_running(self) -> bool:
        """Whether its last turn is being generated."""
        return bool(self.turns) and self.turns[-1].open


@dataclass(frozen=True, slots=True)
class QueuedPrompt:
    """A prompt that is sent when the runs before it have ended."""

    number: int
    session: SessionId
    text: str
    controls: Controls
    """The settings from the time of queueing."""


@dataclass(frozen=True, slots=True)
class State:
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
    inactive: Conversation = field(default_factory=Conversation)
    """The session of the mode that is not in use."""
    elsewhere: Conversation | None = None
    """The conversation of the active run while another session is displayed."""
    queue: tuple[QueuedPrompt, ...] = ()
    """The next one first."""
    is_queue_held: bool = False
    """Whether the queued prompts wait for the user: the run before was stopped, has failed or calls a tool."""
    controls: Controls = field(default_factory=Controls)
    records_on_server: bool = False
    """Whether logprobs are requested from servers too. Some then send the answer in one piece."""
    failure: Failure | None = None

    @property
    def is_recording(self) -> bool:
        """Whether the next run records alternatives."""
        here = self.model is None or not self.model.server
        return self.controls.observe > 0 and (here or self.records_on_server)

    @property
    def is_background(self) -> bool:
        """Whether the activity writes nothing on the page and has no curve in the window."""
        return self.is_scoring or bool(self.experiment) or self.elsewhere is not None

    @property
    def conversation(self) -> Conversation:
        """The displayed session with its turns."""
        return Conversation(self.session, self.title, self.turns, self.others, self.undoable)

    @property
    def running_session(self) -> SessionId:
        """The session whose answer is being generated; 0: none."""
        page = self.elsewhere or self.conversation
        return page.session if page.is_running else 0

    @property
    def can_leave(self) -> bool:
        """Whether another session can be displayed. Inspections and reruns show their results on the page."""
        return self.phase in LOADABLE or bool(self.running_session or self.experiment)

    @property
    def can_queue(self) -> bool:
        return self.phase in ANSWERING and self.controls.mode is Mode.CHAT and not self.opening

    @property
    def model_label(self) -> str:
        """The open model as the next run uses it; empty without one."""
        if self.model is None:
            return ""
        adapter = self.model.adapter if self.controls.sampling.adapter_strength else None
        return model_label(self.model.name, self.model.format, adapter.name if adapter is not None else "")

    @property
    def last_run(self) -> Run | None:
        """The run that the last turn ended with."""
        runs = self.turns[-1].runs if self.turns else ()
        return runs[-1] if runs else None


NOWHERE = -1
READING_TOKENS_PER_S = 25
"""Reading speed of a playback, in tokens per second."""
FACTORS = (1, 2, 5, 10, 20, 50, 100, 200)


class PlaybackSpeed(StrEnum):
    READING = "reading"
    OWN = "own"
    SLOWED = "slowed"
    VERY_SLOW = "very_slow"


def slowness(pace: PlaybackSpeed, mean: float | None) -> int:
    """Return the factor by which playback is slower than the recording; at least 1."""
    if pace is PlaybackSpeed.READING:
        return min(FACTORS, key=lambda factor: abs(math.log(factor * READING_TOKENS_PER_S / (mean or 1))))
    return {PlaybackSpeed.OWN: 1, PlaybackSpeed.SLOWED: 10, PlaybackSpeed.VERY_SLOW: 100}[pace]


@dataclass(frozen=True, slots=True)
class SelectedRun:
    """A run that the user selected, loaded fully, and its position on the page."""

    index: int
    number: int
    run: Run


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay, which is not on the page. `run` is None until it has ended."""

    model: str
    run: Run | None = None


@dataclass(frozen=True, slots=True)
class DisplayedRun:
    """The displayed run: an active one, the last one of the page, a selected one, a replay, or none."""

    run: Run | None = None
    """The run; None while it is active, or if there is none."""
    model: str = ""
    """Name of its model."""
    turn: TurnId = 0
    """Id of the answer that it belongs to; 0: none."""
    index: int = NOWHERE
    """Index of that answer on the page."""
    number: int = 0
    """Its index in the runs of the answer."""
    live: bool = False
    """Whether it is active: its numbers are in the frames."""
    replay: bool = False
    earlier: bool = False
    """Whether it isn't the last run of the page."""
    length: int | None = None
    """Context window of the open model in tokens, for an active run or none; None: unknown."""
    slowed: int = 0
    """Factor by which its playback is slower; 0: it isn't played back."""

    @property
    def key(self) -> tuple[TurnId, int]:
        """Identifies the run among those of the page."""
        return self.turn, self.number


def shown_of(
    state: State, replay: Replay | None = None, picked: SelectedRun | None = None, slowed: int = 0
) -> DisplayedRun:
    """Return the run to display. Only a finished run of an answer can be played back."""
    found = _shown_of(state, replay, picked)
    return replace(found, slowed=slowed) if found.turn and found.run is not None else found


def _shown_of(state: State, replay: Replay | None, picked: SelectedRun | None) -> DisplayedRun:
    """Return the displayed run; an active run of the page comes first."""
    length = state.model.context if state.model is not None else None
    turns = state.turns
    last = turns[-1] if turns else None
    if last is not None and last.open:
        model = state.model.name if state.model is not None else ""
        return DisplayedRun(None, model, last.id, len(turns) - 1, len(last.runs), live=True, length=length)
    if replay is not None:
        live = replay.run is None
        return DisplayedRun(replay.run, replay.model, live=live, replay=True, length=length if live else None)
    run = state.last_run
    if picked is not None and (own := turns[picked.index].runs[picked.number]) is not run:
        whole, turn = replace(picked.run, id=own.id), turns[picked.index].id
        return DisplayedRun(whole, whole.model, turn, picked.index, picked.number, earlier=True)
    if last is None or run is None:
        return DisplayedRun(length=length)
    return DisplayedRun(run, run.model, last.id, len(turns) - 1, len(last.runs) - 1)
