"""What the mouse does over the speed graph, in the graph's own numbers: it hovers, drags and clicks."""

from typing import Protocol

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

FRAME_MS = 16
SLIP_PX = 4
"""A press that moves no further than this is a click; what is this near to a click is meant by it."""


class Placed(Protocol):
    """Where the plot is on its widget, and what a place there means."""

    @property
    def touched(self) -> QRectF: ...

    def value_at(self, x: float) -> float: ...


class PlotPointer(QObject):
    """Tells where on the x axis; motion at most once a frame."""

    hovered = Signal(float)
    left = Signal()
    dragged = Signal(float, float)
    """From where, and to where by now."""
    clicked = Signal(float, float)
    """Where, and how far around it counts as there."""

    def __init__(self, widget: QWidget, placed: Placed) -> None:
        super().__init__(widget)
        self._placed = placed
        self._pressed: QPointF | None = None
        self._dragging = False
        self._latest: QPointF | None = None
        self.timer = QTimer(self, singleShot=True, interval=FRAME_MS)
        self.timer.timeout.connect(self._tell)
        widget.setMouseTracking(True)
        widget.installEventFilter(self)

    @Slot()
    def _tell(self) -> None:
        """The motion since the last frame."""
        at, self._latest = self._latest, None
        if at is None:
            return
        self.timer.start()
        if self._pressed is not None:
            self._drag(self._pressed, at)
        elif self._placed.touched.contains(at):
            self.hovered.emit(self._x(at))
        else:
            self.left.emit()

    def _drag(self, begin: QPointF, at: QPointF) -> None:
        self._dragging = self._dragging or abs(at.x() - begin.x()) > SLIP_PX
        if self._dragging:
            self.dragged.emit(self._x(begin), self._x(at))

    def _release(self, at: QPointF) -> None:
        begin, self._pressed, self._latest = self._pressed, None, None
        if begin is None:
            return
        self._drag(begin, at)
        if not self._dragging:
            x = self._x(at)
            self.clicked.emit(x, self._placed.value_at(at.x() + SLIP_PX) - x)

    def _x(self, at: QPointF) -> float:
        return self._placed.value_at(at.x())

    def _take(self, event: QMouseEvent) -> None:
        at = event.position()
        if event.type() == QEvent.Type.MouseMove:
            self._latest = at
            if not self.timer.isActive():
                self._tell()
        elif event.button() == Qt.MouseButton.LeftButton:
            if event.type() == QEvent.Type.MouseButtonPress and self._placed.touched.contains(at):
                self._pressed, self._dragging = at, False
            elif event.type() == QEvent.Type.MouseButtonRelease:
                self._release(at)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            self._take(event)
        elif event.type() == QEvent.Type.Leave and self._pressed is None:
            self._latest = None
            self.left.emit()
        return super().eventFilter(watched, event)
