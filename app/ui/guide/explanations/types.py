"""One answer of "What's this?"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explained:
    """What the thing is called, and what it does to the text or tells of it."""

    name: str
    text: str
