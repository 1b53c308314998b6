"""Plain text fields that preserve every character."""

import re

from PySide6.QtCore import QMimeData, QSignalBlocker
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit

from app.ui.look import Size, Theme, show_lines
from app.ui.widgets.naming import named

BREAK = re.compile("\r\n|[\r\u2028\u2029\ufdd0\ufdd1]")
"""Line ends in the text that Qt gets, and Qt's own characters for them."""
MARKS = "\ufeff", "\ufffe"
"""Byte order marks. At the start of a text Qt removes U+FEFF, and for U+FFFE it swaps the bytes of all characters."""


class PlainText(QPlainTextEdit):
    """A text field that keeps non-breaking spaces, which `QPlainTextEdit` replaces by spaces: they are other tokens.

    Line ends become line feeds, and lone surrogates, which Python allows, are dropped.
    """

    def show_text(self, text: str) -> bool:
        """Set the text without a signal; return whether it changed. An equal text keeps the cursor and Undo."""
        differs = as_lines(text) != self.toPlainText()
        if differs:
            with QSignalBlocker(self):
                self.setPlainText(text)
        return differs

    def setPlainText(self, text: str) -> None:
        super().setPlainText(keep_byte_order_mark(text))

    def insertPlainText(self, text: str) -> None:
        super().insertPlainText(keep_byte_order_mark(text))

    def toPlainText(self) -> str:
        return as_lines(self.document().toRawText())

    def createMimeDataFromSelection(self) -> QMimeData:
        return as_mime(as_lines(self.textCursor().selectedText()))


def reading_pane(theme: Theme, name: str, spoken: str, tip: str = "", hint: str = "") -> PlainText:
    """Return a read-only pane that the Tab key leaves; `hint` is shown while it is empty."""
    pane = PlainText(readOnly=True, tabChangesFocus=True, placeholderText=hint)
    return named(pane, name, spoken, tip or spoken, font=theme.font(Size.NORMAL))


def keep_byte_order_mark(text: str) -> str:
    """Prepare a text for Qt, which removes a leading byte order mark from fields, signals and the clipboard."""
    return f"\ufeff{text}" if text.startswith(MARKS) else text


def as_mime(text: str) -> QMimeData:
    data = QMimeData()
    data.setText(keep_byte_order_mark(text))
    return data


def copy_text(text: str) -> None:
    QGuiApplication.clipboard().setText(keep_byte_order_mark(text))


def as_lines(text: str) -> str:
    """Return the text with line feeds as line ends."""
    return BREAK.sub("\n", text)


class ProseField(PlainText):
    """A text field `lines` high; `hint` is its placeholder."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        lines: int,
        spoken: str = "",
        tip: str = "",
        *,
        hint: str = "",
        font: QFont | None = None,
    ) -> None:
        super().__init__(tabChangesFocus=True, placeholderText=hint)
        named(self, name, spoken, tip, font=font)
        show_lines(theme, self, lines)
