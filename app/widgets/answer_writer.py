"""Lets a model write at the end of a text that people edit: in a tint of its own, and as one step to be undone."""

from __future__ import annotations

import re

from PySide6.QtGui import QSyntaxHighlighter, QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument

from app.widgets.palette import Colour
from app.widgets.soft_breaks import SoftBreaks
from app.widgets.theme import Theme

# Undo and redo bring a format's properties back, but not a block's user state.
SOFT = QTextCharFormat.Property.UserProperty.value + 1
"""Property of a block that continues the line before it."""
_BY_MODEL = SOFT + 1
# Whatever Qt would make a block of by itself: that one would be soft where the one before it is.
_NEWLINE = re.compile("\r\n|[\r\u2029\ufdd0\ufdd1]")


def by_model() -> QTextCharFormat:
    """The format of what a model wrote; its colour comes from the tint, since the theme may change."""
    made = QTextCharFormat()
    made.setProperty(_BY_MODEL, True)
    return made


def soft_break(before: QTextBlock) -> QTextBlockFormat:
    """Of a block that runs as the one before it, whatever is in it."""
    made = QTextBlockFormat()
    made.setLayoutDirection(before.textDirection())
    made.setProperty(SOFT, True)
    return made


def insert(cursor: QTextCursor, breaks: SoftBreaks, text: str, form: QTextCharFormat) -> bool:
    """Put text in, lines that are too long cut; tells whether there was one."""
    text = _NEWLINE.sub("\n", text)
    pieces = breaks.split(text)
    for number, piece in enumerate(pieces):
        if number:
            cursor.insertBlock(soft_break(cursor.block()))
        first, newline, rest = piece.partition("\n")
        cursor.insertText(first, form)
        if newline:
            cursor.insertBlock(QTextBlockFormat())
            cursor.insertText(rest, form)
    return len(pieces) > 1


class AnswerWriter:
    """One answer, from its first word to its last."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._breaks = SoftBreaks()
        self._breaks.cut_made(len(document.lastBlock().text()))
        self._form = by_model()
        self._begun = False

    def write(self, text: str) -> bool:
        """Append; tells whether a line was cut."""
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


class ModelTint(QSyntaxHighlighter):
    """Colours what a model wrote, outside of the undo history."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        if not text:
            return
        tint = QTextCharFormat()
        tint.setForeground(self._theme.colour(Colour.MODEL))
        for start, length in _stretches(self.currentBlock()):
            self.setFormat(start, length, tint)


def _stretches(block: QTextBlock) -> list[tuple[int, int]]:
    """Where in a block the model wrote."""
    found = []
    each = block.begin()
    while not each.atEnd():
        fragment = each.fragment()
        if fragment.charFormat().hasProperty(_BY_MODEL):
            found.append((fragment.position() - block.position(), fragment.length()))
        each += 1
    return found
