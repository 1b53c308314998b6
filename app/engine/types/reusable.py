"""What a prompt would find in the cache, asked before it is sent."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Hindrance(StrEnum):
    """Why the cache does not hold more of a prompt."""

    NONE = "it holds all that it could"
    BARE = "no cache is kept"
    OFF = "reuse is switched off"
    NOTHING = "nothing was cached yet"
    SETTINGS = "it was made with other settings"
    STUCK = "it can't be rolled back"
    DIFFERS = "the prompt is another one from there on"


@dataclass(frozen=True, slots=True)
class Reusable:
    """`count` tokens need not be read again; `same` are those in the cache from the beginning on, used or not."""

    count: int = 0
    same: int = 0
    cached: tuple[int, str] | None = None
    """Which token the cache has where the prompt goes another way, and its text; None: it goes no further."""
    hindrance: Hindrance = Hindrance.NOTHING
