"""Decode speed at positions of a run, computed from the arrival times of nearby tokens."""

from collections.abc import Sequence
from itertools import combinations
from statistics import median

from app.definitions import meaning
from app.engine.meter.speeds import Point, end_to_end_speed, mean_speed
from app.experiments.types import ExperimentOutcome, MetricColumn, RunResult
from app.i18n import tr

NEAR = 20
"""Number of tokens on either side of a position."""
DRAWN = 200
"""Number of points in a curve."""
STRETCHES = 8
SHORTEST_STRETCH = 5


def speed_at(run: RunResult, token: int) -> float | None:
    """Return the speed at token `token`, over as many tokens before as after; None if the run ends too soon."""
    near = tokens_around(token, len(run.tokens)) // 2
    return _speed(run.arrivals[token - 1 - near : token + near]) if near > 0 else None


def last_place(tokens: int) -> int:
    """Return the position of the last token that has enough tokens after it."""
    return max(tokens - NEAR, tokens // 2 + 1)


def tokens_around(position: int, tokens: int) -> int:
    """Return over how many tokens `speed_at` measures, in a run of this length."""
    return 2 * min(NEAR, position - 1, tokens - position) + 1


def speed_at_end(run: RunResult) -> float | None:
    return _speed(run.arrivals[-2 * NEAR - 1 :])


def over_shared(outcome: ExperimentOutcome, arms: Sequence[int], waiting: bool = False) -> tuple[MetricColumn, str]:
    """Return a column of the mean speed over the first tokens that all runs have, and a clause if some have more.

    Otherwise runs of different lengths would differ by the disturbances in their additional tokens. `waiting`: measure
    from Send, since draft tokens arrive in bursts, the first one together with the first token.
    """
    lengths = {len(run.tokens) for arm in arms for run in outcome.of(arm) if len(run.tokens) > 1}
    least = min(lengths, default=0)

    def speed(run: RunResult) -> float | None:
        shared = run.arrivals[:least]
        if len(shared) < max(least, 1):
            return None
        return end_to_end_speed(least, 0.0, shared[-1]) if waiting else mean_speed(least, shared[0], shared[-1])

    text = tr("over the first %n tokens", "over the first %n token", least) if len(lengths) > 1 else ""
    return MetricColumn("shared", "", "tok/s", speed), text


def speed_of_last(tokens: int) -> MetricColumn:
    return MetricColumn("last", "", "tok/s", lambda run: _speed(run.arrivals[-tokens:]))


def middle(runs: Sequence[RunResult]) -> RunResult:
    """Return the run of median speed, whose curve is plotted for its variant."""
    known = sorted(runs, key=lambda run: run.summary.figures.speed_mean or 0.0)
    return known[len(known) // 2]


def curve(run: RunResult) -> tuple[Point, ...]:
    """Return the speed around each token: smoother than the live curve, and complete for a short run."""
    arrivals = run.arrivals
    positions = range(2, len(arrivals) + 1, max(1, len(arrivals) // DRAWN))
    # Near the start and the end, one side has fewer tokens.
    speeds = ((token, _speed(arrivals[max(0, token - NEAR - 1) : token + NEAR])) for token in positions)
    return tuple(Point(arrivals[token - 1], token, speed) for token, speed in speeds if speed is not None)


def slope(run: RunResult) -> float | None:
    """Return the change of speed per 100 tokens; None for a run that is too short.

    It is the median of the slopes between any two of eight equal parts, so that one pause has little effect.
    """
    arrivals = run.arrivals
    length = len(arrivals) // STRETCHES
    if length < SHORTEST_STRETCH:
        return None
    speeds = [_speed(arrivals[position * length : (position + 1) * length]) for position in range(STRETCHES)]
    known = [(position * length, speed) for position, speed in enumerate(speeds) if speed is not None]
    slopes = [(late - early) / (end - start) for (start, early), (end, late) in combinations(known, 2)]
    return 100 * median(slopes) if slopes else None


def at(token: int) -> MetricColumn:
    title = tr("Speed at token {place}").format(place=token)
    return MetricColumn(f"speed_at_{token}", title, "tok/s", lambda run: speed_at(run, token), meaning("speed_at"))


AT_END = MetricColumn("speed_at_end", tr("Speed at the end"), "tok/s", speed_at_end, meaning("speed_at_end"))
SLOPE = MetricColumn("slope", tr("Slope"), "tok/s per 100 tokens", slope, meaning("slope"))


def _speed(arrivals: Sequence[float]) -> float | None:
    return mean_speed(len(arrivals), arrivals[0], arrivals[-1]) if arrivals else None
