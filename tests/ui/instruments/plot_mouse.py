"""A mouse over the speed graph, moved in units of its x axis."""

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.graph.plot import SpeedPlot

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class Mouse:
    """A mouse at half the height of the plot."""

    def __init__(self, around: QWidget) -> None:
        self._plot = around.findChildren(SpeedPlot)[0]
        self._held = NONE

    def pixels(self, x: float) -> float:
        """How far from the left edge."""
        return self._plot.view.x(x)

    def move(self, x: float) -> None:
        self._send(QEvent.Type.MouseMove, x, NONE)

    def press(self, x: float) -> None:
        self._held = LEFT
        self._send(QEvent.Type.MouseButtonPress, x, LEFT)

    def release(self, x: float) -> None:
        self._held = NONE
        self._send(QEvent.Type.MouseButtonRelease, x, LEFT)

    def leave(self) -> None:
        QApplication.sendEvent(self._plot, QEvent(QEvent.Type.Leave))

    def _send(self, kind: QEvent.Type, x: float, button: Qt.MouseButton) -> None:
        QApplication.processEvents()
        at = QPointF(self.pixels(x), self._plot.hit_area.center().y())
        window = QPointF(self._plot.mapToGlobal(at))
        event = QMouseEvent(kind, at, window, button, self._held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self._plot, event)
