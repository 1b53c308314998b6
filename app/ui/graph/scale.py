"""Ranges and ticks of the speed graph's axes, and the placement of labels without overlap. No Qt."""

from collections.abc import Iterable, Sequence
from itertools import product

from app.engine.meter.speeds import percentile
from app.i18n import tr
from app.ui.widgets.plots.speed_curve import CurveAxis, SpeedCurve, axis_end

PERCENT_SHOWN = 98
"""Percent of a run's points below the top of the y axis, so that single peaks don't flatten the curve."""
LIMIT_FACTOR = 2.0
"""A bandwidth limit above this multiple of the speed isn't in the range, since it would flatten the curve."""
GRID_LINES = 3
HEADROOM = 1.03
SHORTEST_S = 1.0
"""Minimum length in seconds of the time axis during a run; a shorter axis would change with each frame."""
STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
TICK_STEPS = (1, 2, 5)
MINUTE_S, MINUTES_FROM_S = 60, 120


def top_of(curves: Iterable[SpeedCurve], limit: float = 0.0) -> float:
    """Return the top of the y axis: a round speed above nearly all points, all means, and a limit that is near."""
    highest = 0.0
    for curve in curves:
        ys = sorted(curve.ys())
        highest = max(highest, percentile(ys, PERCENT_SHOWN) if ys else 0.0, curve.figures.speed_mean or 0.0)
    highest = max(highest, limit) if limit <= LIMIT_FACTOR * highest else highest
    return GRID_LINES * _step_above(HEADROOM * highest / GRID_LINES)


def right_of(curve: SpeedCurve, axis: CurveAxis) -> float:
    """Return the end of the x axis; during the prefill it covers the estimated prefill."""
    if axis is CurveAxis.TOKENS:
        return axis_end(float(max(10, len(curve.arrivals))))
    last = curve.arrivals[-1] if curve.arrivals else 0.0
    if curve.ended and last:
        return axis_end(last * 1_000) / 1_000
    return max(SHORTEST_S, axis_end(max(last, curve.figures.elapsed, 0.0 if last else curve.expected)))


def ticks(right: float, most: int) -> list[float]:
    """Return round x values from 0 on, at most `most` + 1."""
    unit = MINUTE_S if right > MINUTES_FROM_S else 1
    span, scale = right / unit, 1e-3
    while True:
        for step in TICK_STEPS:
            if span / (step * scale) <= max(1, most):
                return [each * step * scale * unit for each in range(int(span / (step * scale) + 1e-9) + 1)]
        scale *= 10


def tick_label(place: float, axis: CurveAxis, right: float) -> str:
    """Return a label such as “0.5 s” or “2 min”; a number of tokens has no unit."""
    if axis is CurveAxis.TOKENS:
        return f"{place:,.0f}"
    if right > MINUTES_FROM_S:
        return tr("{0} min").format(f"{place / MINUTE_S:g}")
    return tr("{0} s").format(f"{place:g}")


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions at least `gap` apart, and between `low` and `high` if there is room. Keeps their order."""
    order = sorted(range(len(wanted)), key=lambda each: wanted[each])
    placed = [0.0] * len(wanted)
    at = low - gap
    for each in order:
        at = placed[each] = max(wanted[each], at + gap)
    at = high + gap
    for each in reversed(order):
        at = placed[each] = min(placed[each], at - gap)
    return placed


def _step_above(value: float) -> float:
    if value <= 0:
        return STEPS[0]
    power = 10.0 ** (len(str(int(value))) - 2) if value >= 1 else 0.01
    return next(
        step
        for step in (scale * each for scale, each in product((power, 10 * power, 100 * power), STEPS))
        if step > value
    )
