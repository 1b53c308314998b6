"""Frozen values of sessions, turns, runs and tokens, as the journal stores them.

Times of a run are seconds since its Send; `started`, `created` and `changed` are seconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from app.controls import Controls
from app.engine.meter.meter import Summary
from app.engine.types import LATER, ExactPrompt, Failure, Finish, Request, Role, TokenLogprobs, WeightFormat
from app.number_format import model_label

SessionId: TypeAlias = int
TurnId: TypeAlias = int
RunId: TypeAlias = int
Plain: TypeAlias = str | int | float | bool | None
Outcome: TypeAlias = Failure | None
"""The failure of an operation; None if it succeeded."""


BEGINNING: TurnId = 0
"""The parent of the first turn of a conversation."""


class JournalChange(StrEnum):
    """Kind of a change, for the journal's listeners."""

    SESSIONS = "sessions"
    """The session list or a conversation has changed."""
    RUNS = "runs"
    """A run has begun or ended."""
    WRITING = "writing"
    """A batch will be written."""
    TROUBLE = "trouble"
    """`Journal.failure` has changed."""


class RunState(StrEnum):
    RUNNING = "running"
    ENDED = "ended"
    INTERRUPTED = "interrupted"
    """The program was killed or the power failed: the run has text up to the last batch, and no `Finish`."""


@dataclass(frozen=True, slots=True)
class FilesRef:
    """A model or an adapter. `revision` and `digest` are empty if unknown."""

    name: str
    folder: str = ""
    revision: str = ""
    """The commit of a model in the Hugging Face cache."""
    digest: str = ""
    """Hash of the model's files, if it has no revision."""

    def is_same(self, other: FilesRef) -> bool:
        """Return whether the content is the same; if unknown, compare name and folder."""
        ours, theirs = (self.revision, self.digest), (other.revision, other.digest)
        if any(ours) and any(theirs):
            return ours == theirs
        return (self.name, self.folder) == (other.name, other.folder)


@dataclass(frozen=True, slots=True)
class ModelRef(FilesRef):
    """A model and its adapter."""

    adapter: FilesRef | None = None
    format: WeightFormat = field(default_factory=WeightFormat, metadata=LATER)

    @property
    def label(self) -> str:
        return model_label(self.name, self.format, self.adapter.name if self.adapter is not None else "")


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions of the libraries and the system that a run used."""

    app: str = ""
    mlx: str = ""
    mlx_lm: str = ""
    python: str = ""
    system: str = ""
    chip: str = ""


@dataclass(frozen=True, slots=True)
class RunStart:
    """The start of a run. `sent` is its stop flag's `made_at`."""

    mode: str
    request: Request
    model: ModelRef
    sent: float
    draft: ModelRef | None = None
    versions: Versions = field(default_factory=Versions)
    context: int | None = None
    """The model's context length."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run without its tokens, which are read in parts."""

    id: RunId
    session: SessionId
    turn: TurnId
    started: float
    state: RunState
    mode: str
    request: Request
    model: ModelRef
    draft: ModelRef | None
    versions: Versions
    context: int | None
    prompt: ExactPrompt | None
    """None if the run failed before the prompt was rendered."""
    ids: tuple[int, ...]
    text: str
    reasoning: str
    finish: Finish | None
    """None while it runs, and if it was interrupted."""
    summary: Summary | None
    """None while it runs."""

    @property
    def prompt_tokens(self) -> int | None:
        """Number of prompt tokens; None if a server doesn't report it."""
        count = len(self.prompt.ids) if self.prompt is not None else 0
        return count or (self.finish.prompt_known if self.finish is not None else None)


@dataclass(frozen=True, slots=True)
class RunBrief:
    """A run without prompt and text, for the summary under its answer."""

    id: RunId
    turn: TurnId
    state: RunState
    mode: str
    model: str
    adapter: FilesRef | None
    finish: Finish | None
    summary: Summary | None
    format: WeightFormat = field(default_factory=WeightFormat)


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """One token; `at` in seconds since Send."""

    index: int
    id: int
    text: str
    at: float
    from_draft: bool = False
    observed: TokenLogprobs | None = None


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as a table row; unknown values are None."""

    id: RunId
    session: SessionId
    turn: TurnId
    title: str
    """Title of the session."""
    started: float
    state: RunState
    reason: str
    """Value of `Reason`; empty while the run is running."""
    model: str
    draft: str
    mode: str
    prompt_tokens: int | None
    reused: int | None
    tokens: int
    first_token: float | None
    prompt_speed: float | None
    speed_mean: float | None
    end_to_end: float | None
    elapsed: float | None
    seed: int | None
    """None: unknown, or not sent to the server."""
    settings: tuple[tuple[str, Plain], ...]
    """All settings by dotted name, without the seed."""
    pieces: bool = False
    """`tokens` counts pieces of text from a server that doesn't report tokens."""
    question: str = ""
    """The beginning of the user's message or the raw text."""
    answer: str = ""
    """The beginning of the answer; of a continued answer, of the whole."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session as a list row. `title` is never empty."""

    id: SessionId
    title: str
    pinned: bool
    created: float
    changed: float
    turns: int
    interrupted: bool = False
    """Its last run was interrupted; Continue completes it."""
    unsent: bool = False
    """The session has an unsent prompt."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session without its turns, which are read in parts."""

    info: SessionInfo
    settings: Controls
    draft: str


@dataclass(frozen=True, slots=True)
class Fork:
    """The token at which an answer was forked from another one."""

    turn: TurnId
    """The forked answer; in a file its position, from 0."""
    place: int
    """The replaced token's position in that answer, from 0."""
    chosen: str = ""
    """The text of the new token."""
    instead: str = ""
    """The text of the replaced token."""


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn of a conversation. An answer has a run, and one more for each Continue."""

    id: TurnId
    role: Role
    text: str
    reasoning: str = ""
    runs: tuple[RunId, ...] = ()
    parent: TurnId = BEGINNING
    """The previous turn."""
    next: TurnId = BEGINNING
    """The next turn when it was last in the conversation; BEGINNING: none."""
    forked: Fork | None = None


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A search result: `excerpt` of a turn's text, or of the title if `turn` is None."""

    session: SessionInfo
    turn: TurnId | None
    excerpt: str
    marks: tuple[tuple[int, int], ...]
    """Start and end of each match in the excerpt."""
    aside: bool = False
    """The turn is on a hidden branch."""


@dataclass(frozen=True, slots=True)
class WholeRun:
    """A run with all its tokens, for export and import."""

    run: RunRecord
    tokens: tuple[TokenRecord, ...]


@dataclass(frozen=True, slots=True)
class WholeTurn:
    role: Role
    text: str
    reasoning: str
    runs: tuple[WholeRun, ...]
    hidden: bool = False
    """On another branch or deleted."""
    after: int | None = None
    """For a turn on another branch: position of the previous turn; -1: it is the first."""
    then: int | None = None
    """For a turn on another branch: position of the last next turn."""
    made: int | None = None
    """Rank by creation within the session; None: unknown."""
    forked: Fork | None = None


@dataclass(frozen=True, slots=True)
class WholeSession:
    """A session with all its content, as a `.sluice` file has it."""

    title: str
    named: bool
    """Whether the user has set the title."""
    pinned: bool
    created: float
    changed: float
    settings: Controls
    draft: str
    turns: tuple[WholeTurn, ...]
