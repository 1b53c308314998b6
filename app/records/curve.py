"""A run's speed curve from its arrivals, as the meter drew it while the run went on."""

from __future__ import annotations

from collections.abc import Iterable

from app.engine.frame import Point
from app.engine.meter import POINT_S
from app.engine.speeds import speed_now, window_start


def speed_curve(arrivals: Iterable[float]) -> tuple[Point, ...]:
    """`arrivals` are seconds since Send; so are the points' seconds."""
    points: list[Point] = []
    so_far: list[float] = []
    start, due = 0, 0.0
    whole = tuple(arrivals)
    for at in whole:
        so_far.append(at)
        if at < due and len(so_far) < len(whole):
            continue
        start = window_start(so_far, start)
        speed = speed_now(so_far, start)
        if speed is not None:
            points.append(Point(at, len(so_far), speed))
            due = at + POINT_S
    return tuple(points)
