"""Sessions, turns, runs and their tokens as frozen values, as the journal stores them.

All times of a run are seconds since its Send, so they hold after a restart; `started`, `created` and `changed` are
seconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from app.controls import Controls
from app.engine.meter.frame import Summary
from app.engine.types import ExactPrompt, Failure, Finish, Request, Role, TokenLogprobs

SessionId: TypeAlias = int
TurnId: TypeAlias = int
RunId: TypeAlias = int
Plain: TypeAlias = str | int | float | bool | None
Outcome: TypeAlias = Failure | None
"""The failure of an operation; None if it succeeded."""


BEGINNING: TurnId = 0
"""The parent of the first turn of a conversation."""


class JournalChange(StrEnum):
    """What has changed, for the journal's listeners."""

    SESSIONS = "sessions"
    """The list of sessions, or a conversation."""
    RUNS = "runs"
    """A run has begun or ended."""
    WRITING = "writing"
    """A batch is about to be written."""
    TROUBLE = "trouble"
    """`Journal.failure` has changed."""


class RunState(StrEnum):
    """Whether a run goes on, has ended or was interrupted."""

    RUNNING = "running"
    ENDED = "ended"
    INTERRUPTED = "interrupted"
    """The program was killed or the power failed: there is text up to the last batch, and no `Finish`."""


@dataclass(frozen=True, slots=True)
class FilesRef:
    """A model or an adapter. `revision` and `digest` are empty if unknown."""

    name: str
    folder: str = ""
    revision: str = ""
    """The commit, for a model from the hub's cache."""
    digest: str = ""
    """A hash of the model's files, for one that has no revision."""

    def is_same(self, other: FilesRef) -> bool:
        """Compare content if both are known, else name and folder."""
        ours, theirs = (self.revision, self.digest), (other.revision, other.digest)
        if any(ours) and any(theirs):
            return ours == theirs
        return (self.name, self.folder) == (other.name, other.folder)


@dataclass(frozen=True, slots=True)
class ModelRef(FilesRef):
    """A model and the adapter that was in use."""

    adapter: FilesRef | None = None


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions of libraries and system that a run depended on."""

    app: str = ""
    mlx: str = ""
    mlx_lm: str = ""
    python: str = ""
    system: str = ""
    chip: str = ""


@dataclass(frozen=True, slots=True)
class RunStart:
    """A run when it is sent. `sent` is its stop flag's `made_at`."""

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
    """None if the run failed before it was made."""
    ids: tuple[int, ...]
    text: str
    reasoning: str
    finish: Finish | None
    """None while it runs, and if it was interrupted."""
    summary: Summary | None
    """None while it runs."""

    @property
    def prompt_tokens(self) -> int | None:
        """Prompt tokens; None if unknown, such as of a server that doesn't report them."""
        count = len(self.prompt.ids) if self.prompt is not None else 0
        return count or (self.finish.prompt_known if self.finish is not None else None)


@dataclass(frozen=True, slots=True)
class RunBrief:
    """A run without prompt and text, for the line under its answer."""

    id: RunId
    turn: TurnId
    state: RunState
    mode: str
    model: str
    adapter: FilesRef | None
    finish: Finish | None
    summary: Summary | None


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
    """A run as a table row; None for unknown values."""

    id: RunId
    session: SessionId
    turn: TurnId
    title: str
    """The session's."""
    started: float
    state: RunState
    reason: str
    """Value of `Reason`; empty while it runs."""
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
    """None: none was sent to the server, or it is unknown."""
    settings: tuple[tuple[str, Plain], ...]
    """Settings by dotted name, without the seed."""
    pieces: bool = False
    """`tokens` counts pieces of text from a server that doesn't report tokens."""


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
    """It has an unsent prompt."""


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
    """The answer that it was forked from; in a file its position, from 0."""
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
    """The turn that it follows."""
    next: TurnId = BEGINNING
    """The turn that followed it when it was last in the conversation; BEGINNING: none."""
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
    """A turn with its runs."""

    role: Role
    text: str
    reasoning: str
    runs: tuple[WholeRun, ...]
    hidden: bool = False
    """On another branch or deleted."""
    after: int | None = None
    """Of a turn on another branch: the position of the turn that it follows; -1: it is the first."""
    then: int | None = None
    """Of such a turn: the position of the turn that followed it last."""
    made: int | None = None
    """Its rank by creation within the session; None: unknown."""
    forked: Fork | None = None


@dataclass(frozen=True, slots=True)
class WholeSession:
    """A session with everything in it, as a `.sluice` file has it."""

    title: str
    named: bool
    """The user has set the title."""
    pinned: bool
    created: float
    changed: float
    settings: Controls
    draft: str
    turns: tuple[WholeTurn, ...]
