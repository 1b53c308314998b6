"""Fast scrolling: Qt moves the painted pixels and repaints only the part that scrolls into view."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractScrollArea

DRESSED = (QEvent.Type.Show, QEvent.Type.StyleChange)


class PaintedScrolling(QObject):
    """An event filter that makes the viewport opaque, so that Qt doesn't repaint all of it for each scroll step.

    Each time a style sheet with a border is applied, Qt turns this off. While text streams, most frames scroll, and
    each of them would repaint the page.
    """

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        area.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in DRESSED:
            self._area.viewport().setAutoFillBackground(True)
        return False
