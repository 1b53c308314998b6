"""Rings that show the keyboard on rows of tabs, which a style sheet can't mark without redrawing them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

RADIUS_PX = 4


class FocusRings(QObject):
    """Puts a ring on such a row whenever it gets the keyboard."""

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        application.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, QTabBar) and new.findChild(FocusRing) is None:
            FocusRing(new)


class FocusRing(QWidget):
    """Lies on a control until the keyboard goes elsewhere."""

    def __init__(self, control: QWidget) -> None:
        super().__init__(control)
        self.setObjectName("focus_ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(control.size())
        control.installEventFilter(self)
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() != Qt.FocusReason.PopupFocusReason:
            self.hide()
            self.setParent(None)
            self.deleteLater()
        elif event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.resize(watched.size())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(QPalette.ColorRole.Accent))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)
