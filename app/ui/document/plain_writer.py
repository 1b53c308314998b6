"""Writes text at the end of a page as it is, and finds the text again behind any stretch of the page."""

import re
from bisect import bisect_left, bisect_right

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor

from app.ui.document.position_mark import PositionMark
from app.ui.document.soft_breaks import SoftBreaks
from app.ui.document.text_units import TextUnits, between

SOFT = 1
"""User state of a block that continues the line before it."""
UNSEEN = 2
"""User state of a block that Qt needs beside a frame and nobody reads."""
HEADER = 3
"""User state of a block whose last word is the link to the turn's menu."""
CODE_HEAD = 4
"""User state of a block over code: a button and a language more than words."""
LONG_BLOCK = 320
"""Characters of a block, while it grows, beyond which its last line becomes a block of its own."""

# Qt makes one block of "\r\n" and drops a leading byte order mark, which would shift everything behind them.
_MISCOUNTED = re.compile("[\r\ufeff\ufffe]")
_INVISIBLE = "\u200b"
_NEWLINE = re.compile("[\n\u2029]")


class PlainWriter:
    """One stretch of text that may go on growing at the document's end."""

    def __init__(self, cursor: QTextCursor, block: QTextBlockFormat, text: QTextCharFormat) -> None:
        self._block = block
        self._text = text
        self._breaks = SoftBreaks()
        self._cuts: list[int] = []
        """Where the soft breaks lie on the page, counted from the start…"""
        self._cut_units: list[int] = []
        """…and in the text, in Qt's units."""
        self._text_units = TextUnits()
        self._units = 0
        """How much of the page the text takes, soft breaks included."""
        self._start = PositionMark(cursor)

    def write(self, cursor: QTextCursor, text: str) -> None:
        """Append; the cursor stands at the document's end."""
        self._cut_at_line_start(cursor)
        self._text_units.add(text)
        for number, piece in enumerate(self._breaks.split(text)):
            if number:
                self._note_cut(cursor.position())
                cut(cursor, self._block, self._text)
            self._insert(cursor, _MISCOUNTED.sub(_INVISIBLE, piece))
        self._units = cursor.position() - self._start.position

    def finish(self, cursor: QTextCursor) -> None:
        """Nothing was held back."""

    def settle(self) -> None:
        """Nothing is written any more, here or before."""
        self._start.settle()

    def _cut_at_line_start(self, cursor: QTextCursor) -> None:
        """Cut a long block where the eye sees a new line anyway; the rest of it is then never laid out again."""
        block = cursor.block()
        if block.length() <= LONG_BLOCK:
            return
        layout = block.layout()
        last = layout.lineAt(layout.lineCount() - 1) if layout.lineCount() > 1 else None
        if last is not None and last.textStart() > 0 and block.position() + last.textStart() > self._start.position:
            at = QTextCursor(block)
            at.setPosition(block.position() + last.textStart())
            self._note_cut(at.position())
            cut(at, self._block, self._text)
            self._breaks.cut_made(cursor.positionInBlock())

    def _insert(self, cursor: QTextCursor, text: str) -> None:
        """Insert text in the direction of its paragraph's beginning; Qt would use that of the whole."""
        rest = text
        if cursor.block().userState() == SOFT and (newline := _NEWLINE.search(text)):
            cursor.insertText(text[: newline.start()], self._text)
            cursor.insertBlock(self._block, self._text)
            rest = text[newline.end() :]
        cursor.insertText(rest, self._text)

    def _note_cut(self, position: int) -> None:
        on_page = position - self._start.position
        self._cut_units.append(on_page - len(self._cuts))
        self._cuts.append(on_page)

    def holds(self, position: int) -> bool:
        """Whether the document's position lies in this text, or at its end."""
        return self._start.position <= position <= self._start.position + self._units

    def source(self, text: str, start: int, end: int) -> str:
        """Return the part of `text`, which is all that was written, behind positions `start` to `end` of the
        document.
        """
        return between(text, self._offset(start), self._offset(end))

    def position(self, character: int, *, end: bool = False) -> int:
        """Where on the page a character of the text begins; with `end`, where the one before it ends."""
        unit = self._text_units.unit(character)
        cuts = bisect_left(self._cut_units, unit) if end else bisect_right(self._cut_units, unit)
        return self._start.position + unit + cuts

    def character(self, position: int) -> int:
        """Which character of the text stands at a position of the page."""
        return self._text_units.character(self._offset(position))

    def _offset(self, position: int) -> int:
        on_page = max(0, position - self._start.position)
        return on_page - bisect_left(self._cuts, on_page)


def cut(cursor: QTextCursor, block: QTextBlockFormat, text: QTextCharFormat) -> None:
    """Return a soft break: a new block for Qt, nothing for whoever copies, and a line that runs as the one before
    it.
    """
    going_on = QTextBlockFormat(block)
    going_on.setLayoutDirection(cursor.block().textDirection())
    cursor.insertBlock(going_on, text)
    cursor.block().setUserState(SOFT)


def unseen(cursor: QTextCursor, block: QTextBlockFormat) -> None:
    """Make the empty block under the cursor vanish; a block with text is left alone."""
    if cursor.block().length() == 1:
        cursor.setBlockFormat(block)
        cursor.block().setUserState(UNSEEN)


def seen(cursor: QTextCursor, block: QTextBlockFormat) -> None:
    """Use the empty block under the cursor for text."""
    cursor.setBlockFormat(block)
    cursor.block().setUserState(-1)
