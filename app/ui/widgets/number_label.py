"""A label for a number that changes often; its size hint changes only with the text's width."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QLabel

DRESSED = (QEvent.Type.FontChange, QEvent.Type.StyleChange)
MOST_PX = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""


class NumberLabel(QLabel):
    """A label whose fixed size follows its text: Qt doesn't lay out again when the text of such a label changes."""

    def __init__(self) -> None:
        super().__init__()
        self._needed = QSize()

    def say(self, words: str) -> None:
        if words != self.text():
            self.setText(words)
            self._fit()

    def _fit(self) -> None:
        needed = self.fontMetrics().size(0, self.text())
        if needed != self._needed:
            self._needed = needed
            # The size hint of a label of fixed size is that size.
            self.setMinimumSize(0, 0)
            self.setMaximumSize(MOST_PX, MOST_PX)
            self.setFixedSize(self.sizeHint())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in DRESSED:
            self._needed = QSize()
            self._fit()
