"""What all of the journal's values are made of: numbers, plain values, what a listener is told."""

from enum import StrEnum
from typing import TypeAlias

from app.engine.types import Failure

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
