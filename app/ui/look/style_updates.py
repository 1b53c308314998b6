"""Dresses what is seen in the palette of the day at once, and what is hidden when it is next shown."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, Qt, Slot
from PySide6.QtGui import QFocusEvent, QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QFrame,
    QHeaderView,
    QTabBar,
    QTreeView,
    QWidget,
)

RADIUS_PX = 4
OWN_FONT = Qt.WidgetAttribute.WA_SetFont

MEASURED = (QCheckBox, QComboBox, QHeaderView, QTreeView)


class FocusRings(QObject):
    """On rows of tabs, which a style sheet can't mark without redrawing them, a ring shows the keyboard."""

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        application.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)
    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, QTabBar) and new.findChild(FocusRing) is None:
            FocusRing(new)


class FocusRing(QWidget):
    """Lies on the chosen tab of a row until the keyboard goes elsewhere."""

    def __init__(self, tabs: QTabBar) -> None:
        super().__init__(tabs)
        self.setObjectName("focus_ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._follow()
        tabs.currentChanged.connect(self._follow)
        tabs.installEventFilter(self)
        self.show()

    @Slot()
    def _follow(self) -> None:
        # Asked of Qt: Python collects what it has of tabs that nobody holds, and of this with it.
        tabs = self.parentWidget()
        if isinstance(tabs, QTabBar):
            self.setGeometry(tabs.tabRect(tabs.currentIndex()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() != Qt.FocusReason.PopupFocusReason:
            self.hide()
            self.setParent(None)
            self.deleteLater()
        elif event.type() == QEvent.Type.Paint:
            self._follow()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(QPalette.ColorRole.Accent))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_PX, RADIUS_PX)


class StyleUpdates(QObject):
    """A style sheet keeps the colours that it found in the palette, and lets none through to what is within.

    To put one on anew takes Qt a tenth of a millisecond for each widget, and most of them are in windows that were
    closed: they are hidden, and may never be seen again.
    """

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._application = application

    def dress_all(self) -> None:
        """The palette is another one."""
        for window in self._application.topLevelWidgets():
            # The first window, say, before anything is in it: it will be dressed anyway.
            if window.testAttribute(Qt.WidgetAttribute.WA_WState_Polished) or window.findChild(QWidget) is not None:
                self._dress(window)

    def resize_all(self, sizes: Mapping[int, int]) -> None:
        """Text that was so large is so large now. In hidden parts too: they may be asked how much room they need.

        A style sheet hands no font on: what has none of its own has to take that of the program by itself.
        """
        for widget in self._all():
            font = widget.font()
            if widget.testAttribute(OWN_FONT):
                font.setPixelSize(sizes.get(font.pixelSize(), font.pixelSize()))
                widget.setFont(font)
            else:
                widget.setFont(_font_around(widget))
                # Of the sheet's, which is put on again; so are the signs that it measures by the text.
                if font.resolveMask() or isinstance(widget, MEASURED):
                    widget.style().polish(widget)
                    QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))

    def _all(self) -> Iterator[QWidget]:
        """Each after what is around it."""
        for window in self._application.topLevelWidgets():
            if window.parentWidget() is None:
                yield window
                yield from window.findChildren(QWidget)

    def _dress(self, widget: QWidget) -> None:
        seen = list(self._seen(widget))
        fonts = [(each, each.font() if each.testAttribute(OWN_FONT) else None) for each in seen]
        frames = [(each, each.contentsMargins()) for each in seen if isinstance(each, QFrame)]
        for each in seen:
            each.style().polish(each)
        for each, font in fonts:
            # A style sheet gives every widget the font back that it had when it was put on first, its own or not.
            if font is not None and each.font() != font:
                each.setFont(font)
            elif font is None and each.testAttribute(OWN_FONT):
                each.setFont(_font_around(each))
        for each in seen:
            QCoreApplication.sendEvent(each, QEvent(QEvent.Type.StyleChange))
        for frame, margins in frames:
            # A frame that has no room yet, or less than they take, loses them.
            if frame.contentsMargins() != margins:
                frame.setContentsMargins(margins)

    def _seen(self, widget: QWidget) -> Iterator[QWidget]:
        """With what is within, from the outside in; what is hidden is waited for."""
        if not widget.isVisible():
            widget.installEventFilter(self)
            return
        yield widget
        for inside in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if not inside.isWindow():
                yield from self._seen(inside)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            self._dress(watched)
        return False


def _font_around(widget: QWidget) -> QFont:
    """The words that stand in an empty editor are written in its viewport's font; else that of the program."""
    area = widget.parentWidget()
    return area.font() if isinstance(area, QAbstractScrollArea) and area.viewport() is widget else QFont()
