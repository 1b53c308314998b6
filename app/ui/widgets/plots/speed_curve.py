"""The speed of one run as a curve: thinned for drawing, complete for CSV, described in words. No Qt."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Generic, TypeVar

from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import Point
from app.i18n import tr
from app.number_format import duration, minus, speed, spoken_duration, spoken_speed

MAX_DRAWN = 400
TOLERANCE_S = 1e-6
"""The last point and the last token are timed from different moments, which rounds differently."""
LIMIT_STEPS = 8

Item = TypeVar("Item")
Line = tuple[list[float], list[float]]
Limit = Callable[[int], float]
_speed_of, _seconds_of, _tokens_of = (attrgetter(name) for name in ("speed", "seconds", "tokens"))


class CurveAxis(StrEnum):
    """The x axis."""

    TIME = "time"
    TOKENS = "tokens"


class ThinnedCurve(Generic[Item]):
    """A thinned curve: the lowest and the highest point of each bucket, and the first and the last of all.

    Buckets double in width when there are too many, so no part of a long run is coarser than another.
    """

    def __init__(self, height: Callable[[Item], float], most: int = MAX_DRAWN) -> None:
        self._height = height
        self._most_buckets = 2 * max(1, (most - 2) // 4)
        self._buckets: list[tuple[Item, Item]] = []
        self._ends: tuple[Item, Item] | None = None
        self._width = 1
        self._count = 0

    def add(self, point: Item) -> None:
        pair = (point, point)
        self._ends = (self._ends[0] if self._ends is not None else point, point)
        if self._count % self._width:
            self._buckets[-1] = self._join(self._buckets[-1], pair)
        else:
            if len(self._buckets) == self._most_buckets:
                self._width *= 2
                pairs = zip(self._buckets[::2], self._buckets[1::2], strict=True)
                self._buckets = [self._join(*each) for each in pairs]
            self._buckets.append(pair)
        self._count += 1

    def points(self) -> list[Item]:
        """Return the remaining points, in the order in which they were added."""
        found = [each for pair in self._buckets for each in (pair[:1] if pair[0] is pair[1] else pair)]
        if self._ends is None:
            return found
        first, last = self._ends
        return [first] * (found[0] is not first) + found + [last] * (found[-1] is not last)

    def _join(self, one: tuple[Item, Item], other: tuple[Item, Item]) -> tuple[Item, Item]:
        near = (*one, *other)
        heights = [self._height(each) for each in near]
        ends = sorted((heights.index(min(heights)), heights.index(max(heights))))
        return near[ends[0]], near[ends[1]]


@dataclass(slots=True, eq=False)
class SpeedCurve:
    """A run's points as they arrive; `drawn` is the thinned curve."""

    points: list[Point] = field(default_factory=list)
    drawn: list[Point] = field(default_factory=list)
    metrics: RunMetrics = field(default_factory=RunMetrics)
    ended: bool = False
    model: str = ""
    """Label of its model."""
    prompt: int | None = None
    """Hash of the prompt's token ids; None: not known."""
    expected: float = 0.0
    """Estimated end of the prefill in seconds since Send; 0 where there is no estimate."""
    arrivals: array[float] = field(default_factory=lambda: array("d"))
    """When each token arrived, in seconds since Send."""
    limit: Limit | None = None
    """The bandwidth limit in tok/s, by the number of tokens generated so far; None where it is not known, or where the
    run was faster: it was measured too low then.
    """
    _thinned: ThinnedCurve[Point] = field(default_factory=lambda: ThinnedCurve(_speed_of))

    def extend(self, points: Iterable[Point], metrics: RunMetrics, arrivals: Iterable[float] = ()) -> None:
        known = len(self.points)
        for point in points:
            self.points.append(point)
            self._thinned.add(point)
        if self.limit is not None and _is_above(self.limit, self.points[known:]):
            self.limit = None
        self.arrivals.extend(arrivals)
        self.metrics = metrics
        self.drawn = self._thinned.points()

    def show_limit(self, limit: Limit | None) -> None:
        """Set the bandwidth limit, unless the run was faster at a point."""
        self.limit = None if limit is not None and _is_above(limit, self.drawn) else limit

    def end(self, metrics: RunMetrics) -> None:
        """Remove the points after the last token: they showed the wait for one that never came."""
        last = self.arrivals[-1] if self.arrivals else 0.0
        points = self.points[: bisect_right(self.points, last + TOLERANCE_S, key=_seconds_of)]
        self.points, self._thinned = [], ThinnedCurve(_speed_of)
        self.extend(points, metrics)
        self.ended = True

    def line(self, axis: CurveAxis) -> Line:
        return self.xs(axis), self.ys()

    def xs(self, axis: CurveAxis) -> list[float]:
        return [point.seconds if axis is CurveAxis.TIME else float(point.tokens) for point in self.drawn]

    def ys(self) -> list[float]:
        return [point.speed for point in self.drawn]

    def limit_line(self, axis: CurveAxis) -> Line:
        """Return the bandwidth limit at some of the run's tokens."""
        limit, count = self.limit, len(self.arrivals)
        if limit is None or count < 2:
            return [], []
        numbers = [round(each * (count - 1) / LIMIT_STEPS) for each in range(LIMIT_STEPS + 1)]
        xs = [self.arrivals[each] if axis is CurveAxis.TIME else each + 1.0 for each in numbers]
        return xs, [limit(each) for each in numbers]

    def height(self, x: float, axis: CurveAxis) -> float | None:
        """Return the speed that the drawn line has at `x`."""
        xs, ys = self.line(axis)
        after = bisect_left(xs, x)
        if not xs or after in (0, len(xs)):
            return (ys[0] if after == 0 else ys[-1]) if xs else None
        share = (x - xs[after - 1]) / (xs[after] - xs[after - 1])
        return ys[after - 1] + share * (ys[after] - ys[after - 1])


def _is_above(limit: Limit, points: Sequence[Point]) -> bool:
    """Return whether a point is above the limit, which falls with the context: its last value is compared first."""
    if not points or max(map(_speed_of, points)) <= limit(points[-1].tokens):
        return False
    return any(point.speed > limit(point.tokens) for point in points)


def describe(curve: SpeedCurve) -> str:
    """Describe the curve in sentences, for screen readers."""
    if not curve.drawn and curve.metrics.speed_mean is not None:
        return tr("Mean {mean}.").format(mean=spoken_speed(curve.metrics.speed_mean))
    if not curve.drawn:
        return tr("One token so far, so there is no speed yet.") if curve.metrics.first_token else tr("No speed yet.")
    low, high = (_describe_extreme(pick(curve.drawn, key=_speed_of)) for pick in (min, max))
    words = tr("Mean {mean}; lowest {low}; highest {high}.")
    sentences = [words.format(mean=spoken_speed(curve.metrics.speed_mean), low=low, high=high)]
    if curve.metrics.first_token is not None:
        sentences.append(tr("Time to first token {time}.").format(time=spoken_duration(curve.metrics.first_token)))
    if curve.metrics.prompt_speed is not None:
        sentences.append(tr("Prefill speed {speed}.").format(speed=spoken_speed(curve.metrics.prompt_speed)))
    return " ".join(sentences)


def _describe_extreme(point: Point) -> str:
    words, time = tr("{speed} at {time}, token {number}"), spoken_duration(point.seconds)
    return words.format(speed=speed(point.speed), time=time, number=f"{point.tokens:,}")


def describe_pinned(pinned: SpeedCurve, curve: SpeedCurve) -> str:
    """Return “+12 % against pinned · demo, 8-bit, same prompt”; the part after “·” may be omitted."""
    parts = [pinned.model]
    if pinned.prompt is not None and curve.prompt is not None:
        parts.append(tr("same prompt") if pinned.prompt == curve.prompt else tr("other prompt"))
    run = ", ".join(filter(None, parts))
    ours, theirs = curve.metrics.speed_mean, pinned.metrics.speed_mean
    if not ours or not theirs:
        return tr("pinned: {run}").format(run=run)
    change = minus(f"{100 * (ours / theirs - 1):+,.0f}")
    return " · ".join(filter(None, (tr("{change} % against pinned").format(change=change), run)))


def curve_csv(curve: SpeedCurve) -> str:
    rows = [f"{point.seconds:.6f},{point.tokens},{point.speed:.3f}" for point in curve.points]
    return "\n".join(["seconds,tokens,tokens_per_second", *rows]) + "\n"


@dataclass(frozen=True, slots=True)
class PlottedQuantity:
    """What the y axis of a plot shows: its unit, and the spoken form of a value."""

    unit: str
    spoken: Callable[[float | None], str]


SPEED = PlottedQuantity(tr("tok/s"), spoken_speed)
SURPRISAL = PlottedQuantity(tr("bits"), lambda value: tr("{number} bits").format(number=speed(value)))


def describe_point(point: Point, quantity: PlottedQuantity = SPEED) -> str:
    """Return “1.20 s · token 1,180 · 148 tok/s”."""
    words = tr("{time} · token {number} · {value} {unit}")
    values = {"time": duration(point.seconds), "value": speed(point.speed), "unit": quantity.unit}
    return words.format(number=f"{point.tokens:,}", **values)


def nearest_point(points: Sequence[Point], at: float, axis: CurveAxis) -> Point | None:
    value_of = _seconds_of if axis is CurveAxis.TIME else _tokens_of
    return min(points, key=lambda point: abs(value_of(point) - at), default=None)


def axis_end(largest: float) -> float:
    """Return a round number with some room beyond the largest value, so that it seldom changes."""
    if largest <= 0:
        return 1.0
    power = 10.0 ** len(str(int(largest))) / 10 if largest >= 1 else 0.1
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20)
    return next(step * power for step in steps if step * power >= largest * 1.08)


CURVES = "ABCDEFGHIJKL"
"""Letters of the curves in one plot."""


@dataclass(frozen=True, slots=True)
class PlottedRun:
    """One of the runs in a plot. `speed` of its points is the value of the plotted quantity."""

    run: int
    points: tuple[Point, ...]
    mean: float | None = None
