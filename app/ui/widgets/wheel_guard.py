"""Guards inputs in a scroll area, so that scrolling changes no value."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QWidget

INPUTS = (QAbstractSpinBox, QComboBox, QAbstractSlider)


class WheelGuard(QObject):
    """An event filter that forwards the wheel from inputs to the scroll area, unless the input has the focus."""

    def watch(self, widget: QWidget) -> None:
        """Watch this input, or all inputs inside it."""
        inside = [found for kind in INPUTS for found in widget.findChildren(kind)]
        for found in (widget, *inside):
            if isinstance(found, INPUTS) and not isinstance(found, QScrollBar):
                found.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                found.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return super().eventFilter(watched, event)
