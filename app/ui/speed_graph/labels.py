"""Layout of the speed graph: its areas, axes and labels. Labels never overlap the curve."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF

from app.engine.meter.speeds import percentile
from app.i18n import tr
from app.number_format import speed
from app.ui.look import GAP_PX, GRID_PX, Color
from app.ui.speed_graph.tokens import EosCurve
from app.ui.widgets.plots.speed_curve import CurveAxis, SpeedCurve, axis_end

PERCENT_SHOWN = 98
"""Percent of a run's points below the top of the y axis, so that single peaks don't flatten the curve."""
FEW_POINTS, PEAK_FACTOR = 50, 4.0
"""With fewer points, 2 % are less than one: there, the top is at most this multiple of the median or the mean."""
LIMIT_FACTOR = 2.0
"""A bandwidth limit above this multiple of the speed isn't in the range, since it would flatten the curve."""
GRID_LINES = 3
HEADROOM = 1.03
SHORTEST_S = 1.0
"""Minimum length in seconds of the time axis during a run; a shorter axis would change with each frame."""
STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)
TICK_STEPS = (1, 2, 5)
MINUTE_S, MINUTES_FROM_S = 60, 120
WIDEST = "8,888"
THOUSANDS_FROM = 10_000
"""Speeds from here on are labeled in thousands. Servers send several tokens in one packet."""
MEAN, LIMIT, PINNED = tr("{speed} mean"), tr("{speed} limit"), tr("{speed} pinned")
NUMBER, AT_MOST = "{speed}", "≤ {speed}"
GUTTER_SHARE = 0.3
"""Maximum share of the width for the labels with words; otherwise they are numbers only."""
MARK_PX = 0.75 * GAP_PX
"""Width and height of the mark of a mean speed."""
SPARKLINE_LINES, SPARKLINE_LETTERS = 7, 24
"""Height in lines and width in characters below which the graph shows only its curve."""
TICK_GAP = 2.5
"""Minimum distance of two ticks, as a multiple of the widest label."""


def top_of(curves: Iterable[SpeedCurve], limit: float = 0.0) -> float:
    """Return the top of the y axis: a round speed above nearly all points, all means, and a limit that is near."""
    highest = 0.0
    for curve in curves:
        ys, mean = sorted(curve.ys()), curve.metrics.speed_mean or 0.0
        peak = percentile(ys, PERCENT_SHOWN) if ys else 0.0
        if 0 < len(ys) < FEW_POINTS:
            peak = min(peak, PEAK_FACTOR * max(mean, ys[(len(ys) - 1) // 2]))
        highest = max(highest, peak, mean)
    highest = max(highest, limit) if limit <= LIMIT_FACTOR * highest else highest
    return GRID_LINES * _step_above(HEADROOM * highest / GRID_LINES)


def right_of(curve: SpeedCurve, axis: CurveAxis) -> float:
    """Return the end of the x axis; during the prefill it covers the estimated prefill."""
    if axis is CurveAxis.TOKENS:
        return axis_end(float(max(10, len(curve.arrivals))))
    last = curve.arrivals[-1] if curve.arrivals else 0.0
    if curve.ended and last:
        return axis_end(last * 1_000) / 1_000
    return max(SHORTEST_S, axis_end(max(last, curve.metrics.elapsed, 0.0 if last else curve.expected)))


def ticks(right: float, most: int) -> list[float]:
    """Return round x values from 0 on, at most `most` + 1."""
    unit = MINUTE_S if right > MINUTES_FROM_S else 1
    span, scale = right / unit, 1e-3
    while True:
        for step in TICK_STEPS:
            if span / (step * scale) <= max(1, most):
                return [each * step * scale * unit for each in range(int(span / (step * scale) + 1e-9) + 1)]
        scale *= 10


def tick_label(position: float, axis: CurveAxis, right: float) -> str:
    """Return a label such as “0.5 s” or “2 min”; a number of tokens has no unit."""
    if axis is CurveAxis.TOKENS:
        return f"{position:,.0f}"
    if right > MINUTES_FROM_S:
        return tr("{0} min").format(f"{position / MINUTE_S:g}")
    return tr("{0} s").format(f"{position:g}")


def spread_apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
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


@dataclass(frozen=True, slots=True)
class Label:
    """A text and its rectangle."""

    rect: QRectF
    text: str
    role: Color = Color.MUTED
    height: float | None = None
    """Vertical position of its mark at the right edge of the plot; None without a mark."""
    has_ground: bool = False
    """It has a background, since it may overlap the block of the prefill."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """The content of the graph. `pointed` and `shaded` are x values.

    `prefill` is the time of the prefill in seconds since Send; None while it isn't known. `name`, `prompt`, `note` and
    `hint` are above the plot. If space is short, their last parts, separated by “·”, are omitted, so that no number is
    cut off.
    """

    curve: SpeedCurve
    eos: EosCurve
    pinned: Sequence[SpeedCurve] = ()
    axis: CurveAxis = CurveAxis.TIME
    name: str = ""
    prompt: str = ""
    prefill: tuple[float, float] | None = None
    note: str = ""
    hint: str = ""
    pointed: float | None = None
    shaded: tuple[float, float] | None = None

    @property
    def is_empty(self) -> bool:
        run_metrics = self.curve.metrics
        return not (self.curve.arrivals or run_metrics.elapsed or run_metrics.speed_mean or self.pinned)

    @property
    def other_pinned(self) -> list[SpeedCurve]:
        """The pinned runs except the displayed one."""
        return [each for each in self.pinned if each is not self.curve]


@dataclass(frozen=True, slots=True)
class GraphView:
    """The areas of the graph from top to bottom: the lane with the prefill, the plot, and the rug with a tick per
    token.

    `right` and `top` are the maximum values of the axes.
    """

    lane: QRectF = field(default_factory=QRectF)
    plot: QRectF = field(default_factory=QRectF)
    rug: QRectF = field(default_factory=QRectF)
    line: float = 0.0
    """Height of a line of text in pixels."""
    has_words: bool = True
    """The labels at the right have words beside their numbers."""
    is_sparkline: bool = False
    right: float = 1.0
    top: float = 1.0

    def x(self, value: float) -> float:
        return self.plot.left() + value / self.right * self.plot.width()

    def y(self, speed: float) -> float:
        """Return the y coordinate of a speed, clipped to the plot."""
        return self.plot.bottom() - min(1.0, max(0.0, speed / self.top)) * self.plot.height()

    def value_at(self, x: float) -> float:
        """Return the x value at an x coordinate."""
        return (x - self.plot.left()) / max(1.0, self.plot.width()) * self.right


def view_of(size: QSizeF, metrics: QFontMetricsF, lane_right: float) -> GraphView:
    """Return the areas for a size. `lane_right` is the width of the buttons at the right end of the lane."""
    line, letters = metrics.height(), metrics.horizontalAdvance("0")
    if size.height() < SPARKLINE_LINES * line or size.width() < SPARKLINE_LETTERS * letters:
        plot = QRectF(QPointF(0, 0), size).adjusted(0, GRID_PX, -lane_right, -1)
        return GraphView(plot=plot, line=line, is_sparkline=True)
    left = metrics.horizontalAdvance(WIDEST) + GAP_PX
    right = max(metrics.horizontalAdvance(words.format(speed=WIDEST)) for words in (PINNED, LIMIT)) + 2 * GAP_PX
    has_words = left + right < GUTTER_SHARE * size.width()
    if not has_words:
        right = metrics.horizontalAdvance(AT_MOST.format(speed=WIDEST)) + 2 * GAP_PX
    lane = QRectF(left, 0, size.width() - left - lane_right, line + GRID_PX)
    bottom = size.height() - line - GRID_PX
    rug = QRectF(left, bottom - GAP_PX, size.width() - left - right, GAP_PX)
    plot = QRectF(left, lane.bottom() + GAP_PX, rug.width(), rug.top() - GRID_PX - lane.bottom() - GAP_PX)
    return GraphView(lane, plot, rug, line, has_words)


def labels_of(view: GraphView, scene: Scene, metrics: QFontMetricsF) -> list[Label]:
    if view.is_sparkline:
        return []
    found = lane_labels(view.lane, metrics, prefill_block(view, scene), scene)
    if not scene.is_empty:
        found += axis_labels(view, metrics, scene.axis) + mean_labels(view, metrics, scene)
        if any(each.drawn for each in (scene.curve, *scene.pinned)):
            found += speed_labels(view, metrics)
    return found


def prefill_block(view: GraphView, scene: Scene) -> QRectF:
    """Return the rectangle of the prefill; up to the first token while it isn't known, and empty on the token axis."""
    run_metrics, lane = scene.curve.metrics, view.lane
    if scene.axis is not CurveAxis.TIME or (scene.curve.ended and not scene.prompt):
        return QRectF(lane.topLeft(), QSizeF(0, lane.height()))
    until = run_metrics.first_token if run_metrics.first_token is not None else run_metrics.elapsed
    begin, end = map(view.x, scene.prefill or (0.0, until))
    return QRectF(begin, lane.top(), end - begin, lane.height())


def axis_labels(view: GraphView, metrics: QFontMetricsF, axis: CurveAxis) -> list[Label]:
    """Return the labels of the ticks, below the rug."""
    right, top = view.right, view.rug.bottom() + GRID_PX
    widest = max(metrics.horizontalAdvance(each) for each in (tick_label(0.25 * right, axis, right), WIDEST))
    positions = ticks(right, int(view.plot.width() / (TICK_GAP * widest)))
    texts = [tick_label(position, axis, right) for position in positions]
    return [
        Label(_rect(metrics, text, view.x(position), top, 0.5), text)
        for text, position in zip(texts, positions, strict=True)
    ]


def speed_labels(view: GraphView, metrics: QFontMetricsF) -> list[Label]:
    """Return the labels of the grid lines, left of the plot."""
    found, right = [], view.plot.left() - GAP_PX
    for value in (each * view.top / GRID_LINES for each in range(1, GRID_LINES + 1)):
        text = f"{value:,.6g}" if value < THOUSANDS_FROM else f"{value / 1_000:.6g}k"
        found.append(Label(_rect(metrics, text, right, view.y(value) - view.line / 2, 1), text))
    return found


def mean_labels(view: GraphView, metrics: QFontMetricsF, scene: Scene) -> list[Label]:
    """Return the labels right of the plot: mean and bandwidth limit of the displayed run, means of pinned runs."""
    words, half, limit = view.has_words, view.line / 2, scene.curve.limit_line(scene.axis)[1][-1:]
    means = [(scene.curve.metrics.speed_mean, Color.DECODE, MEAN if words else NUMBER)]
    means += [(each, Color.TEXT, LIMIT if words else AT_MOST) for each in limit]
    means += [(each.metrics.speed_mean, Color.MUTED, PINNED if words else NUMBER) for each in scene.other_pinned]
    known = [(mean, role, pattern) for mean, role, pattern in means if mean is not None]
    known = known[: max(1, int(view.plot.height() / ceil(view.line)))]
    heights, found = [view.y(mean) for mean, *_ in known], []
    positions = spread_apart(heights, ceil(view.line), view.plot.top() + half, view.plot.bottom() - half)
    for (mean, role, pattern), at, height in zip(known, positions, heights, strict=True):
        text = ("↑ " if mean > view.top else "") + pattern.format(speed=speed(mean))
        rect = _rect(metrics, text, view.plot.right() + 2 * GAP_PX, round(at - half))
        found.append(Label(rect, text, role, height))
    return found


def lane_labels(lane: QRectF, metrics: QFontMetricsF, block: QRectF, scene: Scene) -> list[Label]:
    """Return the labels of the lane: the note at the right; name and prefill of the run near or in the block."""
    found, limit, top = list[Label](), lane.right(), lane.top() + GRID_PX / 2
    if note := _fitted(scene.note, metrics, lane.width() - 2 * GAP_PX):
        found.append(Label(_rect(metrics, note, limit, top, 1), note, Color.TEXT, has_ground=True))
        limit = found[0].rect.left() - 2 * GAP_PX
    needed = sum(metrics.horizontalAdvance(each) + 1 + GAP_PX for each in (scene.name, scene.prompt) if each)
    left, end = block.right() + GAP_PX, limit
    is_inside = needed > end - left and block.width() > end - left
    if is_inside:
        left, end = block.left() + GAP_PX, min(limit, block.right() - GAP_PX)
    if scene.name and end - left > 2 * lane.height():
        name = metrics.elidedText(scene.name, Qt.TextElideMode.ElideRight, end - left)
        found.append(Label(_rect(metrics, name, left, top), name, Color.TEXT))
        left = found[-1].rect.right() + GAP_PX
    if prompt := _fitted(scene.prompt, metrics, end - left):
        role = Color.TEXT if is_inside else Color.PREFILL if block.width() else Color.MUTED
        found.append(Label(_rect(metrics, prompt, left, top), prompt, role))
        left = found[-1].rect.right() + GAP_PX
    room = limit - max(left, block.right() + GAP_PX) - GAP_PX
    if not note and (hint := _fitted(scene.hint, metrics, room)):
        found.append(Label(_rect(metrics, hint, limit, top, 1), hint))
    return found


def _rect(metrics: QFontMetricsF, text: str, x: float, top: float, share: float = 0) -> QRectF:
    """Return the rectangle of a text, moved left of `x` by `share` of its width."""
    wide = metrics.horizontalAdvance(text) + 1
    return QRectF(x - share * wide, top, wide, metrics.height())


def _fitted(words: str, metrics: QFontMetricsF, room: float) -> str:
    """Return as many of the leading parts as fit, separated by “·”; empty if none fits."""
    parts = words.split(" · ")
    texts = (" · ".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((each for each in texts if metrics.horizontalAdvance(each) + 1 <= room), "")
