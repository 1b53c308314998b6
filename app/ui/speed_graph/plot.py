"""The painted part of the speed graph, with its mouse events."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from math import exp, sin

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.ui.look import GRID_PX, Color, Size, Theme
from app.ui.speed_graph.labels import (
    GRID_LINES,
    MARK_PX,
    GraphView,
    Label,
    Scene,
    labels_of,
    prefill_block,
    right_of,
    top_of,
    view_of,
)
from app.ui.speed_graph.tokens import EosCurve
from app.ui.widgets.plots.speed_curve import CurveAxis, Line, SpeedCurve

LINE_PX, PINNED_PX, DOT_PX = 2, 1.5, 7
FILL_OPACITY, BLOCK_OPACITY, STRETCH_OPACITY = 0.14, 0.3, 0.2
FILL_POINTS = 64
"""Corners of a filled polygon. Qt needs twice as long for one polygon with hundreds of corners (measured)."""
GHOST_POINTS, GHOST_OPACITY = 120, 0.6
SLIP_PX = 4
"""Distance in pixels up to which a press is a click; also the radius around a click."""


class SpeedPlot(QWidget):
    """The widget that draws a scene, completely each time, which takes a few milliseconds."""

    hovered = Signal(float)
    """The x value at the pointer."""
    left = Signal()
    dragged = Signal(float, float)
    """The x values of both ends."""
    clicked = Signal(float, float)
    """The x value of the click, and the radius around it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.scene = Scene(SpeedCurve(), EosCurve())
        self.labels: list[Label] = []
        self.view = GraphView()
        self._corner = 0
        self._pressed: QPointF | None = None
        self._is_dragging = False
        self.setMouseTracking(True)
        self.fit(0)

    @property
    def hit_area(self) -> QRectF:
        """The area that reacts to the mouse: plot and rug."""
        return self.view.plot.united(self.view.rug)

    def fit(self, corner: int | None = None) -> None:
        """Recompute the layout for the current size and font. `corner`: width of the buttons right of the lane."""
        self._corner = self._corner if corner is None else corner
        self._font = self._theme.font(Size.SMALL)
        self._metrics = QFontMetricsF(self._font)
        view = view_of(QSizeF(self.size()), self._metrics, self._corner)
        self.view = replace(view, right=self.view.right, top=self.view.top)
        self._lay_out()

    def draw(self, scene: Scene) -> None:
        """Draw another scene. During a run the axes only grow."""
        before, self.scene = self.scene, scene
        curve, axis = scene.curve, scene.axis
        grows = curve is before.curve and axis is before.axis and scene.pinned == before.pinned and not curve.ended
        right, top = right_of(curve, axis), top_of((curve, *scene.pinned), max(curve.limit_line(axis)[1], default=0.0))
        if grows:
            right, top = max(right, self.view.right), max(top, self.view.top)
        self.view = replace(self.view, right=right, top=top)
        self._lay_out()

    def _lay_out(self) -> None:
        self.labels = labels_of(self.view, self.scene, self._metrics)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            scene, view = self.scene, self.view
            if (graph := self.parentWidget()) is not None and graph.hasFocus():
                painter.setPen(self._pen(Color.ACCENT))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), GRID_PX, GRID_PX)
            if scene.is_empty:
                self._paint_ghost(painter)
            elif not view.is_sparkline:
                self._paint_grid(painter)
                self._paint_prefill(painter)
            # Half of a line's width may be outside the plot.
            painter.setClipRect(view.plot.adjusted(0, -LINE_PX, LINE_PX, 0).toAlignedRect())
            self._paint_lines(painter)
            painter.setClipping(False)
            if scene.axis is CurveAxis.TIME and not view.is_sparkline:
                self._paint_rug(painter, scene.curve.arrivals)
            self._paint_dots(painter)
            painter.setFont(self._font)
            for label in self.labels:
                self._paint_label(painter, label)

    def _pen(self, role: Color, width: float = 1, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        return QPen(self._theme.color(role), width, style, Qt.PenCapStyle.FlatCap)

    def _paint_grid(self, painter: QPainter) -> None:
        plot, color = self.view.plot, self._theme.color(Color.LINE)
        for each in range(GRID_LINES + 1):
            height = round(plot.bottom() - each * plot.height() / GRID_LINES)
            painter.fillRect(QRectF(plot.left(), height, plot.width(), 1), color)

    def _paint_ghost(self, painter: QPainter) -> None:
        """Paint a sample curve in the empty graph: it rises, stays level, and drops once."""
        plot, points = self.view.plot, []
        for x in (each / GHOST_POINTS for each in range(GHOST_POINTS + 1)):
            y = 0.62 * (1 - exp(-40 * x)) + 0.02 * sin(24 * x) - 0.28 * exp(-(((x - 0.56) / 0.02) ** 2))
            points.append(QPointF(plot.left() + x * plot.width(), plot.bottom() - y * plot.height()))
        painter.setPen(QPen(self._theme.color(Color.OUTLINE, GHOST_OPACITY), LINE_PX))
        painter.drawPolyline(points)

    def _paint_prefill(self, painter: QPainter) -> None:
        """Paint the block of the prefill in the lane, and a line at the first token."""
        block, first = prefill_block(self.view, self.scene), self.scene.curve.metrics.first_token
        if block.width() > 1:
            painter.fillRect(block, self._theme.color(Color.PREFILL, BLOCK_OPACITY))
        if first is not None and self.scene.axis is CurveAxis.TIME:
            painter.setPen(self._pen(Color.PREFILL, 1, Qt.PenStyle.DotLine))
            x = round(self.view.x(first)) + 0.5
            painter.drawLine(QLineF(x, block.bottom(), x, self.view.plot.bottom()))

    def _paint_lines(self, painter: QPainter) -> None:
        scene, axis, plot = self.scene, self.scene.axis, self.view.plot
        if scene.shaded is not None:
            left, right = map(self.view.x, scene.shaded)
            stretch = QRectF(left, plot.top(), right - left, plot.height())
            painter.fillRect(stretch, self._theme.color(Color.ACCENT, STRETCH_OPACITY))
        for each in scene.other_pinned:
            painter.setPen(self._pen(Color.MUTED, PINNED_PX, Qt.PenStyle.DashLine))
            painter.drawPolyline(self._points(each.line(axis)))
        limit = scene.curve.limit_line(axis)
        if max(limit[1], default=0.0) <= self.view.top:
            painter.setPen(self._pen(Color.TEXT, 1, Qt.PenStyle.DotLine))
            painter.drawPolyline(self._points(limit))
        self._paint_line(painter, self._points(scene.eos.line(axis), self.view.top), Color.END, 1, FILL_OPACITY)
        self._paint_line(painter, self._points(scene.curve.line(axis)), Color.DECODE, LINE_PX, FILL_OPACITY)

    def _points(self, line: Line, scale: float = 1.0) -> list[QPointF]:
        """Return the points of a curve, clipped to the plot."""
        xs, ys = line
        plot, count = self.view.plot, bisect_right(line[0], self.view.right) + 1
        left, wide = plot.left(), plot.width() / self.view.right
        base, tall, top = plot.bottom(), scale * plot.height() / self.view.top, plot.top()
        pairs = zip(xs[:count], ys[:count], strict=True)
        return [QPointF(left + x * wide, max(top, base - y * tall)) for x, y in pairs]

    def _paint_line(self, painter: QPainter, line: list[QPointF], role: Color, width: float, fill: float = 0) -> None:
        """Paint a curve as single lines. Qt's antialiasing of a polyline with hundreds of points is ten times slower
        (measured).
        """
        if fill:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(role, fill))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            base = self.view.plot.bottom()
            for at in range(0, len(line) - 1, FILL_POINTS):
                near = line[at : at + FILL_POINTS + 1]
                painter.drawPolygon([*near, QPointF(near[-1].x(), base), QPointF(near[0].x(), base)])
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._pen(role, width))
        painter.drawLines(list(map(QLineF, line, line[1:])))

    def _paint_rug(self, painter: QPainter, arrivals: Sequence[float]) -> None:
        """Paint a tick of one pixel for each token. Adjacent ticks are one rectangle."""
        rug, begin, wide = self.view.rug, self.view.plot.left(), self.view.plot.width() / self.view.right
        bars, at = list[list[int]](), 0
        while at < len(arrivals):
            x = int(begin + arrivals[at] * wide)
            if bars and bars[-1][1] == x:
                bars[-1][1] = x + 1
            else:
                bars.append([x, x + 1])
            at = bisect_left(arrivals, (x + 1 - begin) / wide, at + 1)
        color = self._theme.color(Color.DECODE)
        for left, right in bars:
            painter.fillRect(QRectF(left, rug.top(), right - left, rug.height()), color)

    def _paint_dots(self, painter: QPainter) -> None:
        """Paint a dot at the end of a running curve, and one at the pointed token."""
        curve, axis, pointed, view = self.scene.curve, self.scene.axis, self.scene.pointed, self.view
        if curve.drawn and (not curve.ended or len(curve.drawn) == 1):
            last = curve.drawn[-1]
            self._paint_dot(painter, last.seconds if axis is CurveAxis.TIME else last.tokens, last.speed, Color.DECODE)
        if pointed is not None:
            x = round(view.x(pointed)) + 0.5
            painter.setPen(self._pen(Color.ACCENT))
            painter.drawLine(QLineF(x, view.plot.top(), x, view.rug.bottom()))
            if (height := curve.height(pointed, axis)) is not None:
                self._paint_dot(painter, pointed, height, Color.ACCENT)

    def _paint_dot(self, painter: QPainter, x: float, speed: float, role: Color) -> None:
        painter.setPen(self._pen(Color.RAISED))
        painter.setBrush(self._theme.color(role))
        painter.drawEllipse(QPointF(self.view.x(x), self.view.y(speed)), DOT_PX / 2, DOT_PX / 2)

    def _paint_label(self, painter: QPainter, label: Label) -> None:
        """Paint a label and its mark at the right edge of the plot: a triangle for the displayed run, a dash for
        others.
        """
        if label.has_ground:
            painter.fillRect(label.rect.adjusted(-GRID_PX, 2, GRID_PX, -2), self._theme.color(Color.RAISED))
        painter.setPen(self._pen(label.role))
        painter.drawText(label.rect, Qt.AlignmentFlag.AlignVCenter, label.text)
        if label.height is None:
            return
        left, y, middle = self.view.plot.right() + GRID_PX, round(label.height) + 0.5, label.rect.center().y()
        tip = QPointF(left + MARK_PX, y)
        if label.role is Color.DECODE:
            painter.setBrush(self._theme.color(label.role))
            half = QPointF(0, MARK_PX / 2)
            painter.drawPolygon([QPointF(left, y), tip - half, tip + half])
        else:
            painter.drawLine(QPointF(left, y), tip)
        if abs(middle - y) > label.rect.height() / 4:
            painter.drawLine(tip, QPointF(label.rect.left() - 1, middle))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.hit_area.contains(event.position()):
            self._pressed, self._is_dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is not None:
            self._drag(self._pressed, at)
        elif self.hit_area.contains(at):
            self.hovered.emit(self.view.value_at(at.x()))
        else:
            self.left.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        begin, at = self._pressed, event.position()
        if event.button() != Qt.MouseButton.LeftButton or begin is None:
            return
        self._pressed = None
        self._drag(begin, at)
        if not self._is_dragging:
            x = self.view.value_at(at.x())
            self.clicked.emit(x, self.view.value_at(at.x() + SLIP_PX) - x)

    def leaveEvent(self, event: QEvent) -> None:
        if self._pressed is None:
            self.left.emit()

    def _drag(self, begin: QPointF, at: QPointF) -> None:
        self._is_dragging = self._is_dragging or abs(at.x() - begin.x()) > SLIP_PX
        if self._is_dragging:
            self.dragged.emit(self.view.value_at(begin.x()), self.view.value_at(at.x()))
