"""How far the speed graph's axes reach, what is written at them, and where labels stand that must not meet. No Qt."""

from collections.abc import Iterable, Sequence
from itertools import product

from app.i18n import tr
from app.ui.widgets.plots.speed_curve import Axis, SpeedCurve, roomy

SHARE_SEEN = 98
"""Of a run's points so many in a hundred are below the top; what is above it would flatten all others."""
LIMIT_SEEN = 2.0
LINES = 3
ROOM = 1.03
"""The top is so much above what it has to show."""
LEAST_S = 1.0
"""As long as a run goes on: its axis would not stand still otherwise."""
STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
TICK_STEPS = (1, 2, 5)
MINUTE_S, LONG_S = 60, 120
MILLI = 1_000


def top_of(curves: Iterable[SpeedCurve], limit: float = 0.0) -> float:
    """A round number, which three lines divide, above what nearly all points of each run reach; also above the limit,
    where that would not flatten them."""
    highest = max((curve.crest(SHARE_SEEN) for curve in curves), default=0.0)
    highest = max(highest, limit) if limit <= LIMIT_SEEN * highest else highest
    return LINES * _step_above(ROOM * highest / LINES)


def right_of(curve: SpeedCurve, axis: Axis) -> float:
    """Of the run that is shown, however long those before it were. While a prompt is read, until that is expected."""
    if axis is Axis.TOKENS:
        return roomy(float(max(10, len(curve.arrivals))))
    last = curve.arrivals[-1] if curve.arrivals else 0.0
    if curve.ended and last:
        return roomy(last * MILLI) / MILLI
    return max(LEAST_S, roomy(max(last, curve.figures.elapsed, 0.0 if last else curve.expected)))


def ticks(right: float, most: int) -> list[float]:
    """Round places on the axis, at most so many."""
    most = max(1, most)
    minutes = right > LONG_S
    span = right / MINUTE_S if minutes else right
    scale = 10.0**-3
    while True:
        for step in TICK_STEPS:
            if span / (step * scale) <= most:
                places = [each * step * scale for each in range(int(span / (step * scale) + 1e-9) + 1)]
                return [place * MINUTE_S if minutes else place for place in places]
        scale *= 10


def tick_words(place: float, axis: Axis, right: float) -> str:
    """0.5 s, 2 min; tokens are bare numbers."""
    if axis is Axis.TOKENS:
        return f"{place:,.0f}"
    if right > LONG_S:
        return tr("{0} min").format(f"{place / MINUTE_S:g}")
    return tr("{0} s").format(f"{place:g}")


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """The same places in the same order, no two nearer than `gap`, all between the ends where there is room."""
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
    steps = (step * scale for scale, step in product((power, 10 * power, 100 * power), STEPS))
    return next(step for step in steps if step > value)
