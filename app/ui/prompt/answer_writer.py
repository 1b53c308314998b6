"""Writes an answer at the end of an editable page as one undo step, and colors the model's text."""

import re
import time

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument, QTextLayout

from app.ui.document.soft_breaks import SoftBreaks
from app.ui.look import Color, Theme
from app.ui.widgets.plain_text import keep_byte_order_mark

BY_MODEL = QTextCharFormat.Property.UserProperty.value + 2
"""Property of text that a model wrote."""
MAX_AT_ONCE = 500
"""Lines; more are colored in steps."""
STEP_S = 0.008
STEP_BLOCKS = 50
# Undo and redo bring a format's properties back, but not a block's user state.
SOFT = QTextCharFormat.Property.UserProperty.value + 1
"""Property of a block that continues the line before it."""
# Characters that Qt turns into blocks by itself; such a block would inherit the soft property.
_NEWLINE = re.compile("\r\n|[\r\u2029\ufdd0\ufdd1]")


def by_model() -> QTextCharFormat:
    """Return the format that marks the model's text. ModelTint sets the color, since the theme may change."""
    made = QTextCharFormat()
    made.setProperty(BY_MODEL, True)
    return made


class ModelTint(QObject):
    """A painter of the text marked by `by_model`. It does nothing until `expect` is called."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._document = document
        self._theme = theme
        self._needed = False
        self._pending = QTextCursor(document)
        """Selects the text that is still to be colored, and moves with edits."""
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._color_next_lines)
        document.contentsChange.connect(self._on_change)
        theme.changed.connect(self._on_theme)

    def expect(self) -> None:
        """Start coloring, since the model is about to write."""
        self._needed = True

    def _on_change(self, at: int, _removed: int, added: int) -> None:
        if self._needed:
            self._color_blocks(self._document.findBlock(at), self._block_at(at + added))

    def _on_theme(self) -> None:
        if self._needed:
            first, last = self._document.begin(), self._document.lastBlock()
            if self._color_blocks(first, last):
                self._document.markContentsDirty(0, self._document.characterCount())

    def _color_blocks(self, first: QTextBlock, last: QTextBlock) -> bool:
        """Color these blocks now, or schedule them. Return whether all are colored."""
        if last.blockNumber() - first.blockNumber() >= MAX_AT_ONCE:
            self._color_later(first.position(), last.position() + last.length() - 1)
            return False
        tint = self._tint()
        while first.isValid() and first != last:
            _color(first, tint)
            first = first.next()
        _color(last, tint)
        return True

    def _color_later(self, start: int, end: int) -> None:
        if self._pending.hasSelection():
            start, end = min(start, self._pending.selectionStart()), max(end, self._pending.selectionEnd())
        self._pending.setPosition(start)
        self._pending.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        self._timer.start()

    def _color_next_lines(self) -> None:
        until, tint = time.perf_counter() + STEP_S, self._tint()
        start, end = self._pending.selectionStart(), self._pending.selectionEnd()
        block = self._document.findBlock(start)
        while block.isValid() and block.position() <= end and time.perf_counter() < until:
            for _ in range(STEP_BLOCKS):
                _color(block, tint)
                block = block.next()
                if not block.isValid():
                    break
        done = min(block.position(), end) if block.isValid() else end
        self._document.markContentsDirty(start, done - start)
        self._pending.setPosition(done)
        self._pending.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        if done >= end:
            self._pending.clearSelection()
            self._timer.stop()

    def _tint(self) -> QTextCharFormat:
        tint = QTextCharFormat()
        tint.setForeground(self._theme.color(Color.MODEL))
        return tint

    def _block_at(self, position: int) -> QTextBlock:
        """Return the block there, or the last one: Qt reports too many changed characters for the whole text."""
        found = self._document.findBlock(position)
        return found if found.isValid() else self._document.lastBlock()


def _color(block: QTextBlock, tint: QTextCharFormat) -> None:
    """Set the colors of a block. The preedit text of an input method, which is only in the layout, keeps its format."""
    layout = block.layout()
    at, present = layout.preeditAreaPosition(), layout.formats()
    length = len(layout.preeditAreaText().encode("utf-16-le")) // 2
    found = [each for each in present if at <= each.start and each.start + each.length <= at + length]
    for format_range in _format_ranges(block, tint):
        if format_range.start >= at:
            format_range.start += length
        elif format_range.start + format_range.length > at:
            format_range.length += length
        found.append(format_range)
    if found or present:
        layout.setFormats(found)


def _format_ranges(block: QTextBlock, tint: QTextCharFormat) -> list[QTextLayout.FormatRange]:
    found = []
    each = block.begin()
    while not each.atEnd():
        fragment = each.fragment()
        if fragment.charFormat().hasProperty(BY_MODEL):
            format_range = QTextLayout.FormatRange()
            format_range.start, format_range.length = fragment.position() - block.position(), fragment.length()
            format_range.format = tint
            found.append(format_range)
        each += 1
    return found


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
        cursor.insertText(keep_byte_order_mark(first), form)
        if newline:
            cursor.insertBlock(QTextBlockFormat())
            cursor.insertText(keep_byte_order_mark(rest), form)
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
