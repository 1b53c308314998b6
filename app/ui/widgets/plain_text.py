"""Plain text to be written or read: what is typed, sent and copied is what stands there, to the letter."""

from __future__ import annotations

import re

from PySide6.QtCore import QMimeData, QSignalBlocker
from PySide6.QtWidgets import QPlainTextEdit

BREAK = re.compile("\r\n|[\r\u2028\u2029]")
"""What Qt makes of the ends of lines, and what they are in a text that it is given."""


class PlainText(QPlainTextEdit):
    """Qt's own makes a blank of each that no line may break at, which is another token and another stop string."""

    def toPlainText(self) -> str:
        return as_lines(self.document().toRawText())

    def show_text(self, text: str) -> None:
        """Set it, telling nobody; where it stands there already, the cursor and Undo are left alone."""
        if as_lines(text) != self.toPlainText():
            with QSignalBlocker(self):
                self.setPlainText(text)

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(as_lines(self.textCursor().selectedText()))
        return data


def as_lines(text: str) -> str:
    """With ends of lines as they are in Python."""
    return BREAK.sub("\n", text)
