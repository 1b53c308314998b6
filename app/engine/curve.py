"""The speed curve of a run: while it goes on, and from its arrivals when it was kept."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from app.engine.frame import Point
from app.engine.speeds import speed_now, window_start

POINT_S = 0.1
"""Distance of its points: the graph repaints at ~10 Hz, so more would not be seen."""


class Curve:
    """Grows with each arrival; `points` are those that nobody has taken yet."""

    def __init__(self, sent: float) -> None:
        self._sent = sent
        self.arrivals = array("d")
        self.points: list[Point] = []
        self._window = self._pointed = 0
        self._due = 0.0

    def add(self, at: float) -> None:
        self.arrivals.append(at)
        if at >= self._due:
            self._point(at)

    def end(self) -> None:
        """It ends with the last token."""
        if self._pointed < len(self.arrivals):
            self._point(self.arrivals[-1])

    def speed(self, now: float | None = None) -> float | None:
        """In the last second; see `speed_now`."""
        if self.arrivals:
            self._window = window_start(self.arrivals, self._window)
        return speed_now(self.arrivals, self._window, now)

    def _point(self, at: float) -> None:
        speed = self.speed()
        if speed is not None:
            self.points.append(Point(at - self._sent, len(self.arrivals), speed))
            self._pointed = len(self.arrivals)
            self._due = at + POINT_S


def speed_curve(arrivals: Iterable[float]) -> tuple[Point, ...]:
    """`arrivals` are seconds since Send; so are the points' seconds."""
    curve = Curve(0.0)
    for at in arrivals:
        curve.add(at)
    curve.end()
    return tuple(curve.points)
