"""A share as a bar with its figure beside it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.inspector.rows import Row
from app.ui.look.palette import Colour
from app.ui.look.theme import GRID_PX, Size, Theme
from app.ui.widgets.table_model import ROW

Index = QModelIndex | QPersistentModelIndex
BAR_PX = 8
FIGURE = "> 99.99 %"
"""No figure is wider than this."""
CROSS_PX = 3


class BarDelegate(QStyledItemDelegate):
    """The longest bar is that of `most`; one that was taken out is hollow and dashed, with a cross."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.most = 1.0

    def _paint_bar(self, painter: QPainter, place: QRect, row: Row) -> None:
        top = place.center().y() - BAR_PX // 2
        if not row.out:
            width = max(1, round(place.width() * row.share / self.most))
            role = Colour.OTHER if row.id is None else Colour.DECODE
            painter.fillRect(QRect(place.left(), top, width, BAR_PX), self._theme.colour(role))
            return
        width = max(2 * CROSS_PX + 4, round(place.width() * min(1.0, row.before / self.most)))
        painter.setPen(QPen(self._theme.colour(Colour.OUTLINE), 1, Qt.PenStyle.DashLine))
        painter.drawRect(QRect(place.left(), top, width - 1, BAR_PX - 1))
        painter.setPen(QPen(self._theme.colour(Colour.MUTED), 1.5))
        middle = QPoint(place.left() + CROSS_PX + 2, place.center().y())
        for across in (QPoint(CROSS_PX, CROSS_PX), QPoint(CROSS_PX, -CROSS_PX)):
            painter.drawLine(middle - across, middle + across)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        if not isinstance(row, Row):
            return
        painter.save()
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.colour(Colour.USER))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(Size.SMALL))
        inside = rect.adjusted(GRID_PX, 0, -GRID_PX, 0)
        figure_px = painter.fontMetrics().horizontalAdvance(FIGURE)
        self._paint_bar(painter, inside.adjusted(0, 0, -figure_px - GRID_PX, 0), row)
        painter.setPen(self._theme.colour(Colour.TEXT))
        painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        painter.restore()
