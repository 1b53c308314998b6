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
"""How something went that may fail: None is well."""


BEGINNING: TurnId = 0
"""Stands before the first turn of a conversation."""


class JournalChange(StrEnum):
    """What a listener of the journal is told of."""

    SESSIONS = "sessions"
    """Something in the list of sessions, or in a conversation."""
    RUNS = "runs"
    """A run has begun or ended."""
    WRITING = "writing"
    """A batch is about to be written."""
    TROUBLE = "trouble"
    """`Journal.failure` is another one now, or none any more."""


class RunState(StrEnum):
    """Whether a run is over, and if it ended in good order."""

    RUNNING = "running"
    ENDED = "ended"
    INTERRUPTED = "interrupted"
    """The program was killed, or the machine went off: there is text up to the last batch, and no `Finish`."""


@dataclass(frozen=True, slots=True)
class FilesRef:
    """Which model or adapter it was. `revision` and `digest` are empty where unknown."""

    name: str
    folder: str = ""
    revision: str = ""
    """The commit, for a model from the hub's cache."""
    digest: str = ""
    """A hash of the model's files, for one that has no revision."""

    def is_same(self, other: FilesRef) -> bool:
        """By what is in it, where that is known of both; else by where it lies."""
        ours, theirs = (self.revision, self.digest), (other.revision, other.digest)
        if any(ours) and any(theirs):
            return ours == theirs
        return (self.name, self.folder) == (other.name, other.folder)


@dataclass(frozen=True, slots=True)
class ModelRef(FilesRef):
    """Which model it was, and which adapter was on it and counted."""

    adapter: FilesRef | None = None


@dataclass(frozen=True, slots=True)
class Versions:
    """What a run depended on beside model and request."""

    app: str = ""
    mlx: str = ""
    mlx_lm: str = ""
    python: str = ""
    system: str = ""
    chip: str = ""


@dataclass(frozen=True, slots=True)
class RunStart:
    """What is known of a run when it is sent. `sent` is its stop flag's `made_at`."""

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
    """One run, whole but for its tokens, which are read in steps."""

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
    """None when the run failed before there was one."""
    ids: tuple[int, ...]
    text: str
    reasoning: str
    finish: Finish | None
    """None while it goes on, and when it was interrupted."""
    summary: Summary | None
    """None while it goes on."""

    @property
    def prompt_tokens(self) -> int | None:
        """How many its prompt had; None where nobody knows, as of a server that did not count them."""
        count = len(self.prompt.ids) if self.prompt is not None else 0
        return count or (self.finish.prompt_known if self.finish is not None else None)


@dataclass(frozen=True, slots=True)
class RunBrief:
    """What is said of a run under its answer: all of it but what it was asked and what it wrote."""

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
    """One token as it came; `at` in seconds since Send."""

    index: int
    id: int
    text: str
    at: float
    from_draft: bool = False
    observed: TokenLogprobs | None = None


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run as one row of the table: plain values, None where there is none to tell."""

    id: RunId
    session: SessionId
    turn: TurnId
    title: str
    """The session's."""
    started: float
    state: RunState
    reason: str
    """Why it ended, as `Reason` says it; empty while it goes on."""
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
    """None: a server was given none, or nobody knows."""
    settings: tuple[tuple[str, Plain], ...]
    """Every setting by its dotted name, the seed left out: what is compared with the row above."""
    pieces: bool = False
    """`tokens` are pieces of text: a server wrote them, and has not said how many tokens they are."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A session as one row of the list. `title` is never empty."""

    id: SessionId
    title: str
    pinned: bool
    created: float
    changed: float
    turns: int
    interrupted: bool = False
    """Its last run was cut off; Continue goes on with it."""
    unsent: bool = False
    """There is a draft of a prompt that was never sent."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session without its turns, which are read in steps."""

    info: SessionInfo
    settings: Controls
    draft: str


@dataclass(frozen=True, slots=True)
class Fork:
    """Where an answer took another way than the one that it was forked from."""

    turn: TurnId
    """The answer that it was forked from; in a file, which of the session's turns, counted from 0."""
    place: int
    """Which of that answer's tokens, counted from 0, another was put in place of."""
    chosen: str = ""
    """The text that was put there."""
    instead: str = ""
    """The text that had been there."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation. An answer has its runs: the first one, and one for each Continue."""

    id: TurnId
    role: Role
    text: str
    reasoning: str = ""
    runs: tuple[RunId, ...] = ()
    parent: TurnId = BEGINNING
    """The turn that it follows."""
    next: TurnId = BEGINNING
    """The turn that followed it when it was last part of the conversation; BEGINNING: none."""
    forked: Fork | None = None


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Where a search found its words: `excerpt` of a turn's text (`turn` None: of the title)."""

    session: SessionInfo
    turn: TurnId | None
    excerpt: str
    marks: tuple[tuple[int, int], ...]
    """From where to where in the excerpt each found word reaches."""
    aside: bool = False
    """The turn is on a branch that is not in sight."""


@dataclass(frozen=True, slots=True)
class WholeRun:
    """A run with all its tokens: what is exported and imported."""

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
    """Another answer or a deleted turn: kept, and no part of the conversation."""
    after: int | None = None
    """Of a hidden turn on another branch: which of the session's turns it follows; -1: it begins the conversation."""
    then: int | None = None
    """Of such a turn: which one followed it last."""
    made: int | None = None
    """How many of the session's turns were made before it; None: nobody knows."""
    forked: Fork | None = None


@dataclass(frozen=True, slots=True)
class WholeSession:
    """A session with everything in it: what a `.sluice` file holds."""

    title: str
    named: bool
    """The title is the user's own and no longer follows the first words."""
    pinned: bool
    created: float
    changed: float
    settings: Controls
    draft: str
    turns: tuple[WholeTurn, ...]
