"""The ring around the control that a step of a lesson points at."""

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.ui.look import GRID_PX, Color, Theme

RING_PX = 3
RADIUS_PX, LARGE_PX = 8, 200
MOVED = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


class LessonPointer(QWidget):
    """A frame around a part of `page`, transparent for the mouse. It follows the part, and hides with it."""

    def __init__(self, theme: Theme, page: QWidget) -> None:
        super().__init__(page)
        self.setObjectName("lesson_ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme, self._page = theme, page
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place)
        theme.changed.connect(self.update)
        self.hide()

    def point_at(self, target: QWidget | None) -> None:
        """Move the ring to a widget of the page; None hides it."""
        for widget in self._watched:
            widget.removeEventFilter(self)
        self._target, self._watched = target, []
        part = target
        while part is not None:  # scrolling moves a parent of the widget
            self._watched.append(part)
            part = part.parentWidget() if part is not self._page else None
        for widget in self._watched:
            widget.installEventFilter(self)
        self._soon.start()

    def _place(self) -> None:
        target = self._target
        area = target.visibleRegion().boundingRect() if target is not None and target.isVisible() else QRect()
        if target is None or area.isEmpty():
            self.hide()
            return
        around = QRect(target.mapTo(self._page, area.topLeft()), area.size())
        # Around a large part it would cover its neighbors.
        gap = GRID_PX + RING_PX if around.height() < LARGE_PX else 0
        self.setGeometry(around.adjusted(-gap, -gap, gap, gap) & self._page.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVED:
            self._soon.start()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color(Color.ACCENT), RING_PX))
        inset = RING_PX / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS_PX, RADIUS_PX)
