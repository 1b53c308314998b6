"""A text to be read and copied, some of whose words are struck through or underlined, each in its colour."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.look import Colour, Size, Theme
from app.ui.widgets.naming import named

GROUND_OPACITY = 0.12


class MarkedText(QPlainTextEdit):
    """Read-only; the Tab key leaves it."""

    def __init__(self, theme: Theme, name: str, spoken: str, tip: str) -> None:
        super().__init__()
        self._theme = theme
        named(self, name, spoken, tip, font=theme.font(Size.NORMAL))
        self.setReadOnly(True)
        self.setTabChangesFocus(True)

    def write(self, pieces: Iterable[tuple[str, Colour | None, bool]]) -> None:
        """Each with its colour, and whether it is struck through; else it is underlined. None: as it is."""
        self.clear()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for text, role, struck in pieces:
            cursor.insertText(text, self._look(role, struck))
        cursor.endEditBlock()
        cursor.setPosition(0)
        self.setTextCursor(cursor)

    def _look(self, role: Colour | None, struck: bool) -> QTextCharFormat:
        look = QTextCharFormat()
        if role is not None:
            look.setForeground(self._theme.colour(role))
            look.setBackground(self._theme.colour(role, GROUND_OPACITY))
            look.setFontStrikeOut(struck)
            look.setFontUnderline(not struck)
        return look
