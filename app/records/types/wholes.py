"""Sessions and runs with all that is in them: what is exported and imported."""

from dataclasses import dataclass

from app.controls import Controls
from app.engine.types import Role
from app.records.types.runs import RunRecord, TokenRecord
from app.records.types.sessions import Fork


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
