"""Sessions and what is said in them."""

from dataclasses import dataclass

from app.controls import Controls
from app.engine.types import Role
from app.records.types.basics import BEGINNING, RunId, SessionId, TurnId


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
