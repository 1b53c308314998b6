"""What the runs' view is given besides the rows of its table."""

from dataclasses import dataclass

from app.engine.meter.frame import Point

CURVES = "ABCDEFGHIJKL"
"""What curves that are laid over each other are called; more of them could not be told apart."""
LETTERS = CURVES[:6]
"""What runs that are compared are called."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One of several runs that are laid over each other."""

    run: int
    points: tuple[Point, ...]
    mean: float | None = None
