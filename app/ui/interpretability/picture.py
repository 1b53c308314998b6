"""A matrix of numbers from 0 to 1 as a heat map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import Color, Theme, scaled
from app.ui.tokens.colors import LEVELS, likely_ground
from app.ui.widgets import Announcer, named

if TYPE_CHECKING:
    from numpy.typing import NDArray

COPIED_PX = 1_024
"""Minimum width of a copied picture."""
STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
Shares: TypeAlias = "NDArray[np.float32]"
Levels: TypeAlias = "NDArray[np.uint8]"
Describe = Callable[[int, int], str]
NOTHING_YET = tr("Heat map; the arrow keys read its cells. It is empty until you look inside a token")


class MatrixPicture(QWidget):
    pointed = Signal(str)
    """Description of the cell at the pointer or the cursor."""
    picked = Signal(int, int)
    """Row and column of the picked cell."""

    def __init__(self, theme: Theme, name: str, spoken: str, height_px: int) -> None:
        super().__init__()
        named(self, name, spoken, description=NOTHING_YET)
        self._theme = theme
        self._levels = np.zeros((0, 0), np.uint8)
        self._describe: Describe = lambda row, column: ""
        self._square = True
        self._at = (0, 0)
        self._announcer = Announcer(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        scaled(theme, self, QWidget.setFixedHeight, height_px)
        theme.changed.connect(self.update)

    def show_values(
        self, values: Sequence[float] | Shares, rows: int, describe: Describe, summary: str, square: bool = True
    ) -> None:
        """Show `values`, row by row; NaN is blank. `summary` describes them for screen readers."""
        shares = np.asarray(values, np.float32).reshape(rows, -1)
        steps = 1 + np.clip(np.nan_to_num(shares) * LEVELS, 0, LEVELS - 1)
        self._levels = np.where(np.isnan(shares), 0, steps).astype(np.uint8)
        self._describe, self._square, self._at = describe, square, (0, 0)
        self.setAccessibleDescription(summary)
        self.update()

    def mark(self, row: int, column: int) -> None:
        """Frame this cell."""
        self._at = row, column
        self.update()

    def picture(self) -> QPixmap:
        factor = -(-COPIED_PX // max(1, self._levels.shape[1]))
        return QPixmap.fromImage(self._image(np.kron(self._levels, np.ones((factor, factor), np.uint8))))

    def _image(self, levels: Levels) -> QImage:
        rows, columns = levels.shape
        image = QImage(levels.tobytes(), columns, rows, columns, QImage.Format.Format_Indexed8)
        grounds = [likely_ground(level / LEVELS, self._theme) for level in range(LEVELS)]
        image.setColorTable([each.rgb() for each in (self._theme.color(Color.SURFACE), *grounds)])
        return image.convertToFormat(QImage.Format.Format_RGB32)

    def _room(self) -> QRect:
        side = min(self.width(), self.height())
        return QRect(0, 0, side, side) if self._square else self.rect()

    def _step(self) -> tuple[int, int]:
        """Return the numbers of rows and columns that share a pixel, which shows the largest of them."""
        room, (rows, columns) = self._room(), self._levels.shape
        return -(-rows // max(1, room.height())), -(-columns // max(1, room.width()))

    def _cell(self, position: QPoint) -> tuple[int, int] | None:
        room, (rows, columns), (down, across) = self._room(), self._levels.shape, self._step()
        if not room.contains(position) or not self._levels.size:
            return None
        top = position.y() * -(-rows // down) // room.height() * down
        left = position.x() * -(-columns // across) // room.width() * across
        block = self._levels[top : top + down, left : left + across]
        row, column = divmod(int(block.argmax()), block.shape[1])
        return top + row, left + column

    def paintEvent(self, event: QPaintEvent) -> None:
        rows, columns = self._levels.shape
        if not self._levels.size:
            return
        painter, room, (down, across) = QPainter(self), self._room(), self._step()
        strongest = np.maximum.reduceat(self._levels, range(0, rows, down), axis=0)
        painter.drawImage(room, self._image(np.maximum.reduceat(strongest, range(0, columns, across), axis=1)))
        row, column = self._at
        left, top = column * room.width() // columns, row * room.height() // rows
        right, bottom = (column + 1) * room.width() // columns, (row + 1) * room.height() // rows
        painter.setPen(QPen(self._theme.color(Color.TEXT), 2 if self.hasFocus() else 1))
        painter.drawRect(QRect(left, top, max(2, right - left - 1), max(2, bottom - top - 1)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self._cell(event.position().toPoint())
        self.pointed.emit(self._describe(*cell) if cell is not None else "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self._cell(event.position().toPoint())
        if cell is not None:
            self._go(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or not self._levels.size:
            super().keyPressEvent(event)
            return
        rows, columns = self._levels.shape
        self._go(min(max(0, self._at[0] + step[0]), rows - 1), min(max(0, self._at[1] + step[1]), columns - 1))

    def _go(self, row: int, column: int) -> None:
        self.mark(row, column)
        words = self._describe(row, column)
        self.pointed.emit(words)
        self._announcer.say(words)
        self.picked.emit(row, column)
