"""What the runs' view is given besides the rows of its table."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.frame import Point

LETTERS = "ABCDEF"
"""What runs that are compared are called; more curves than these could not be told apart."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One of several runs that are laid over each other."""

    run: int
    points: tuple[Point, ...]
    mean: float | None = None
