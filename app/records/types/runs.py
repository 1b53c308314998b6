"""Runs: what is known of one when it is sent, as it goes on, and when it is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.meter.frame import Summary
from app.engine.types import ExactPrompt, Finish, Request, TokenLogprobs
from app.records.types.basics import Plain, RunId, SessionId, TurnId


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
