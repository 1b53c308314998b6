"""The speed of one run as a curve: kept small for drawing, kept whole for CSV, and told in a sentence. No Qt."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter

from app.engine.meter.frame import Figures, Point
from app.engine.meter.speeds import percentile
from app.i18n import tr
from app.number_format import duration, speed, spoken_duration, spoken_speed

MOST_DRAWN = 600
AFTER_S = 1e-6
"""By which the last point may be beside the last token: their times are counted from different moments."""
FEWEST_TOKENS, SHORTEST_S = 32, 0.5
"""Of fewer tokens, or in less time, a curve would be invented: the mean is all that there is to be told."""


_speed_of, _seconds_of, _tokens_of = (attrgetter(name) for name in ("speed", "seconds", "tokens"))
_place_of = attrgetter("seconds", "tokens")


class Axis(StrEnum):
    """What the curve runs over."""

    TIME = "time"
    TOKENS = "tokens"


Line = tuple[list[float], list[float]]
Limit = Callable[[int], float]
LIMIT_STEPS = 8
AXIS_LABELS = {Axis.TIME: tr("seconds since Send"), Axis.TOKENS: tr("tokens")}


@dataclass(slots=True)
class SpeedCurve:
    """A run's points as they come. Of neighbours the lowest and the highest are drawn: of twice as many whenever there
    are too many, so that no part of a run is coarser than another. The first and the last are always drawn.
    """

    points: list[Point] = field(default_factory=list)
    drawn: list[Point] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)
    ended: bool = False
    expected: float = 0.0
    """When the prompt will have been read, in seconds since Send; 0 where nobody knows."""
    arrivals: array[float] = field(default_factory=lambda: array("d"))
    """When each token came, in seconds since Send."""
    limit: Limit | None = None
    """The fastest that it could be, by how many tokens it has written; None: nobody knows."""
    most: int = MOST_DRAWN
    settled: int = 0
    """So many of those that are drawn stay, whatever comes: there are no more neighbours for them."""
    _width: int = 1
    """How many neighbours there are."""
    _passed: int = 0
    """How many points those that are settled stand for."""
    _speeds: list[float] = field(default_factory=list)
    _places: dict[Axis, list[float]] = field(default_factory=lambda: {axis: [] for axis in Axis})
    """Where on the axes what is drawn stands."""
    _crest: tuple[object, float] = (None, 0.0)
    """The one that was asked for last, and of how much that was."""
    _limits: tuple[object, Line] = (None, ([], []))

    def extend(self, points: Sequence[Point], figures: Figures, arrivals: Iterable[float] = ()) -> None:
        self.points.extend(points)
        self.arrivals.extend(arrivals)
        self.figures = figures
        while len(self.points) > (self.most - 2) // 2 * self._width:
            self._width, self._passed, self.settled = 2 * self._width, 0, 0
        del self.drawn[self.settled :]
        for numbers in (self._speeds, *self._places.values()):
            del numbers[self.settled :]
        while self._passed + self._width <= len(self.points):
            self._draw(self.points[self._passed : self._passed + self._width])
            self._passed, self.settled = self._passed + self._width, len(self.drawn)
        if self.drawn[-1:] != self.points[-1:]:
            self._draw(self.points[self._passed :], self.points[-1:])

    def end(self, figures: Figures) -> None:
        """No token comes any more, so what was drawn of the wait for one is none of it."""
        last = self.arrivals[-1] if self.arrivals else 0.0
        del self.points[bisect_right(self.points, last + AFTER_S, key=_seconds_of) :]
        self._passed = self.settled = 0
        self.extend((), figures)
        self.ended = True

    def _draw(self, near: Sequence[Point], last: Sequence[Point] = ()) -> None:
        """What stands for these neighbours; the first of all and the last stand for themselves."""
        first = () if self.drawn else self.points[:1]
        kept = sorted({*first, *(pick(near, key=_speed_of) for pick in (min, max) if near), *last}, key=_place_of)
        self.drawn.extend(kept)
        self._speeds.extend(point.speed for point in kept)
        self._places[Axis.TIME].extend(point.seconds for point in kept)
        self._places[Axis.TOKENS].extend(float(point.tokens) for point in kept)

    @property
    def flat(self) -> bool:
        """Too short for a curve: a level line at its mean stands for it."""
        came = self.arrivals
        return len(came) < FEWEST_TOKENS or came[-1] - came[0] < SHORTEST_S

    def line(self, axis: Axis) -> Line:
        """What is drawn of it: where on the axis, and how high."""
        if not self.flat:
            return self.xs(axis), self.ys()
        mean, count = self.figures.speed_mean, len(self.arrivals)
        if mean is None or count < 2:
            return [], []
        ends = [self.arrivals[0], self.arrivals[-1]] if axis is Axis.TIME else [1.0, float(count)]
        return ends, [mean, mean]

    def limit_line(self, axis: Axis) -> Line:
        """The fastest that it could have been, at a few of its tokens."""
        limit, count = self.limit, len(self.arrivals)
        if limit is None or count < 2:
            return [], []
        if self._limits[0] != (limit, axis, count):
            numbers = [round(each * (count - 1) / LIMIT_STEPS) for each in range(LIMIT_STEPS + 1)]
            xs = [self.arrivals[each] if axis is Axis.TIME else each + 1.0 for each in numbers]
            self._limits = (limit, axis, count), (xs, [limit(each) for each in numbers])
        return self._limits[1]

    def crest(self, percent: float) -> float:
        """What so many in a hundred of its heights, and its mean, do not exceed."""
        key = percent, len(self.points), len(self.arrivals)
        if key != self._crest[0]:
            ys = self.line(Axis.TIME)[1]
            self._crest = key, percentile(sorted(ys), percent) if ys else 0.0
        return max(self._crest[1], self.figures.speed_mean or 0.0)

    def height(self, x: float, axis: Axis) -> float | None:
        """How high the line that is drawn is at `x`."""
        xs, ys = self.line(axis)
        after = bisect_left(xs, x)
        if not xs or after in (0, len(xs)):
            return (ys[0] if after == 0 else ys[-1]) if xs else None
        share = (x - xs[after - 1]) / (xs[after] - xs[after - 1])
        return ys[after - 1] + share * (ys[after] - ys[after - 1])

    def xs(self, axis: Axis) -> list[float]:
        """Of the points that are drawn: the list grows with them."""
        return self._places[axis]

    def ys(self) -> list[float]:
        return self._speeds


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
