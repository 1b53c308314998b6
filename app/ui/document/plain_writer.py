"""Streams plain text to the end of the page, and maps page positions to the source text."""

import re
from bisect import bisect_left, bisect_right

from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor

from app.ui.document.soft_breaks import SoftBreaks, TextUnits, between

SOFT = 1
"""User state of a block that continues the previous block's line."""
UNSEEN = 2
"""User state of an empty block that Qt requires next to a frame."""
HEADER = 3
"""User state of a block whose last word is the link to the turn's menu."""
CODE_HEAD = 4
"""User state of the header of a code block: its language and the copy link."""
LONG_BLOCK = 320
"""Length in characters after which the last line of a growing block becomes its own block."""
# Qt turns "\r\n" into one block and drops a leading byte order mark, so that later positions would be wrong.
_MISCOUNTED = re.compile("[\r\ufeff\ufffe]")
_INVISIBLE = "\u200b"
_NEWLINE = re.compile("[\n\u2029]")


class PositionMark:
    """A page position that moves with edits before it, but not with an insertion at it.

    Qt updates every cursor of a document at every insertion, so a mark becomes a fixed number once it can't move.
    """

    __slots__ = ("_cursor", "_position")

    def __init__(self, cursor: QTextCursor) -> None:
        self._cursor: QTextCursor | None = QTextCursor(cursor)
        self._cursor.setKeepPositionOnInsert(True)
        self._position = 0

    @property
    def position(self) -> int:
        return self._position if self._cursor is None else self._cursor.position()

    def settle(self) -> None:
        """Fix the position, since the text before it no longer changes."""
        self._position = self.position
        self._cursor = None

    def shift(self, after: int, by: int) -> None:
        """Move a fixed position, since the text after another one has got longer or shorter."""
        if self._cursor is None and self._position > after:
            self._position += by


class PlainWriter:
    """A writer for one plain text that grows at the end of the document."""

    def __init__(self, cursor: QTextCursor, block: QTextBlockFormat, text: QTextCharFormat) -> None:
        self._block = block
        self._text = text
        self._breaks = SoftBreaks()
        self._cuts: list[int] = []
        """Positions of the soft breaks on the page, relative to the start of the text."""
        self._cut_units: list[int] = []
        """Positions of the soft breaks in the source text, in UTF-16 units."""
        self._text_units = TextUnits()
        self._units = 0
        """Length of the text on the page in UTF-16 units, including soft breaks."""
        self._start = PositionMark(cursor)

    def write(self, cursor: QTextCursor, text: str) -> None:
        """Append text. The cursor must be at the end of the document."""
        self._cut_at_line_start(cursor)
        self._text_units.add(text)
        for number, piece in enumerate(self._breaks.split(text)):
            if number:
                self._note_cut(cursor.position())
                insert_soft_break(cursor, self._block, self._text)
            self._insert(cursor, _MISCOUNTED.sub(_INVISIBLE, piece))
        self._units = cursor.position() - self._start.position

    def finish(self, cursor: QTextCursor) -> None:
        """Do nothing, since no text is held back."""

    def settle(self) -> None:
        """Fix the start position, since this text and the text before it are complete."""
        self._start.settle()

    def shift(self, after: int, by: int) -> None:
        self._start.shift(after, by)

    def _cut_at_line_start(self, cursor: QTextCursor) -> None:
        """Cut a long block at the start of its last line, so that Qt doesn't lay out the earlier lines again."""
        block = cursor.block()
        if block.length() <= LONG_BLOCK:
            return
        layout = block.layout()
        last = layout.lineAt(layout.lineCount() - 1) if layout.lineCount() > 1 else None
        if last is not None and last.textStart() > 0 and block.position() + last.textStart() > self._start.position:
            at = QTextCursor(block)
            at.setPosition(block.position() + last.textStart())
            self._note_cut(at.position())
            insert_soft_break(at, self._block, self._text)
            self._breaks.cut_made(cursor.positionInBlock())

    def _insert(self, cursor: QTextCursor, text: str) -> None:
        """Insert text in the direction of the beginning of its paragraph. Qt would use that of the complete text."""
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
        """Return whether a document position is in this text or at its end."""
        return self._start.position <= position <= self._start.position + self._units

    def source(self, text: str, start: int, end: int) -> str:
        """Return the part of `text`, the complete written text, between two document positions."""
        return between(text, self._offset(start), self._offset(end))

    def position(self, character: int, *, end: bool = False) -> int:
        """Return the page position where a character begins; with `end`, where the previous one ends."""
        unit = self._text_units.unit(character)
        cuts = bisect_left(self._cut_units, unit) if end else bisect_right(self._cut_units, unit)
        return self._start.position + unit + cuts

    def character(self, position: int) -> int:
        """Return the index of the character at a page position."""
        return self._text_units.character(self._offset(position))

    def _offset(self, position: int) -> int:
        on_page = max(0, position - self._start.position)
        return on_page - bisect_left(self._cuts, on_page)


def insert_soft_break(cursor: QTextCursor, block: QTextBlockFormat, text: QTextCharFormat) -> None:
    """Insert a soft break: a new block that continues the previous line, in its direction. Copies don't contain it."""
    going_on = QTextBlockFormat(block)
    going_on.setLayoutDirection(cursor.block().textDirection())
    cursor.insertBlock(going_on, text)
    cursor.block().setUserState(SOFT)


def hide_block(cursor: QTextCursor, block: QTextBlockFormat) -> None:
    """Hide the empty block at the cursor. A block with text is unchanged."""
    if cursor.block().length() == 1:
        cursor.setBlockFormat(block)
        cursor.block().setUserState(UNSEEN)


def show_block(cursor: QTextCursor, block: QTextBlockFormat) -> None:
    """Make the empty block at the cursor ready for text."""
    cursor.setBlockFormat(block)
    cursor.block().setUserState(-1)
