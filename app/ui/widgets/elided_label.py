"""A line of text that ends with dots where there is no room for all of it; its text stays whole."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


class OneLine(QLabel):
    """It gives way, and makes no window wider. No text in it is markup."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        with QPainter(self) as painter:
            self.style().drawItemText(
                painter, self.rect(), self.alignment(), self.palette(), self.isEnabled(), words, self.foregroundRole()
            )
