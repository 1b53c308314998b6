"""Two groups of controls beside each other, or one below the other where there is no room for that."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.ui.look.theme import GAP_PX, GRID_PX
from app.ui.widgets.rows import held, in_grid, in_row


class TwoRows(QWidget):
    """`first` has what room there is; `last` stays at the end of the first row."""

    def __init__(self, first: QWidget, second: QWidget, last: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first, self._second, self._last = first, second, last
        self._beside = True
        self._grid = in_grid([first, second, last], on=self, gap=(GAP_PX, GRID_PX))

    def _arrange(self) -> None:
        first, second = (each.minimumSizeHint().width() for each in (self._first, self._second))
        beside = first + second + self._last.sizeHint().width() + 2 * GAP_PX <= self.contentsRect().width()
        if beside != self._beside:
            self._beside = beside
            self._grid.addWidget(self._second, int(not beside), int(beside), 1, 1 if beside else 3)

    def minimumSizeHint(self) -> QSize:
        """As narrow as the longer row of two."""
        above = self._first.minimumSizeHint().width() + GAP_PX + self._last.sizeHint().width()
        around = self.width() - self.contentsRect().width()
        least = max(above, self._second.minimumSizeHint().width()) + around
        return QSize(least, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def group(*parts: QWidget, wide: QWidget | None = None) -> QWidget:
    """Side by side; `wide` has the room that the others leave."""
    row = in_row(*((part, int(part is wide)) for part in parts))
    row.addStretch(int(wide is None))
    return held(row)
