"""Runs whose speed curves are compared."""

from dataclasses import dataclass

from app.engine.meter.speeds import Point

CURVES = "ABCDEFGHIJKL"
"""Letters of the curves in one plot."""
LETTERS = CURVES[:6]
"""Letters of the runs that are compared."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the runs in a plot."""

    run: int
    points: tuple[Point, ...]
    mean: float | None = None
