"""A frame whose parts change all the time, and which asks for other room only when it needs other room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLayout, QWidget


class SteadyFrame(QFrame):
    """Places its parts by a layout that is not its own.

    Each new number on a label asks for room, and a layout of its own would pass that on unseen: all of the window would
    be laid out anew several times a second, and come out as it was.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inside: QLayout | None = None
        self._needed = self._liked = QSize()

    def hold(self, inside: QLayout) -> None:
        """The parts, which are this frame's children, in a layout that belongs to no widget."""
        self._inside = inside
        self._place()

    def _place(self) -> None:
        """All parts anew; what they need is then known until one of them asks again."""
        if self._inside is not None:
            _forget(self._inside)
            self._inside.setGeometry(self.contentsRect())
            self._needed, self._liked = self._inside.minimumSize(), self._inside.sizeHint()

    def measure(self) -> None:
        """Now, not when the parts come to ask: somebody divides the room."""
        before = self._needed
        self._place()
        if self._needed != before:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return super().sizeHint() if self._inside is None else self._liked

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() if self._inside is None else self._needed

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.measure()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()


def _forget(layout: QLayout) -> None:
    """What its parts asked for before: nobody tells a layout that belongs to no widget."""
    layout.invalidate()
    for number in range(layout.count()):
        item = layout.itemAt(number)
        if item is not None and (inner := item.layout()) is not None:
            _forget(inner)
