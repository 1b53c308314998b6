"""Plain text to be written or read: what is typed, sent and copied is what stands there, to the letter."""

import re

from PySide6.QtCore import QMimeData, QSignalBlocker
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.look import Size, Theme
from app.ui.widgets.naming import named

BREAK = re.compile("\r\n|[\r\u2028\u2029\ufdd0\ufdd1]")
"""What Qt makes of the ends of lines, and what they are in a text that it is given."""
MARKS = "\ufeff", "\ufffe"
"""Of the order of bytes. In front of a text Qt takes the one off, and turns each character behind the other round."""


class PlainText(QPlainTextEdit):
    """Qt's own makes a blank of each that no line may break at, which is another token and another stop string.

    The ends of lines become one kind, and half a character, which Python may have, is left out.
    """

    def show_text(self, text: str) -> bool:
        """Set it, telling nobody but who calls; where it stands there already, the cursor and Undo are left alone."""
        differs = as_lines(text) != self.toPlainText()
        if differs:
            with QSignalBlocker(self):
                self.setPlainText(text)
        return differs

    def setPlainText(self, text: str) -> None:
        super().setPlainText(to_the_letter(text))

    def insertPlainText(self, text: str) -> None:
        super().insertPlainText(to_the_letter(text))

    def toPlainText(self) -> str:
        return as_lines(self.document().toRawText())

    def createMimeDataFromSelection(self) -> QMimeData:
        return as_mime(as_lines(self.textCursor().selectedText()))


def reading_pane(theme: Theme, name: str, spoken: str, tip: str = "", hint: str = "") -> PlainText:
    """Return a read-only pane that the Tab key leaves; `hint` is shown while it is empty."""
    pane = PlainText(readOnly=True, tabChangesFocus=True, placeholderText=hint)
    return named(pane, name, spoken, tip or spoken, font=theme.font(Size.NORMAL))


def to_the_letter(text: str) -> str:
    """As Qt has to be given it, in a field, a signal or the clipboard, so that it gets all of it."""
    return f"\ufeff{text}" if text.startswith(MARKS) else text


def as_mime(text: str) -> QMimeData:
    """To be dropped or pasted as text alone."""
    data = QMimeData()
    data.setText(to_the_letter(text))
    return data


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(to_the_letter(text))


def as_lines(text: str) -> str:
    """With ends of lines as they are in Python."""
    return BREAK.sub("\n", text)
