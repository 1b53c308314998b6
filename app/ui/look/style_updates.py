"""Updates that a style sheet doesn't do: new colors and text sizes for all widgets, and a focus ring on tabs."""

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
    QRadioButton,
    QTabBar,
    QTreeView,
    QWidget,
)

RADIUS_PX = 4
OWN_FONT = Qt.WidgetAttribute.WA_SetFont

MEASURED = (QCheckBox, QComboBox, QHeaderView, QRadioButton, QTreeView)


class FocusRings(QObject):
    """Shows a ring on the focused tab: a style sheet can't mark it without redrawing the tabs."""

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        application.focusChanged.connect(self._follow)

    @Slot(QWidget, QWidget)  # otherwise PySide keeps it in this object's `__dict__`, which the garbage collector clears
    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(new, QTabBar) and new.findChild(FocusRing) is None:
            FocusRing(new)


class FocusRing(QWidget):
    """A ring on the current tab, until the tab bar loses the focus."""

    def __init__(self, tabs: QTabBar) -> None:
        super().__init__(tabs)
        self.setObjectName("focus_ring")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._follow()
        tabs.currentChanged.connect(self._follow)
        tabs.installEventFilter(self)
        self.show()

    def _follow(self) -> None:
        # Qt's parent: Python deletes wrappers of tabs without references, and this object's with them.
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


def reapply_style_sheet(application: QApplication) -> None:
    """Apply the style sheet again after a palette change: it uses the colors of its first application.

    This takes 0.1 ms for each widget. Widgets that were never shown get the new colors when they are shown.
    """
    dressed = [each for each in _all_widgets(application) if each.testAttribute(Qt.WidgetAttribute.WA_WState_Polished)]
    fonts = [(each, each.font() if each.testAttribute(OWN_FONT) else None) for each in dressed]
    frames = [(each, each.contentsMargins()) for each in dressed if isinstance(each, QFrame)]
    for each in dressed:
        each.style().polish(each)
    for each, font in fonts:
        # A style sheet restores each widget's font at its first application, even an inherited one.
        if font is not None and each.font() != font:
            each.setFont(font)
        elif font is None and each.testAttribute(OWN_FONT):
            each.setFont(_font_around(each))
    for each in dressed:
        QCoreApplication.sendEvent(each, QEvent(QEvent.Type.StyleChange))
    for frame, margins in frames:
        # A frame that is smaller than its margins loses them.
        if frame.contentsMargins() != margins:
            frame.setContentsMargins(margins)


def resize_all(application: QApplication, sizes: Mapping[int, int]) -> None:
    """Change the font sizes of all widgets; `sizes` maps old pixel sizes to new ones.

    With a style sheet, Qt doesn't pass fonts on to children: a widget without its own font has to be given the
    program's.
    """
    for widget in _all_widgets(application):
        font = widget.font()
        if widget.testAttribute(OWN_FONT):
            font.setPixelSize(sizes.get(font.pixelSize(), font.pixelSize()))
            widget.setFont(font)
        else:
            widget.setFont(_font_around(widget))
            # Fonts and indicators that come from the style sheet: apply it again.
            if font.resolveMask() or isinstance(widget, MEASURED):
                widget.style().polish(widget)
                QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def _all_widgets(application: QApplication) -> Iterator[QWidget]:
    """Yield all widgets, parents before their children."""
    for window in application.topLevelWidgets():
        if window.parentWidget() is None:
            yield window
            yield from window.findChildren(QWidget)


def _font_around(widget: QWidget) -> QFont:
    """Return the inherited font of a widget; a viewport has that of its scroll area."""
    area = widget.parentWidget()
    return area.font() if isinstance(area, QAbstractScrollArea) and area.viewport() is widget else QFont()
