"""Writes an answer at the end of an editable page, marked as the model's and as one undo step."""

import re

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument

from app.ui.document.soft_breaks import SoftBreaks
from app.ui.prompt.model_tint import by_model
from app.ui.widgets.plain_text import to_the_letter

# Undo and redo bring a format's properties back, but not a block's user state.
SOFT = QTextCharFormat.Property.UserProperty.value + 1
"""Property of a block that continues the line before it."""
# Characters that Qt turns into blocks by itself; such a block would inherit the soft property.
_NEWLINE = re.compile("\r\n|[\r\u2029\ufdd0\ufdd1]")


def soft_break(before: QTextBlock) -> QTextBlockFormat:
    """Return the format of a soft block, in the direction of the previous one."""
    made = QTextBlockFormat()
    made.setLayoutDirection(before.textDirection())
    made.setProperty(SOFT, True)
    return made


def is_soft(block: QTextBlock) -> bool:
    return bool(block.blockFormat().hasProperty(SOFT))


def insert(cursor: QTextCursor, breaks: SoftBreaks, text: str, form: QTextCharFormat) -> bool:
    """Insert text with long lines cut. Return whether one was cut."""
    text = _NEWLINE.sub("\n", text)
    pieces = breaks.split(text)
    for number, piece in enumerate(pieces):
        if number:
            cursor.insertBlock(soft_break(cursor.block()))
        first, newline, rest = piece.partition("\n")
        cursor.insertText(to_the_letter(first), form)
        if newline:
            cursor.insertBlock(QTextBlockFormat())
            cursor.insertText(to_the_letter(rest), form)
    return len(pieces) > 1


def join_soft_breaks(raw: str, block: QTextBlock) -> str:
    """Return the raw text from this block on without soft breaks. Each block format is looked up once."""
    soft: dict[int, bool] = {}
    lines: list[str] = []
    for line in raw.split("\u2029"):
        kind = block.blockFormatIndex()
        if kind not in soft:
            soft[kind] = block.blockFormat().hasProperty(SOFT)
        if lines and not soft[kind]:
            lines.append("\n")
        lines.append(line)
        block = block.next()
    return "".join(lines)


class AnswerWriter:
    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._breaks = SoftBreaks()
        self._breaks.cut_made(len(document.lastBlock().text()))
        self._form = by_model()
        self._begun = False
        self._returned = False
        """The text ends with a carriage return, which a following newline belongs to."""

    def write(self, text: str) -> bool:
        """Append text. Return whether a line was cut."""
        text = text.removeprefix("\n") if self._returned else text
        self._returned = text.endswith("\r")
        if not text:
            return False
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self._begun:
            cursor.joinPreviousEditBlock()
        else:
            cursor.beginEditBlock()
            self._begun = True
        try:
            return insert(cursor, self._breaks, text, self._form)
        finally:
            cursor.endEditBlock()
