"""A curve of what was found out along a text, from nought up."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.ui.look import GAP_PX, Colour, Size, Theme
from app.ui.weigh.words import Course
from app.ui.widgets import named
from app.weighing.result import number
from app.words import tr

LINES = 4
WIDEST = 6


class Curve(QWidget):
    """Its highest value, and where it begins and ends, are also told in words."""

    def __init__(self, theme: Theme, course: Course) -> None:
        super().__init__()
        self._theme, self._course = theme, course
        told = tr("{what}: {first} at first, {last} at last, {most} at the most")
        values = {"first": number(course.ys[0]), "last": number(course.ys[-1]), "most": number(max(course.ys))}
        named(self, "weigh_curve", tr("Curve"), told=told.format(what=course.up, **values))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, course = QPainter(self), self._theme, self._course
        painter.fillRect(self.rect(), theme.colour(Colour.SURFACE))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(Size.SMALL))
        line, wide = painter.fontMetrics().height(), painter.fontMetrics().horizontalAdvance("0" * WIDEST)
        room = QRectF(self.rect()).adjusted(wide + 2 * GAP_PX, 2 * line, -wide, -(2 * line + GAP_PX))
        top, left, right = max(course.ys) or 1.0, course.xs[0], course.xs[-1]
        ticks = course.ticks or tuple(f"{left + (right - left) * at / LINES:,.0f}" for at in range(LINES + 1))
        for at in range(LINES + 1):
            y = room.bottom() - room.height() * at / LINES
            painter.setPen(theme.colour(Colour.LINE))
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(theme.colour(Colour.MUTED))
            beside = QRectF(0, y - line / 2, room.left() - GAP_PX, line)
            painter.drawText(beside, Qt.AlignmentFlag.AlignRight, number(top * at / LINES))
        for at, words in enumerate(ticks):
            x = room.left() + room.width() * at / (len(ticks) - 1)
            painter.drawText(QRectF(x - wide, room.bottom(), 2 * wide, line), Qt.AlignmentFlag.AlignCenter, words)
        painter.drawText(QRectF(GAP_PX, 0, self.width(), 2 * line), Qt.AlignmentFlag.AlignVCenter, course.up)
        below = QRectF(room.left(), room.bottom() + line, room.width(), line + GAP_PX)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, course.across)
        painter.setPen(QPen(theme.colour(Colour.DECODE), 2))
        across, up = room.width() / (right - left), room.height() / top
        pairs = zip(course.xs, course.ys, strict=True)
        points = [QPointF(room.left() + (x - left) * across, room.bottom() - y * up) for x, y in pairs]
        painter.drawPolyline(QPolygonF(points))
