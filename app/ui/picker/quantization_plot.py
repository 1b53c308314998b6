"""What each number of bits costs, as a picture: size across, distance from the original upwards."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.look import GAP_PX, Colour, Size, Theme, scaled
from app.ui.widgets import named

LEAST_PX, LINE_PX, DOT_PX, LABEL_PX = 150, 22, 4, 90
LEAST_KL = 1e-6
Point = tuple[str, float, float]
"""Its name, bits per weight, KL."""


class LadderPlot(QWidget):
    """Each step upwards is ten times as far; the line goes along those that no other beats in both."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "quantise_plot", tr("Bits per weight against distance from the original"))
        self._theme = theme
        self._points: list[Point] = []
        scaled(theme, self, QWidget.setMinimumHeight, LEAST_PX)

    def show_points(self, points: Sequence[Point]) -> None:
        self._points = sorted(points, key=lambda point: point[1])
        told = tr("{name}: {bits} bits per weight, KL {kl}")
        each = (told.format(name=name, bits=f"{bits:.2f}", kl=f"{kl:.4f}") for name, bits, kl in self._points)
        self.setAccessibleDescription("; ".join(each))
        self.update()

    def _scale(self, painter: QPainter, room: QRectF, most: float, low: int, high: int) -> None:
        theme, line = self._theme, self._theme.scaled(LINE_PX)
        for power in range(low, high + 1):
            height = room.bottom() - room.height() * (power - low) / (high - low)
            painter.setPen(theme.colour(Colour.LINE))
            painter.drawLine(QPointF(room.left(), height), QPointF(room.right(), height))
            painter.setPen(theme.colour(Colour.MUTED))
            words = QRectF(0, height - line / 2, room.left() - GAP_PX, line)
            painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{10.0**power:g}")
        for bits in range(math.floor(most) + 1):
            below = QRectF(room.left() + room.width() * bits / most - line, room.bottom(), 2 * line, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, f"{bits}")
        title = QRectF(room.left(), room.bottom() + line, room.width(), line)
        painter.drawText(title, Qt.AlignmentFlag.AlignCenter, tr("Bits per weight"))
        painter.drawText(QRectF(0, 0, self.width(), line), Qt.AlignmentFlag.AlignLeft, tr("KL, nats a token"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme, line = QPainter(self), self._theme, self._theme.scaled(LINE_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(Size.SMALL))
        room = QRectF(self.rect()).adjusted(line * 3, line, -theme.scaled(LABEL_PX), -2 * line)
        heights = [math.log10(max(kl, LEAST_KL)) for _, _, kl in self._points] or [0.0]
        low, most = math.floor(min(heights)), max((bits for _, bits, _ in self._points), default=1.0)
        high = max(math.ceil(max(heights)), low + 1)
        self._scale(painter, room, most, low, high)
        across, up = room.width() / most, room.height() / (high - low)
        places = [
            QPointF(room.left() + across * bits, room.bottom() - up * (height - low))
            for (_, bits, _), height in zip(self._points, heights, strict=False)
        ]
        painter.setPen(QPen(theme.colour(Colour.DECODE, 0.5), 2))
        lowest = [max(place.y() for place in places[: number + 1]) for number in range(len(places))]
        painter.drawPolyline([place for place, y in zip(places, lowest, strict=True) if place.y() == y])
        painter.setBrush(theme.colour(Colour.DECODE))
        for (name, _, _), place in zip(self._points, places, strict=True):
            painter.setPen(theme.colour(Colour.TEXT))
            painter.drawText(place + QPointF(GAP_PX, -GAP_PX / 2), name)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(place, DOT_PX, DOT_PX)
