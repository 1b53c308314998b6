"""The speed curve of a run: while it goes on, and from its arrivals when it was kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import chain, repeat

from app.engine.meter.frame import Point
from app.engine.meter.speeds import speed_now

POINT_S = 0.02
"""Distance of its points: a second takes a few hundred pixels at the most, so more would not be seen."""


class Curve:
    """Grows with each arrival; `points` are those that nobody has taken yet."""

    def __init__(self, sent: float) -> None:
        self._sent = sent
        self.arrivals = array("d")
        self.drafts = bytearray()
        """Which of them a draft model proposed."""
        self.points: list[Point] = []
        self._pointed = 0
        self._due = 0.0

    def add(self, at: float, from_draft: bool = False) -> None:
        self.arrivals.append(at)
        self.drafts.append(from_draft)
        if at >= self._due:
            self._point(at)

    def end(self) -> None:
        """It ends with the last token."""
        if self._pointed < len(self.arrivals):
            self._point(self.arrivals[-1])

    def speed(self, now: float | None = None) -> float | None:
        """At the last token; see `speed_now`."""
        return speed_now(self.arrivals, self.drafts, now)

    def _point(self, at: float) -> None:
        speed = self.speed()
        if speed is not None:
            self.points.append(Point(at - self._sent, len(self.arrivals), speed))
            self._pointed = len(self.arrivals)
            self._due = at + POINT_S


def kept_curve(arrivals: Iterable[float], from_draft: Iterable[int] = ()) -> Curve:
    """Of a run that is over. `arrivals` are seconds since Send; so are the points' seconds."""
    curve = Curve(0.0)
    for at, draft in zip(arrivals, chain(from_draft, repeat(0)), strict=False):
        curve.add(at, bool(draft))
    curve.end()
    return curve
