"""The painted part of the speed graph: of a run that goes on only what is new of it is painted again."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import cast

from PySide6.QtCore import QRect, QRectF, QSizeF, Qt, QVariantAnimation, Slot
from PySide6.QtGui import QFontMetricsF, QImage, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.graph.end_curve import EndCurve
from app.ui.graph.labels import Areas, Label, LaneText, areas_of, axis_labels, lane_labels, mean_labels, speed_labels
from app.ui.graph.painter import DOT_PX, EARLIER_PX, LINE_PX, SpeedPainter, View, is_known
from app.ui.graph.plot_pointer import PlotPointer
from app.ui.graph.scale import ROOM, right_of, top_of
from app.ui.look import GRID_PX, Colour, Size, Theme
from app.ui.widgets.plots.speed_curve import Axis, Line, SpeedCurve

EASE_MS = 150
SILENT = LaneText()
RECENT = 100
"""More points than ever come from one frame to the next."""
NEAR_PX = 6
"""What is new of a line reaches so far back over what was painted before."""
HALO_PX = 3
"""Earlier runs end so far from the curve, and go on behind it: none crosses it."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """All that is drawn."""

    curve: SpeedCurve
    earlier: tuple[SpeedCurve, ...] = ()
    axis: Axis = Axis.TIME
    ends: EndCurve | None = None
    said: LaneText = SILENT
    pointed: float | None = None
    """A place on the axis."""
    shaded: tuple[float, float] | None = None

    @property
    def empty(self) -> bool:
        return not any(map(is_known, (self.curve, *self.earlier)))


class SpeedPlot(QWidget):
    """Takes scenes; what the mouse does is told by its `pointer`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.scene = Scene(SpeedCurve())
        self.labels: list[Label] = []
        """All words on it, where they stand."""
        self.view = View(Areas(QRectF(), QRectF(), QRectF(), 0.0))
        self._target = 1.0
        """Where the top is to be; the view's own may be on its way there."""
        self._corner = 0
        self._drawn_to = 0.0
        """How far on the axis there was something that stays when it was drawn last."""
        self._was_flat, self._has_line = True, False
        self._known: dict[Callable[..., list[Label]], tuple[tuple[object, ...], list[Label]]] = {}
        """The words that each of them made last, and of what."""
        self.easing = QVariantAnimation(self)
        self.easing.setDuration(EASE_MS)
        self.easing.valueChanged.connect(self._ease)
        self.pointer = PlotPointer(self, self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.fit()

    @property
    def touched(self) -> QRectF:
        """Where the pointer means the plot: on the rug too."""
        return self.view.areas.plot.united(self.view.areas.rug)

    def value_at(self, x: float) -> float:
        return self.view.value_at(x)

    def leave_corner(self, width: int) -> None:
        """So much of the lane, at its right end, belongs to somebody else."""
        self._corner = width
        self.fit()

    def fit(self) -> None:
        """The room is another one, or the text has another size."""
        self._font = self._theme.font(Size.SMALL)
        self._metrics = QFontMetricsF(self._font)
        self.view = replace(self.view, areas=areas_of(QSizeF(self.size()), self._metrics, self._corner))
        self.labels = self._label()
        self.update()

    def draw(self, scene: Scene) -> None:
        """Bring everything up to date."""
        last, self.scene = self.scene, scene
        grows = self._scale(last) and self._grows(last)
        before, self.labels = self.labels, self._label()
        curve, since, places = scene.curve, self._drawn_to, scene.curve.xs(scene.axis)
        self._drawn_to = places[curve.settled - 1] if curve.settled else 0.0
        if grows and places and len(before) == len(self.labels):
            self._update_end(self._between(since, places[-1]).adjusted(-NEAR_PX, -LINE_PX, NEAR_PX, 0), before)
        else:
            self.update()
        self._was_flat, self._has_line = curve.flat, bool(curve.line(scene.axis)[0])

    def point(self, scene: Scene) -> None:
        """The same, with something else pointed at."""
        before, self.scene = self.scene, scene
        for each in (before, scene):
            for left, right in ((each.pointed, each.pointed), each.shaded or (None, None)):
                if left is not None and right is not None:
                    self._update(self._between(left, right).adjusted(-DOT_PX, -DOT_PX, DOT_PX, DOT_PX))
        if before.said != scene.said:
            self.labels = self._label()
            self._update(self.view.areas.lane)

    def image(self) -> QImage:
        """The graph as it is seen."""
        return self.grab().toImage()

    def _grows(self, before: Scene) -> bool:
        """Whether all that is new is at the end of the curve."""
        scene, curve = self.scene, self.scene.curve
        same = (scene.earlier, scene.ends, scene.pointed, scene.shaded) == (before.earlier, None, None, None)
        return same and not (curve.flat or self._was_flat or curve.ended)

    def _scale(self, before: Scene) -> bool:
        """Axes end at round numbers, and while a run goes on only reach further. Tells whether they stay."""
        curve, axis = self.scene.curve, self.scene.axis
        same = curve is before.curve and axis is before.axis and self.scene.earlier is before.earlier
        goes_on = same and not curve.ended
        right = max(right_of(curve, axis), self.view.right if goes_on else 0.0)
        # To look at what has just come is enough as long as that is below the top.
        below = goes_on and max(curve.line(axis)[1][-RECENT:], default=0.0) < self._target / ROOM
        curves, least = (curve, *self.scene.earlier), self._target if goes_on else 0.0
        top = self._target if below else max(top_of(curves, max(curve.limit_line(axis)[1], default=0.0)), least)
        stays = same and (right, top) == (self.view.right, self.view.top)
        if right != self.view.right:
            self.view = replace(self.view, right=right)
        if top != self._target:
            self._target = top
            self._raise(eased=same and self._has_line)
        return stays

    def _update_end(self, tip: QRectF, before: list[Label]) -> None:
        """Of the curve, and the words that are others."""
        self._update(tip)
        end = self.view.areas.plot.right()
        pairs = zip(self.labels, before, strict=True)
        changed = [(now, old) for now, old in pairs if now is not old and now != old]
        for label in chain.from_iterable(changed):
            if label.rect.left() > end:
                self._update(QRectF(end + GRID_PX, label.top, self.width() - end - GRID_PX, label.bottom - label.top))
        if any(now.rect.left() <= end for now, _ in changed):
            self._update(QRectF(0, 0, self.width(), tip.top()))

    def _raise(self, *, eased: bool) -> None:
        """Or lower the top."""
        self.easing.stop()
        if eased and self.isVisible() and not self._theme.still:
            self.easing.setStartValue(self.view.top)
            self.easing.setEndValue(self._target)
            self.easing.start()
        else:
            self.view = replace(self.view, top=self._target)

    @Slot(object)
    def _ease(self, top: float) -> None:
        self.view = replace(self.view, top=top)
        self.labels = self._label()
        self.update()

    def _update(self, rect: QRectF) -> None:
        self.update(rect.adjusted(-1, -1, 1, 1).toAlignedRect())

    def _between(self, left: float, right: float) -> QRectF:
        """From one place on the axis to another, the rug with it."""
        area, start = self.touched, self.view.x(left)
        return QRectF(start, area.top(), self.view.x(right) - start, area.height())

    def _block(self) -> QRectF:
        """The prompt's reading, in its lane: as long as it took, where that is known, up to the first token."""
        figures, lane, said = self.scene.curve.figures, self.view.areas.lane, self.scene.said
        if self.scene.axis is not Axis.TIME or (self.scene.curve.ended and not said.prompt):
            return QRectF(lane.topLeft(), QSizeF(0, lane.height()))
        until = figures.first_token if figures.first_token is not None else figures.elapsed
        left = self.view.x(max(0.0, until - said.seconds) if said.seconds is not None else 0.0)
        return QRectF(left, lane.top(), self.view.x(until) - left, lane.height())

    def _label(self) -> list[Label]:
        areas, scene, metrics = self.view.areas, self.scene, self._metrics
        if areas.sparkline:
            return []
        found = list(self._kept(lane_labels, areas, metrics, self._block(), scene.said))
        if not scene.empty:
            # Of the top that is to be: words that run through all numbers on the way there can't be read.
            found += self._kept(axis_labels, areas, metrics, self.view.right, scene.axis)
            if any(each.line(scene.axis)[0] for each in (scene.curve, *scene.earlier)):
                found += self._kept(speed_labels, areas, self._target)
            means = tuple(each.figures.speed_mean for each in (scene.curve, *self._beside))
            ceiling = scene.curve.limit_line(scene.axis)[1][-1:]
            found += self._kept(mean_labels, areas, metrics, means, self.view.top, ceiling)
        return found

    @property
    def _limit(self) -> Line:
        """Nothing where it is beyond the top."""
        line = self.scene.curve.limit_line(self.scene.axis)
        return line if max(line[1], default=0.0) <= self._target else ([], [])

    @property
    def _beside(self) -> list[SpeedCurve]:
        """Earlier runs of which something is to be seen: what began later than the axis ends is not spoken of."""
        axis, right = self.scene.axis, self.view.right
        return [each for each in self.scene.earlier if any(x < right for x in each.line(axis)[0][:1])]

    def _kept(self, make: Callable[..., list[Label]], *of: object) -> list[Label]:
        """Most words change seldom."""
        known = self._known.get(make)
        if known is None or known[0] != of:
            self._known[make] = known = of, make(*of)
        return known[1]

    def _paint(self, painter: SpeedPainter) -> None:
        scene, areas = self.scene, self.view.areas
        inside = painter.sees(self.touched)
        if (inside or painter.sees(areas.lane)) and not (areas.sparkline or scene.empty):
            painter.grid()
            first = scene.curve.figures.first_token if scene.axis is Axis.TIME else None
            painter.prompt(self._block(), first)
        if scene.empty:
            painter.ghost()
        if inside:
            self._paint_inside(painter)
        if not areas.sparkline and painter.sees(QRectF(areas.plot.right(), 0, self.width(), self.height())):
            for each in (*self._beside, scene.curve):
                mean, own = each.figures.speed_mean, each is scene.curve
                if mean is not None:
                    painter.mean(mean, Colour.DECODE if own else Colour.MUTED, own=own)
            for ceiling in scene.curve.limit_line(scene.axis)[1][-1:]:
                painter.mean(ceiling, Colour.TEXT, own=False)
        painter.words(self.labels, self._font)

    def _paint_inside(self, painter: SpeedPainter) -> None:
        """The lines, those of earlier runs behind the curve, and the rug."""
        scene, curve = self.scene, self.scene.curve
        line = curve.line(scene.axis)
        painter.keep_to_plot()
        if scene.shaded is not None:
            painter.shade(scene.shaded)
        for each in scene.earlier:
            painter.line(each.line(scene.axis), Colour.OUTLINE, EARLIER_PX)
        painter.line(self._limit, Colour.TEXT, 1, style=Qt.PenStyle.DotLine)
        if scene.earlier:
            painter.line(line, Colour.RAISED, LINE_PX + 2 * HALO_PX)
        if scene.ends is not None:
            painter.end_probability(scene.ends, scene.axis)
        if curve.flat:
            painter.line(line, Colour.DECODE, EARLIER_PX, style=Qt.PenStyle.DashLine)
        else:
            painter.line(line, Colour.DECODE, LINE_PX, filled=True)
        painter.keep_within(None)
        if scene.axis is Axis.TIME and not self.view.areas.sparkline:
            painter.rug(curve.arrivals)
        if line[0] and not (curve.ended or curve.flat):
            painter.dot(line[0][-1], line[1][-1])
        if scene.pointed is not None:
            # Nobody's own speed is on a mean.
            painter.pointed(scene.pointed, None if curve.flat else curve.height(scene.pointed, scene.axis))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            for rect in columns(event.region()):
                part = SpeedPainter(painter, self._theme, self.view, QRectF(rect))
                part.keep_within(None)
                self._paint(part)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


def columns(region: QRegion) -> list[QRect]:
    """Its rectangles, each with those right below it: what other widgets paint at the time cuts it into bands."""
    found, last = list[QRect](), dict[tuple[int, int], QRect]()
    for rect in cast(Iterable[QRect], region):
        above = last.get((rect.left(), rect.right()))
        if above is not None and above.bottom() + 1 == rect.top():
            above.setBottom(rect.bottom())
        else:
            last[rect.left(), rect.right()] = below = QRect(rect)
            found.append(below)
    return found
