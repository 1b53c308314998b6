"""A slider with a logarithmic scale."""

import math

from PySide6.QtCore import QPointF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

from app.ui.look import Colour, Theme

STEPS_PER_DOUBLING = 4
LEAST = 1
MOST = 32_768
MARK_PX = 4


class LimitSlider(QSlider):
    """A logarithmic slider. `chosen` is emitted when the user moves it."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self._most = MOST
        self._marks: tuple[int, ...] = ()
        self.setRange(0, _step(MOST))
        self.setPageStep(STEPS_PER_DOUBLING)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._tell)

    def show_number(self, number: int) -> None:
        """Move to the nearest step without a signal; a number beyond the end is shown at the end."""
        with QSignalBlocker(self):
            self.setValue(_step(min(max(number, LEAST), self._most)))

    def mark(self, numbers: tuple[int, ...], most: int) -> None:
        """Set marks at these numbers, and extend the scale to `most` if that is beyond the usual end."""
        self._marks, self._most = tuple(number for number in numbers if number >= LEAST), max(most, MOST)
        with QSignalBlocker(self):
            self.setMaximum(_step(self._most))
        self.update()

    def _tell(self, step: int) -> None:
        self.chosen.emit(max(LEAST, round(LEAST * 2 ** (step / STEPS_PER_DOUBLING))))

    def _place(self, number: int) -> float:
        """Return the x coordinate of the handle's center for a number."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().pixelMetric(QStyle.PixelMetric.PM_SliderLength, option, self)
        share = math.log2(min(number, self._most) / LEAST) / math.log2(self._most / LEAST)
        return handle / 2 + share * (self.width() - handle)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for number in self._marks:
            beyond = self.value() > _step(number)
            painter.setBrush(self._theme.colour(Colour.WARNING if beyond else Colour.MUTED))
            tip = QPointF(self._place(number), self.height() - MARK_PX - 1)
            feet = (QPointF(-MARK_PX, MARK_PX), QPointF(MARK_PX, MARK_PX))
            painter.drawPolygon(QPolygonF([tip, tip + feet[0], tip + feet[1]]))


def _step(number: int) -> int:
    return round(math.log2(number / LEAST) * STEPS_PER_DOUBLING)
