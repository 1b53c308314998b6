"""How fast a run was at a place of its text, from the times of the tokens around it."""

from collections.abc import Sequence
from itertools import combinations
from statistics import median

from app.definitions import meaning
from app.engine.meter.frame import Point
from app.engine.meter.speeds import end_to_end_speed, mean_speed
from app.experiments.types import Column, Outcome, Result
from app.i18n import tr

NEAR = 20
"""How many tokens on either side of a place its speed is taken from."""
DRAWN = 200
"""Places of a curve."""
STRETCHES = 8
SHORTEST_STRETCH = 5


def speed_at(run: Result, token: int) -> float | None:
    """At token number `token`: over as many before it as after it; None where the run does not go on behind it."""
    near = min(NEAR, token - 1, len(run.tokens) - token)
    return _speed(run.arrivals[token - 1 - near : token + near]) if near > 0 else None


def last_place(tokens: int) -> int:
    """The last token of so many that has enough behind it to tell the speed at it."""
    return max(tokens - NEAR, (tokens + 1) // 2)


def speed_at_end(run: Result) -> float | None:
    """Over the last tokens."""
    return _speed(run.arrivals[-2 * NEAR - 1 :])


def over_shared(outcome: Outcome, arms: Sequence[int], waiting: bool = False) -> tuple[Column, str]:
    """The mean speed over as many first tokens as every run of these arms has, and words for that where some have more.

    A long run averages over more of what disturbs it: beside a short one that alone would look like a difference.
    `waiting`: from Send on, as for drafts, which come in bursts, the first one with the first token.
    """
    lengths = {len(run.tokens) for arm in arms for run in outcome.of(arm) if len(run.tokens) > 1}
    least = min(lengths, default=0)

    def speed(run: Result) -> float | None:
        shared = run.arrivals[:least]
        if len(shared) < max(least, 1):
            return None
        return end_to_end_speed(least, 0.0, shared[-1]) if waiting else mean_speed(least, shared[0], shared[-1])

    said = tr("over the first %n tokens", "over the first %n token", least) if len(lengths) > 1 else ""
    return Column("shared", "", "tok/s", speed), said


def speed_of_last(tokens: int) -> Column:
    """Over so many at the end of a run."""
    return Column("last", "", "tok/s", lambda run: _speed(run.arrivals[-tokens:]))


def curve(run: Result) -> tuple[Point, ...]:
    """The speed around each token: smoother than what is told every quarter of a second, and whole for a short run."""
    arrivals = run.arrivals
    places = range(2, len(arrivals) + 1, max(1, len(arrivals) // DRAWN))
    speeds = ((token, _speed_near(arrivals, token)) for token in places)
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


def _speed_near(arrivals: Sequence[float], token: int) -> float | None:
    """Drawn to both ends, where there are fewer on one side."""
    return _speed(arrivals[max(0, token - NEAR - 1) : token + NEAR])


def _speed(arrivals: Sequence[float]) -> float | None:
    return mean_speed(len(arrivals), arrivals[0], arrivals[-1]) if arrivals else None
