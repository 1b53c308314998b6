"""A label of a number that changes all the time, and asks for other room only when the number needs other room."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QLabel

DRESSED = (QEvent.Type.FontChange, QEvent.Type.StyleChange)
MOST_PX = 16_777_215
"""Qt's own word for: as large as it likes."""


class NumberLabel(QLabel):
    """Is as large as its words. Of a label of fixed size Qt lays nothing out anew when it says something else."""

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
            # A label of fixed size would want just that.
            self.setMinimumSize(0, 0)
            self.setMaximumSize(MOST_PX, MOST_PX)
            self.setFixedSize(self.sizeHint())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in DRESSED:
            self._needed = QSize()
            self._fit()
