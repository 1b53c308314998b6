"""The speed curve of a run, built during the run or from recorded arrival times."""

from array import array
from collections.abc import Iterable
from itertools import chain, repeat

from app.engine.meter.frame import Point
from app.engine.meter.speeds import speed_now

POINT_S = 0.02
"""Minimum seconds between two points: on screen a second has a few hundred pixels at most."""
LONGER = 1.4
"""In a pause, the time from the last token to the next point grows by this factor: 19 points in ten seconds."""
LOWERED = 0.9
"""A wait counts as a pause when the speed is below this share of the speed before it."""


class Curve:
    """The points of a speed curve. A reader of `points` clears the list."""

    def __init__(self, sent: float) -> None:
        self._sent = sent
        self.arrivals = array("d")
        self.drafts = bytearray()
        """1 for each token that a draft model proposed, else 0."""
        self.points: list[Point] = []
        self._pointed = 0
        self._pointed_at = float("-inf")
        self._due = 0.0
        self._wait = POINT_S

    def add(self, at: float, from_draft: bool = False) -> None:
        self.wait(at)
        self._wait = POINT_S
        self.arrivals.append(at)
        self.drafts.append(from_draft)
        if at >= self._due:
            self._point(at, self.speed())

    def wait(self, now: float) -> None:
        """Add the points of a wait until now. They don't depend on the number of calls."""
        usual: float | None = None
        while self.arrivals and (at := self.arrivals[-1] + self._wait) < now:
            self._wait *= LONGER
            usual, speed = usual or self.speed(), self.speed(at)
            if usual is not None and speed is not None and speed < LOWERED * usual:
                self.end()
                self._point(at, speed)
                self._due = at

    def end(self) -> None:
        """Add a point at the last token."""
        if self._pointed < len(self.arrivals):
            self._point(self.arrivals[-1], self.speed())

    def speed(self, now: float | None = None) -> float | None:
        """See `speed_now`."""
        return speed_now(self.arrivals, self.drafts, now)

    def _point(self, at: float, speed: float | None) -> None:
        """Add a point, unless a later one exists: tokens are folded late."""
        if speed is not None and at >= self._pointed_at:
            self.points.append(Point(at - self._sent, len(self.arrivals), speed))
            self._pointed, self._pointed_at, self._due = len(self.arrivals), at, at + POINT_S


def kept_curve(arrivals: Iterable[float], from_draft: Iterable[int] = ()) -> Curve:
    """Return the curve of a recorded run; `arrivals` are seconds since Send."""
    curve = Curve(0.0)
    for at, draft in zip(arrivals, chain(from_draft, repeat(0)), strict=False):
        curve.add(at, bool(draft))
    curve.end()
    return curve
