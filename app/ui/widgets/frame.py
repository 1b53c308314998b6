"""A rounded frame around a group of widgets."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.look import GAP_PX, Colour, Theme

RADIUS_PX = GAP_PX


class RoundedFrame(QFrame):
    """A frame whose background and border are color roles; `mark` changes the border, for instance to show focus."""

    def __init__(self, theme: Theme, ground: Colour, border: Colour, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ground = ground
        self._border = border
        theme.changed.connect(self.update)

    def mark(self, border: Colour) -> None:
        if border is not self._border:
            self._border = border
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(self._theme.colour(self._ground))
        painter.setPen(QPen(self._theme.colour(self._border), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)
