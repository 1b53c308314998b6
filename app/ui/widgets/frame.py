"""A rounded frame, and a thin progress bar."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from app.ui.look import GAP_PX, Color, Theme

RADIUS_PX = GAP_PX


class RoundedFrame(QFrame):
    """A frame whose background and border are color roles; `mark` changes the border, for instance to show focus."""

    def __init__(self, theme: Theme, ground: Color, border: Color, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._ground = ground
        self._border = border
        theme.changed.connect(self.update)

    def mark(self, border: Color) -> None:
        if border is not self._border:
            self._border = border
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(self._theme.color(self._ground))
        painter.setPen(QPen(self._theme.color(self._border), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)


STEPS = 1000
HEIGHT_PX = 4


class ThinBar(QProgressBar):
    """A progress bar without text or accessible name; a label beside it has both."""

    def __init__(self, theme: Theme, name: str, role: Color = Color.ACCENT, height_px: int = HEIGHT_PX) -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self._radius_px = height_px // 2
        self.setObjectName(name)
        self.setTextVisible(False)
        self.setFixedHeight(height_px)
        self.setRange(0, STEPS)
        self._wear()
        theme.changed.connect(self._wear)

    def show_share(self, done: int, whole: int, words: str) -> None:
        """Set the filled share, 0 to 1."""
        self.setValue(STEPS * done // whole if whole else 0)
        self.setAccessibleName(words)

    def setValue(self, value: int) -> None:
        """Set the value. Otherwise Qt would repaint at once, and with the bar all other waiting parts of the window."""
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)

    def _wear(self) -> None:
        line, full = self._theme.hex(Color.LINE), self._theme.hex(self._role)
        self.setStyleSheet(
            f"QProgressBar {{ background: {line}; border: none; border-radius: {self._radius_px}px; }}"
            f"QProgressBar::chunk {{ background: {full}; border-radius: {self._radius_px}px; }}"
        )
