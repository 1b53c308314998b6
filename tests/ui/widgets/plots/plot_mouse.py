"""A mouse over a plot, moved in the plot's own numbers."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.plots.pointer import PlotPointer

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class Mouse:
    """Half-way up a plot."""

    def __init__(self, around: QWidget) -> None:
        self._plot = around.findChildren(pg.PlotWidget)[0]
        self._box = self._plot.getPlotItem().vb
        self.timer = around.findChildren(PlotPointer)[0].timer
        self._held = NONE

    def rest(self, qtbot: QtBot) -> None:
        """Until the frame is over."""
        qtbot.waitUntil(lambda: not self.timer.isActive())

    def pixels(self, x: float) -> float:
        """How far from the left edge."""
        return float(self._box.mapViewToScene(QPointF(x, 0)).x())

    def move(self, x: float) -> None:
        self._send(QEvent.Type.MouseMove, x, NONE)

    def press(self, x: float) -> None:
        self._held = LEFT
        self._send(QEvent.Type.MouseButtonPress, x, LEFT)

    def release(self, x: float) -> None:
        self._held = NONE
        self._send(QEvent.Type.MouseButtonRelease, x, LEFT)

    def leave(self) -> None:
        QApplication.sendEvent(self._plot.viewport(), QEvent(QEvent.Type.Leave))

    def _send(self, kind: QEvent.Type, x: float, button: Qt.MouseButton) -> None:
        QApplication.processEvents()
        at = QPointF(self.pixels(x), self._box.sceneBoundingRect().center().y())
        window = QPointF(self._plot.viewport().mapToGlobal(at))
        event = QMouseEvent(kind, at, window, button, self._held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self._plot.viewport(), event)
