"""A map of cells with labels of its rows and columns: the logit lens and attention patterns in their window."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from app.ui.interpretability.picture import STEPS
from app.ui.look import GAP_PX, GRID_PX, Color, Size, Theme
from app.ui.tokens.colors import LEVELS, likely_ground
from app.ui.widgets import Announcer, as_tip, named

if TYPE_CHECKING:
    from numpy.typing import NDArray

Shares: TypeAlias = "NDArray[np.float32]"
NOWHERE = -1
TURNED_PX, LONGEST_LABEL_PX = 64, 72
"""Height of turned labels of columns, and largest width of labels of rows."""
UPRIGHT_PX = 40
"""Columns narrower than this have labels that are turned by 90°."""
READABLE_PX, LINES_PX = 28, 12
"""Smallest widths of a cell with text, and of one with a line around it."""
LEFT, RIGHT, CENTER, MIDDLE = (
    Qt.AlignmentFlag.AlignLeft,
    Qt.AlignmentFlag.AlignRight,
    Qt.AlignmentFlag.AlignHCenter,
    Qt.AlignmentFlag.AlignVCenter,
)


def _no_text(row: int, column: int) -> tuple[str, bool]:
    return "", False


@dataclass(frozen=True, slots=True)
class CellTable:
    """What a map shows. A darker cell has a larger share, from 0 to 1; NaN is blank."""

    shares: Shares
    rows: Sequence[str]
    columns: Sequence[str]
    describe: Callable[[int, int], str]
    text: Callable[[int, int], tuple[str, bool]] = _no_text
    """The text of a cell, and whether it is bold."""
    edges: Sequence[int | None] = ()
    """For each column, the row above which a line is drawn."""
    summary: str = ""
    """For screen readers."""


@dataclass(frozen=True, slots=True)
class CellSize:
    """The limits of a cell's size in pixels at 100 %. `square` cells are as wide as high."""

    least: tuple[int, int]
    most: tuple[int, int]
    square: bool = False


class CellMap(QAbstractScrollArea):
    """Cells fill the room between their least and largest size; a map that needs more room scrolls."""

    pointed = Signal(int, int)
    """Row and column under the pointer; NOWHERE twice for none."""
    picked = Signal(int, int)
    """Row and column of the cursor."""

    def __init__(self, theme: Theme, name: str, spoken: str, size: CellSize) -> None:
        super().__init__()
        named(self, name, spoken)
        self._theme, self._size = theme, size
        self._table: CellTable | None = None
        self._levels = np.zeros((0, 0), np.uint8)
        self._labels_px, self._head_px = 0, 0
        self._cursor, self._hovered = (0, 0), (NOWHERE, NOWHERE)
        self._announcer = Announcer(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        theme.changed.connect(self._fit)

    @property
    def cursor_cell(self) -> tuple[int, int]:
        return self._cursor

    def show_table(self, table: CellTable, cursor: tuple[int, int]) -> None:
        """Show a table with the cursor at this row and column."""
        steps = 1 + np.clip(np.nan_to_num(table.shares) * LEVELS, 0, LEVELS - 1)
        self._levels = np.where(np.isnan(table.shares), 0, steps).astype(np.uint8)
        self._table, self._hovered = table, (NOWHERE, NOWHERE)
        self.setAccessibleDescription(table.summary)
        self._fit()
        self.mark(*cursor)

    def mark(self, row: int, column: int) -> None:
        """Move the cursor without a signal, and scroll to it."""
        self._cursor = row, column
        width, height = self._cell()
        for bar, at, extent in (
            (self.horizontalScrollBar(), column, width),
            (self.verticalScrollBar(), row, height),
        ):
            first, last = int(at * extent), int((at + 1) * extent) + 1
            bar.setValue(min(first, max(bar.value(), last - bar.pageStep())))
        self.viewport().update()

    def _is_cursor_visible(self) -> bool:
        """Return whether the scroll bars show the cursor, with their ranges before the next `_fit`."""
        bars = self.verticalScrollBar(), self.horizontalScrollBar()
        axes = zip(bars, self._cursor, reversed(self._cell()), strict=True)
        return all(bar.value() <= at * extent + 1 <= bar.value() + bar.pageStep() for bar, at, extent in axes)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.scaled(480), self._theme.scaled(360))

    # Geometry.

    def _font(self, bold: bool = False) -> QFont:
        return self._theme.font(Size.SMALL, bold=bold)

    def _room(self) -> QRectF:
        """Return the part of the viewport that shows cells."""
        view, left, top = self.viewport().rect(), self._labels_px, self._head_px
        return QRectF(left, top, max(1, view.width() - left), max(1, view.height() - top - GAP_PX))

    def _cell(self) -> tuple[float, float]:
        rows, columns = self._levels.shape
        room, size = self._room(), self._size
        found = []
        for extent, count, least, most in (
            (room.width(), columns, size.least[0], size.most[0]),
            (room.height(), rows, size.least[1], size.most[1]),
        ):
            found.append(max(self._theme.scaled(least), min(extent / max(1, count), self._theme.scaled(most))))
        width, height = found
        return (min(width, height),) * 2 if size.square else (width, height)

    def _fit(self) -> None:
        table = self._table
        metrics = QFontMetricsF(self._font(bold=True))
        widest = max((metrics.horizontalAdvance(each) for each in table.rows), default=0.0) if table else 0.0
        self._labels_px = min(int(widest) + 2 * GAP_PX, self._theme.scaled(LONGEST_LABEL_PX))
        is_upright = self._cell()[0] >= self._theme.scaled(UPRIGHT_PX)
        self._head_px = int(metrics.height()) + GAP_PX if is_upright else self._theme.scaled(TURNED_PX)
        (rows, columns), (width, height), room = self._levels.shape, self._cell(), self._room()
        for bar, whole, page in (
            (self.horizontalScrollBar(), columns * width, room.width()),
            (self.verticalScrollBar(), rows * height, room.height()),
        ):
            bar.setPageStep(int(page))
            bar.setSingleStep(int(max(width, height)))
            bar.setRange(0, max(0, int(whole - page + 0.5)))
        self.viewport().update()

    def _origin(self) -> QPointF:
        """Return the position of the first cell."""
        scrolled = QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())
        return self._room().topLeft() - scrolled

    def _rect(self, row: int, column: int) -> QRectF:
        (width, height), origin = self._cell(), self._origin()
        return QRectF(origin.x() + column * width, origin.y() + row * height, width, height)

    def _cell_at(self, position: QPoint) -> tuple[int, int] | None:
        if not self._room().contains(QPointF(position)):
            return None
        (width, height), origin, (rows, columns) = self._cell(), self._origin(), self._levels.shape
        row, column = int((position.y() - origin.y()) / height), int((position.x() - origin.x()) / width)
        return (row, column) if row < rows and column < columns else None

    def _visible(self) -> tuple[range, range]:
        """Return the rows and columns that are at least partly visible."""
        (width, height), origin, room = self._cell(), self._origin(), self._room()
        rows, columns = self._levels.shape
        first = int((room.top() - origin.y()) / height), int((room.left() - origin.x()) / width)
        last = int((room.bottom() - origin.y()) / height), int((room.right() - origin.x()) / width)
        return range(first[0], min(rows, last[0] + 1)), range(first[1], min(columns, last[1] + 1))

    # Painting.

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._table is None or not self._levels.size:
            return
        painter = QPainter(self.viewport())
        painter.setFont(self._font())
        rows, columns = self._visible()
        self._paint_labels(painter, self._table, rows, columns)
        painter.setClipRect(self._room())
        self._paint_grounds(painter)
        self._paint_texts(painter, self._table, rows, columns)
        painter.setPen(QPen(self._theme.color(Color.ACCENT), 2))
        for column in columns if self._table.edges else ():
            if (row := self._table.edges[column]) is not None:
                at = self._rect(row, column)
                painter.drawLine(at.topLeft(), at.topRight())
        painter.setPen(QPen(self._theme.color(Color.TEXT), 2 if self.hasFocus() else 1))
        painter.drawRect(self._rect(*self._cursor).adjusted(1, 1, -1, -1))

    def _paint_grounds(self, painter: QPainter) -> None:
        rows, columns = self._levels.shape
        image = QImage(self._levels.tobytes(), columns, rows, columns, QImage.Format.Format_Indexed8)
        grounds = [likely_ground(level / LEVELS, self._theme) for level in range(LEVELS)]
        image.setColorTable([each.rgb() for each in (self._theme.color(Color.SURFACE), *grounds)])
        (width, height), origin = self._cell(), self._origin()
        painter.drawImage(QRectF(origin.x(), origin.y(), columns * width, rows * height), image)

    def _paint_texts(self, painter: QPainter, table: CellTable, rows: range, columns: range) -> None:
        """Draw a line between cells, and the texts of cells that are large enough."""
        width, height = self._cell()
        plain, bold = self._font(), self._font(bold=True)
        metrics = QFontMetricsF(bold)
        if min(width, height) < self._theme.scaled(LINES_PX):
            return
        readable = width >= self._theme.scaled(READABLE_PX) and height >= metrics.height()
        line, ink = self._theme.color(Color.SURFACE), self._theme.color(Color.TEXT)
        for row in rows:
            for column in columns:
                at = self._rect(row, column)
                painter.setPen(line)
                painter.drawRect(at)
                words, strong = table.text(row, column) if readable else ("", False)
                if words:
                    painter.setPen(ink)
                    painter.setFont(bold if strong else plain)
                    inside = at.adjusted(GRID_PX, 0, -GRID_PX / 2, 0)
                    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, inside.width())
                    painter.drawText(inside, LEFT | MIDDLE, shown)

    def _paint_labels(self, painter: QPainter, table: CellTable, rows: range, columns: range) -> None:
        """Draw as many labels as fit; those of the pointed cell, or else of the cursor, are emphasized."""
        (width, height), room = self._cell(), self._room()
        metrics = QFontMetricsF(painter.font())
        row, column = self._hovered if self._hovered[0] != NOWHERE else self._cursor
        painter.setClipRect(QRectF(0, room.top(), room.left(), self.viewport().height()))
        for each, is_current in labelled(rows, row, metrics.height() / height):
            at = self._rect(each, 0)
            at.setLeft(0)
            at.setWidth(room.left() - GRID_PX)
            middle = QRectF(at.left(), at.center().y() - metrics.height() / 2, at.width(), metrics.height())
            self._paint_label(painter, table.rows[each], middle, RIGHT | MIDDLE, is_current)
        painter.setClipRect(QRectF(room.left(), 0, room.width(), room.top()))
        upright = width >= self._theme.scaled(UPRIGHT_PX)
        for each, is_current in labelled(columns, column, 0 if upright else metrics.height() / width):
            at = self._rect(0, each)
            if upright:
                above = QRectF(at.left(), room.top() - metrics.height() - GRID_PX, width, metrics.height())
                self._paint_label(painter, table.columns[each], above, CENTER | MIDDLE, is_current)
                continue
            painter.save()
            painter.translate(at.center().x(), room.top() - GRID_PX)
            painter.rotate(-90)
            turned = QRectF(0, -metrics.height() / 2, room.top() - 2 * GRID_PX, metrics.height())
            self._paint_label(painter, table.columns[each], turned, LEFT | MIDDLE, is_current)
            painter.restore()

    def _paint_label(
        self, painter: QPainter, words: str, at: QRectF, where: Qt.AlignmentFlag, is_current: bool
    ) -> None:
        ink: QColor = self._theme.color(Color.TEXT if is_current else Color.MUTED)
        painter.setFont(self._font(bold=is_current))
        painter.setPen(ink)
        elided = QFontMetricsF(painter.font()).elidedText(words, Qt.TextElideMode.ElideRight, at.width())
        painter.drawText(at, where, elided)

    # Events.

    def _go(self, row: int, column: int) -> None:
        self.mark(row, column)
        if self._table is not None:
            self._announcer.say(self._table.describe(row, column))
        self.picked.emit(row, column)

    def _hover(self, cell: tuple[int, int] | None) -> None:
        cell = cell or (NOWHERE, NOWHERE)
        if cell != self._hovered:
            self._hovered = cell
            self.viewport().update()
            self.pointed.emit(*cell)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._table is not None:
            cell = self._cell_at(event.pos())
            words = self._table.describe(*cell) if cell is not None else ""
            QToolTip.showText(event.globalPos(), as_tip(words), self.viewport())
            return True
        if event.type() == QEvent.Type.Leave:
            self._hover(None)
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._cell_at(event.position().toPoint()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position().toPoint())
        if cell is not None:
            self._go(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or not self._levels.size:
            super().keyPressEvent(event)
            return
        rows, columns = self._levels.shape
        row, column = self._cursor
        self._go(min(max(0, row + step[0]), rows - 1), min(max(0, column + step[1]), columns - 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_visible = self._is_cursor_visible()
        self._fit()
        if is_visible:
            self.mark(*self._cursor)


def labelled(items: range, current: int, needed: float) -> list[tuple[int, bool]]:
    """Return the items that get a label, and whether each is the current one.

    `needed`: the space of a label, as a number of items. Labels beside the current one make room for it.
    """
    step = max(1, int(needed) + (needed > int(needed)))
    shown = [each for each in items if each % step == 0 and (each == current or abs(each - current) >= step)]
    if current in items and current not in shown:
        shown.append(current)
    return [(each, each == current) for each in shown]
