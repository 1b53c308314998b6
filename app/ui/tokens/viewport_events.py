"""Hears a page's viewport while tokens lie below its text, so that text without tokens streams past unheard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QHelpEvent, QPaintEvent
from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from app.ui.tokens.text import TokenText


class ViewportEvents(QObject):
    """Paints below the text, and above it where something lies there."""

    def __init__(self, page: TokenText) -> None:
        super().__init__(page)
        self._page = page
        self._within = False

    def heed(self, wanted: bool) -> None:
        """From now on, or no longer."""
        viewport = self._page.viewport()
        viewport.removeEventFilter(self)
        if wanted:
            viewport.installEventFilter(self)

    def _paint(self, event: QPaintEvent) -> bool:
        if self._within:
            return False
        self._page.paint_below(event.rect())
        above = self._page.has_above
        if above:
            self._within = True
            QApplication.sendEvent(self._page.viewport(), event)
            self._within = False
            self._page.paint_above()
        return above

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            return self._paint(event)
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            return self._page.show_tip(event)
        if event.type() == QEvent.Type.Leave:
            self._page.leave_tokens()
        return False
