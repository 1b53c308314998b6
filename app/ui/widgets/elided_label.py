"""A label of one line that is elided where there is no room; `text` returns the full text."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


class OneLine(QLabel):
    """A label that shrinks with its window. Its text is never markup."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect()
        words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter, room, self.alignment(), self.palette(), self.isEnabled(), words, self.foregroundRole()
            )
