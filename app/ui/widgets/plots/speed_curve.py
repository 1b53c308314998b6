"""The speed of one run as a curve: kept small for drawing, kept whole for CSV, and told in a sentence. No Qt."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.engine.frame import Figures, Point
from app.figures import duration, speed, spoken_duration, spoken_speed
from app.words import tr

MOST_DRAWN = 600


class Axis(StrEnum):
    """What the curve runs over."""

    TIME = "time"
    TOKENS = "tokens"


AXIS_LABELS = {Axis.TIME: tr("seconds since Send"), Axis.TOKENS: tr("tokens")}


@dataclass(slots=True)
class SpeedCurve:
    """A run's points as they come. `drawn` is thinned out whenever it grows too long, by lows and highs.

    It is always thinned anew: if what was thinned were thinned again, the beginning would become ever coarser.
    """

    points: list[Point] = field(default_factory=list)
    drawn: list[Point] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)
    ended: bool = False

    def extend(self, points: Sequence[Point], figures: Figures) -> None:
        self.points.extend(points)
        self.drawn.extend(points)
        self.figures = figures
        if len(self.drawn) > MOST_DRAWN:
            self.drawn = thinned(self.points, MOST_DRAWN // 2)

    def end(self, axis: Axis) -> float | None:
        """Where the last token is; None while it may still come."""
        figures = self.figures
        if not self.ended or not self.drawn:
            return None
        if axis is Axis.TOKENS:
            return float(figures.tokens)
        # Without a speed the last token has no point.
        return figures.tokens / figures.end_to_end if figures.end_to_end else self.drawn[-1].seconds

    def height(self, x: float, axis: Axis) -> float | None:
        """How high the line that is drawn is at `x`."""
        xs = self.xs(axis)
        after = bisect_left(xs, x)
        if not xs or after == 0:
            return self.drawn[0].speed if xs else None
        if after == len(xs):
            return self.drawn[-1].speed
        low, high = self.drawn[after - 1], self.drawn[after]
        share = (x - xs[after - 1]) / (xs[after] - xs[after - 1])
        return low.speed + share * (high.speed - low.speed)

    def heights(self, left: float, right: float, axis: Axis) -> list[float]:
        """How high the line that is drawn is at both ends of a stretch, and at its points in between."""
        between = [point.speed for point, x in zip(self.drawn, self.xs(axis), strict=True) if left < x < right]
        ends = (self.height(left, axis), self.height(right, axis))
        return [*between, *(speed for speed in ends if speed is not None)]

    def xs(self, axis: Axis) -> list[float]:
        if axis is Axis.TIME:
            return [point.seconds for point in self.drawn]
        return [float(point.tokens) for point in self.drawn]

    def ys(self) -> list[float]:
        return [point.speed for point in self.drawn]


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """At most so many points, with the first, the last, and the lowest and highest of each stretch."""
    if len(points) <= most:
        return list(points)
    buckets = (most - 2) // 2
    inner = points[1:-1]
    kept = [points[0]]
    for number in range(buckets):
        bucket = inner[number * len(inner) // buckets : (number + 1) * len(inner) // buckets]
        low, high = min(bucket, key=_speed_of), max(bucket, key=_speed_of)
        kept.extend(sorted({low, high}, key=_seconds_of))
    return [*kept, points[-1]]


def described(curve: SpeedCurve) -> str:
    """The curve in a sentence, for whoever can't see it."""
    if not curve.drawn and curve.figures.speed_mean is not None:
        return tr("Mean {mean}.").format(mean=spoken_speed(curve.figures.speed_mean))
    if not curve.drawn:
        begun = curve.figures.first_token
        return tr("One token so far, so there is no speed yet.") if begun else tr("No speed yet.")
    low, high = min(curve.drawn, key=_speed_of), max(curve.drawn, key=_speed_of)
    words = tr(
        "Mean {mean}; lowest {low} at {low_at}, token {low_token}; highest {high} at {high_at}, token {high_token}."
    )
    said = [
        words.format(
            mean=spoken_speed(curve.figures.speed_mean),
            low=speed(low.speed),
            low_at=spoken_duration(low.seconds),
            low_token=f"{low.tokens:,}",
            high=speed(high.speed),
            high_at=spoken_duration(high.seconds),
            high_token=f"{high.tokens:,}",
        )
    ]
    if curve.figures.first_token is not None:
        said.append(tr("First token after {time}.").format(time=spoken_duration(curve.figures.first_token)))
    if curve.figures.prompt_speed is not None:
        said.append(tr("Prompt at {speed}.").format(speed=spoken_speed(curve.figures.prompt_speed)))
    return " ".join(said)


def csv(curve: SpeedCurve) -> str:
    """Every point, as a table for other programs."""
    rows = [f"{point.seconds:.6f},{point.tokens},{point.speed:.3f}" for point in curve.points]
    return "\n".join(["seconds,tokens,tokens_per_second", *rows]) + "\n"


def pointed(point: Point) -> str:
    """What stands under the pointer."""
    words = tr("{time} · token {number} · {speed} tok/s")
    return words.format(time=duration(point.seconds), number=f"{point.tokens:,}", speed=speed(point.speed))


def nearest(points: Sequence[Point], at: float, axis: Axis) -> Point | None:
    """The point whose place on the axis is nearest."""
    place = _seconds_of if axis is Axis.TIME else _tokens_of
    return min(points, key=lambda point: abs(place(point) - at), default=None)


def roomy(largest: float) -> float:
    """The end of an axis: a round number with some room beyond the largest value, so that it seldom changes."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** len(str(int(largest))) / 10 if largest >= 1 else 0.1
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20)
    return next(step * power for step in steps if step * power >= largest * 1.08)


def _speed_of(point: Point) -> float:
    return point.speed


def _seconds_of(point: Point) -> float:
    return point.seconds


def _tokens_of(point: Point) -> float:
    return float(point.tokens)
