"""Paints the speed graph, as much of it as was asked for: lines behind, the run's own over them, words beside."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QPolygonF

from app.ui.graph.end_curve import EndCurve
from app.ui.graph.labels import MARK_PX, Areas, Label
from app.ui.graph.scale import LINES
from app.ui.look import GRID_PX, Colour, Theme
from app.ui.widgets.plots.speed_curve import Axis, SpeedCurve

LINE_PX, EARLIER_PX, DOT_PX = 2, 1.5, 7
"""Of a finer line than that of an earlier run nothing would have its full colour, wherever between pixels it runs."""
FILL_OPACITY, BLOCK_OPACITY, STRETCH_OPACITY = 0.14, 0.3, 0.2
GROUND_PX = 90
"""So much of the ground is filled at a time: what is higher Qt hands to other threads, and waits for them."""
GHOST_POINTS, GHOST_OPACITY = 120, 0.6
STROKES = {
    LINE_PX: ((0.0, -0.5), (0.0, 0.5), (-0.5, 0.0), (0.5, 0.0)),
    EARLIER_PX: ((0.0, -0.25), (0.0, 0.25), (-0.25, 0.0), (0.25, 0.0)),
    1: ((0.0, 0.0),),
}
"""A wider line, smoothed, takes Qt thirty times as long as a fine one: several of those, side by side, stand for it."""
Points = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True, slots=True)
class View:
    """The areas, and how far their axes reach."""

    areas: Areas
    right: float = 1.0
    top: float = 1.0

    def x(self, value: float) -> float:
        return self.areas.x(value / self.right)

    def y(self, speed: float) -> float:
        return self.areas.y(speed / self.top)

    def value_at(self, x: float) -> float:
        """The place on the axis."""
        plot = self.areas.plot
        return (x - plot.left()) / max(1.0, plot.width()) * self.right


class SpeedPainter:
    """One go. `clip` is what is to be painted anew: what lies outside of it is not even looked at."""

    def __init__(self, painter: QPainter, theme: Theme, view: View, clip: QRectF) -> None:
        self._painter = painter
        self._theme = theme
        self._view = view
        self._plot = view.areas.plot
        self._clip = clip

    def keep_within(self, area: QRectF | None) -> None:
        """Whole pixels: of any other border the painter makes a mask, which is dear. None: all that is painted."""
        clip = self._clip if area is None else self._clip.intersected(area)
        self._painter.setClipRect(clip.toAlignedRect())

    def keep_to_plot(self) -> None:
        """And as much more as half a line takes."""
        self.keep_within(self._plot.adjusted(0, -LINE_PX, LINE_PX, 0))

    def sees(self, area: QRectF) -> bool:
        return self._clip.intersects(area)

    def grid(self) -> None:
        self._painter.setPen(QPen(self._theme.colour(Colour.LINE), 1))
        lines = (round(self._view.areas.y(each / LINES)) + 0.5 for each in range(LINES + 1))
        self._painter.drawLines([QLineF(self._plot.left(), y, self._plot.right(), y) for y in lines])

    def ghost(self) -> None:
        areas = self._view.areas
        shares = (each / GHOST_POINTS for each in range(GHOST_POINTS + 1))
        points = [QPointF(areas.x(share), areas.y(_ghost(share))) for share in shares]
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setPen(QPen(self._theme.colour(Colour.OUTLINE, GHOST_OPACITY), LINE_PX))
        self._painter.drawPolyline(QPolygonF(points))

    def prompt(self, block: QRectF, first: float | None) -> None:
        """Its block in the lane, and where the first token came."""
        if not self.sees(QRectF(block.topLeft(), self._plot.bottomLeft()).adjusted(0, 0, block.width() + 1, 0)):
            return
        if block.width() > 1:
            self._painter.fillRect(block, self._theme.colour(Colour.PREFILL, BLOCK_OPACITY))
        if first is not None:
            self._painter.setPen(QPen(self._theme.colour(Colour.PREFILL), 1, Qt.PenStyle.DotLine))
            x = round(self._view.x(first)) + 0.5
            self._painter.drawLine(QLineF(x, block.bottom(), x, self._plot.bottom()))

    def shade(self, ends: tuple[float, float]) -> None:
        left, right = (self._view.x(each) for each in ends)
        stretch = QRectF(left, self._plot.top(), right - left, self._plot.height())
        self._painter.fillRect(stretch, self._theme.colour(Colour.ACCENT, STRETCH_OPACITY))

    def line(
        self,
        line: Points,
        role: Colour,
        width: float,
        *,
        filled: bool = False,
        scale: float = 1.0,
        style: Qt.PenStyle = Qt.PenStyle.SolidLine,
    ) -> None:
        """Within the plot; `scale` is by how much it is higher than it says."""
        points = self._seen(line, scale)
        if len(points) < 2:
            return
        painter = self._painter
        if filled:
            self._ground(points, role)
        strokes, drawn = STROKES.get(width, ()), QPolygonF(points)
        # Of a ground that is only taken away nobody sees the edges.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, bool(strokes))
        painter.setPen(QPen(self._theme.colour(role), 1 if strokes else width, style))
        for across, down in strokes or ((0.0, 0.0),):
            painter.drawPolyline(drawn.translated(across, down))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def end_probability(self, ends: EndCurve, axis: Axis) -> None:
        """Certainty is at the top."""
        self.line((ends.xs(axis), ends.ys(1.0)), Colour.END, 1, filled=True, scale=self._view.top)

    def rug(self, arrivals: array[float]) -> None:
        """A tick for each arrival; where there are more of them than pixels, one for each pixel."""
        rug, view = self._view.areas.rug, self._view
        left, right = max(rug.left(), self._clip.left()), min(rug.right(), self._clip.right())
        at, end = bisect_left(arrivals, view.value_at(left)), bisect_right(arrivals, view.value_at(right))
        lines, begin, wide = [], self._plot.left(), self._plot.width() / view.right
        top, bottom = rug.top(), rug.bottom()
        while at < end:
            x = int(begin + arrivals[at] * wide)
            lines.append(QLineF(x + 0.5, top, x + 0.5, bottom))
            at = bisect_left(arrivals, (x + 1 - begin) / wide, at + 1)
        self._painter.setPen(QPen(self._theme.colour(Colour.DECODE), 1))
        self._painter.drawLines(lines)

    def mean(self, speed: float, role: Colour, *, own: bool) -> None:
        """A tick at the right edge; that of an earlier run is a line, and what is beyond the top points there."""
        painter, y = self._painter, self._view.y(speed)
        left, corner = self._plot.right() + GRID_PX, MARK_PX
        painter.setPen(QPen(self._theme.colour(role), 1))
        above = not own and speed > self._view.top
        if not own and not above:
            painter.drawLine(QLineF(left, round(y) + 0.5, left + corner, round(y) + 0.5))
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(self._theme.colour(role))
        points = ((left, y), (left + corner, y - corner / 2), (left + corner, y + corner / 2))
        points = ((left, y + corner), (left + corner, y + corner), (left + corner / 2, y)) if above else points
        painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def pointed(self, x: float, height: float | None) -> None:
        """A token's line, and a dot where the curve is."""
        painter, at = self._painter, self._view.x(x)
        painter.setPen(QPen(self._theme.colour(Colour.ACCENT), 1))
        painter.drawLine(QLineF(round(at) + 0.5, self._plot.top(), round(at) + 0.5, self._view.areas.rug.bottom()))
        if height is not None:
            self.dot(x, height, Colour.ACCENT)

    def dot(self, x: float, height: float, role: Colour = Colour.DECODE) -> None:
        """On the curve."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.setPen(QPen(self._theme.colour(Colour.RAISED), 1))
        self._painter.setBrush(self._theme.colour(role))
        self._painter.drawEllipse(QPointF(self._view.x(x), self._view.y(height)), DOT_PX / 2, DOT_PX / 2)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def words(self, labels: Sequence[Label], font: QFont) -> None:
        self._painter.setFont(font)
        for label in labels:
            if label.rect.intersects(self._clip):
                if label.grounded:
                    room = label.rect.adjusted(-GRID_PX, 2, GRID_PX, -2)
                    self._painter.fillRect(room, self._theme.colour(Colour.RAISED))
                self._painter.setPen(self._theme.colour(label.role))
                if label.height is not None:
                    self._lead(label.height, label.rect)
                self._painter.drawText(label.rect, label.side | Qt.AlignmentFlag.AlignVCenter, label.text)

    def _lead(self, height: float, to: QRectF) -> None:
        """From the mark of a mean to its number, which others have pushed away from it."""
        begin = QPointF(self._plot.right() + GRID_PX + MARK_PX, height)
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._painter.drawLine(QLineF(begin, QPointF(to.left() - 1, to.center().y())))
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _ground(self, points: list[QPointF], role: Colour) -> None:
        """Below the line."""
        plot = self._plot
        ends = (QPointF(points[-1].x(), plot.bottom()), QPointF(points[0].x(), plot.bottom()))
        ground = QPolygonF([*points, *ends])
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._theme.colour(role, FILL_OPACITY))
        band = int(GROUND_PX / self._painter.device().devicePixelRatioF())
        for top in range(int(min(point.y() for point in points)), math.ceil(plot.bottom()), band):
            self.keep_within(QRectF(plot.left(), top, plot.width(), band))
            self._painter.drawPolygon(ground)
        self.keep_to_plot()

    def _seen(self, line: Points, scale: float) -> list[QPointF]:
        """Those within the clip, and one more on either side."""
        xs, ys = line
        view, plot = self._view, self._plot
        low = max(0, bisect_left(xs, view.value_at(self._clip.left() - LINE_PX)) - 1)
        high = bisect_right(xs, view.value_at(min(plot.right(), self._clip.right()) + LINE_PX)) + 1
        left, wide = plot.left(), plot.width() / view.right
        base, tall, top = plot.bottom(), scale * plot.height() / view.top, plot.top()
        seen = zip(xs[low:high], ys[low:high], strict=True)
        return [QPointF(left + x * wide, max(top, base - y * tall)) for x, y in seen]


def _ghost(x: float) -> float:
    """What a run looks like, where there was none yet: it begins, goes on, and stumbles once."""
    return 0.62 * (1 - math.exp(-40 * x)) + 0.02 * math.sin(24 * x) - 0.28 * math.exp(-(((x - 0.56) / 0.02) ** 2))


def is_known(curve: SpeedCurve) -> bool:
    """Whether there is anything of it to be drawn."""
    return bool(curve.arrivals or curve.figures.elapsed or curve.figures.speed_mean)
