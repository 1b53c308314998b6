"""A plot of one metric: a row for each variant with a dot, a range and the value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.widgets.naming import named

ROW_PX = 28
DOT_PX = 5
NAMES_SHARE = 0.4
"""The largest share of the width for names."""
LINES = 3
SIDE = Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row: the values of a variant, their median, and both in words."""

    name: str
    values: tuple[float, ...]
    middle: float
    words: str


class DotPlot(QWidget):
    def __init__(self, theme: Theme, name: str, most: float | None = None) -> None:
        """`most`: the end of the scale; None: the largest value."""
        super().__init__()
        named(self, name, tr("Values of the variants"))
        self._theme = theme
        self._most = most
        self._rows: tuple[DotRow, ...] = ()
        self._format: Callable[[float], str] = str
        theme.changed.connect(self._measure)

    def show_rows(self, title: str, rows: Sequence[DotRow], format_value: Callable[[float], str]) -> None:
        """`format_value` formats the numbers of the scale."""
        self._rows, self._format = tuple(rows), format_value
        self.setAccessibleDescription(f"{title}: " + "; ".join(f"{row.name}, {row.words}" for row in rows))
        self._measure()

    def _measure(self) -> None:
        self.updateGeometry()
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def _ends(self) -> tuple[float, float]:
        """Return the ends of the scale, which includes zero."""
        values = [0.0, *(value for row in self._rows for value in row.values)]
        least, most = min(values), self._most or max(values)
        return least, most if most > least else 1.0

    def _draw_row(self, painter: QPainter, row: DotRow, at: QRectF, ends: tuple[float, float]) -> None:
        def across(value: float) -> float:
            return at.left() + at.width() * (value - ends[0]) / (ends[1] - ends[0])

        middle, color = at.center().y(), self._theme.color(Color.DECODE)
        painter.setPen(QPen(self._theme.color(Color.DECODE, 0.5), 2))
        painter.drawLine(QPointF(across(min(row.values)), middle), QPointF(across(max(row.values)), middle))
        painter.setPen(QPen(color, 1))
        for value in row.values:
            painter.drawLine(QPointF(across(value), middle - GRID_PX), QPointF(across(value), middle + GRID_PX))
        painter.setBrush(color)
        painter.drawEllipse(QPointF(across(row.middle), middle), DOT_PX, DOT_PX)

    def _draw_scale(self, painter: QPainter, room: QRectF, ends: tuple[float, float]) -> None:
        least, most = ends
        for line in range(LINES):
            x = room.left() + room.width() * line / (LINES - 1)
            painter.setPen(self._theme.color(Color.LINE))
            painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
            painter.setPen(self._theme.color(Color.MUTED))
            below = QRectF(x - room.width() / 4, room.bottom(), room.width() / 2, self._theme.scaled(ROW_PX))
            number = least + (most - least) * line / (LINES - 1)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self._format(number))

    def sizeHint(self) -> QSize:
        return QSize(0, self._theme.scaled(ROW_PX) * (len(self._rows) + 1) + GAP_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), theme.color(Color.SURFACE))
        if not self._rows:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(Size.NORMAL))
        metrics, row_px = QFontMetricsF(painter.font()), theme.scaled(ROW_PX)
        names = min(max(metrics.horizontalAdvance(row.name) for row in self._rows), NAMES_SHARE * self.width())
        words_width = max(metrics.horizontalAdvance(row.words) for row in self._rows)
        ends = self._ends()
        left, right = names + 2 * MARGIN_PX, self.width() - words_width - 2 * MARGIN_PX
        self._draw_scale(painter, QRectF(left, GAP_PX, right - left, row_px * len(self._rows)), ends)
        for number, row in enumerate(self._rows):
            top = GAP_PX + number * row_px
            painter.setPen(theme.color(Color.TEXT))
            name = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, names)
            painter.drawText(QRectF(MARGIN_PX, top, names + 1, row_px), SIDE, name)
            painter.drawText(QRectF(right + MARGIN_PX, top, words_width + 1, row_px), SIDE, row.words)
            self._draw_row(painter, row, QRectF(left, top, right - left, row_px), ends)
