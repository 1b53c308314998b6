"""Lets a page that scrolls be moved as it is: only what comes into sight is painted."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractScrollArea

DRESSED = (QEvent.Type.Show, QEvent.Type.StyleChange)


class PaintedScrolling(QObject):
    """Has the viewport filled with the colour of its role, and Qt know that nothing shines through it.

    A style sheet with as little as a border turns that off each time that it is applied; while text streams, most
    frames scroll, and all of the page would then be painted in each of them.
    """

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        area.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in DRESSED:
            self._area.viewport().setAutoFillBackground(True)
        return False
