"""Inputs in a column that scrolls: a wheel that only meant to scroll must not change a value."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QWidget

INPUTS = (QAbstractSpinBox, QComboBox, QAbstractSlider)


class WheelGuard(QObject):
    """Sits on inputs and lets the wheel through to what is around them, unless they have the keyboard."""

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
