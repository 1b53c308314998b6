"""How fast a run was at a place of its text, from the times of the tokens around it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median

from app.definitions import meaning
from app.engine.frame import Point
from app.engine.speeds import mean_speed
from app.experiments.types import Column, Result
from app.words import tr

NEAR = 20
"""How many tokens on either side of a place its speed is taken from."""
DRAWN = 200
"""Places of a curve."""
STRETCHES = 8
SHORTEST_STRETCH = 5


def speed_at(run: Result, token: int) -> float | None:
    """Around token number `token`, as far as the run reaches; None where it does not get there."""
    return _speed_at(run.arrivals, token)


def speed_at_end(run: Result) -> float | None:
    """Over the last tokens."""
    return _speed(run.arrivals[-2 * NEAR - 1 :])


def curve(run: Result) -> tuple[Point, ...]:
    """The speed around each token: smoother than what is told every quarter of a second, and whole for a short run."""
    arrivals = run.arrivals
    places = range(2, len(arrivals) + 1, max(1, len(arrivals) // DRAWN))
    speeds = ((token, _speed_at(arrivals, token)) for token in places)
    return tuple(Point(arrivals[token - 1], token, speed) for token, speed in speeds if speed is not None)


def slope(run: Result) -> float | None:
    """How much faster (below 0: slower) a run gets with every 100 tokens.

    The median of the slopes between any two of eight equal stretches, so that one hiccup does not tilt it; None for too
    short a run.
    """
    arrivals = run.arrivals
    length = len(arrivals) // STRETCHES
    if length < SHORTEST_STRETCH:
        return None
    speeds = [_speed(arrivals[place * length : (place + 1) * length]) for place in range(STRETCHES)]
    known = [(place * length, speed) for place, speed in enumerate(speeds) if speed is not None]
    slopes = [(late - early) / (end - start) for (start, early), (end, late) in combinations(known, 2)]
    return 100 * median(slopes) if slopes else None


def at(token: int) -> Column:
    """The speed at a place as a column of the table."""
    title = tr("Speed at token {place}").format(place=token)
    return Column(f"speed_at_{token}", title, "tok/s", lambda run: speed_at(run, token), meaning("speed_at"))


AT_END = Column("speed_at_end", tr("Speed at the end"), "tok/s", speed_at_end, meaning("speed_at_end"))
SLOPE = Column("slope", tr("Slope"), "tok/s per 100 tokens", slope, meaning("slope"))


def _speed_at(arrivals: Sequence[float], token: int) -> float | None:
    if not 0 < token <= len(arrivals):
        return None
    return _speed(arrivals[max(0, token - NEAR - 1) : token + NEAR])


def _speed(arrivals: Sequence[float]) -> float | None:
    return mean_speed(len(arrivals), arrivals[0], arrivals[-1]) if arrivals else None
