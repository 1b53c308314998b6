"""What the mouse does over a plot, in the plot's own numbers: it hovers, drags and clicks. Imports pyqtgraph."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent

FRAME_MS = 16
SLIP_PX = 4
"""A press that moves no further than this is a click; what is this near to a click is meant by it."""


class PlotPointer(QObject):
    """Tells where on the x axis; motion at most once a frame."""

    hovered = Signal(float)
    left = Signal()
    dragged = Signal(float, float)
    """From where, and to where by now."""
    clicked = Signal(float, float)
    """Where, and how far around it counts as there."""

    def __init__(self, plot: pg.PlotWidget) -> None:
        super().__init__(plot)
        self._plot = plot
        self._box = plot.getPlotItem().vb
        self._pressed: QPointF | None = None
        self._dragging = False
        self._latest: QPointF | None = None
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(FRAME_MS)
        self.timer.timeout.connect(self._tell)
        plot.viewport().installEventFilter(self)

    @Slot()
    def _tell(self) -> None:
        """The motion since the last frame."""
        at, self._latest = self._latest, None
        if at is None:
            return
        self.timer.start()
        if self._pressed is not None:
            self._drag(self._pressed, at)
        elif self._box.sceneBoundingRect().contains(at):
            self.hovered.emit(self._x(at))
        else:
            self.left.emit()

    def _drag(self, begin: QPointF, at: QPointF) -> None:
        self._dragging = self._dragging or abs(at.x() - begin.x()) > SLIP_PX
        if self._dragging:
            self.dragged.emit(self._x(begin), self._x(at))

    def _press(self, at: QPointF) -> None:
        if self._box.sceneBoundingRect().contains(at):
            self._pressed, self._dragging = at, False

    def _release(self, at: QPointF) -> None:
        begin, self._pressed, self._latest = self._pressed, None, None
        if begin is None:
            return
        self._drag(begin, at)
        if not self._dragging:
            self.clicked.emit(self._x(at), SLIP_PX * self._box.viewPixelSize()[0])

    def _x(self, at: QPointF) -> float:
        return float(self._box.mapSceneToView(at).x())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            at = self._plot.mapToScene(event.position().toPoint())
            if event.type() == QEvent.Type.MouseMove:
                self._latest = at
                if not self.timer.isActive():
                    self._tell()
            elif event.button() == Qt.MouseButton.LeftButton:
                if event.type() == QEvent.Type.MouseButtonPress:
                    self._press(at)
                elif event.type() == QEvent.Type.MouseButtonRelease:
                    self._release(at)
        elif event.type() == QEvent.Type.Leave and self._pressed is None:
            self._latest = None
            self.left.emit()
        return super().eventFilter(watched, event)
