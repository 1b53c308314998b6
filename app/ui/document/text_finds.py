"""Text search in a page: highlights the matches, scrolls to them, and restores the previous position."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.ui.document.plain_writer import CODE_HEAD, HEADER, SOFT
from app.ui.document.soft_breaks import TextUnits
from app.ui.look import Color, Theme

MOST = 1_000
"""Maximum number of matches."""
OPACITY = 0.7
Soft = Callable[[QTextBlock], bool]
"""Returns whether a block continues the previous block's line."""


def continues_line(block: QTextBlock) -> bool:
    return bool(block.userState() == SOFT)


def pattern_of(words: str) -> re.Pattern[str]:
    """Return a case-insensitive pattern, in which any whitespace matches any other."""
    return re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)


def find_all(document: QTextDocument, words: str, soft: Soft = continues_line) -> list[QTextCursor]:
    """Return the matches from the top of the document, without those in headers of turns and code."""
    found: list[QTextCursor] = []
    wanted, block = pattern_of(words), document.begin()
    while words.strip() and block.isValid() and len(found) < MOST:
        line = [block]
        while (after := line[-1].next()).isValid() and soft(after):
            line.append(after)
        if block.userState() not in (HEADER, CODE_HEAD):
            found += _in_line(line, wanted)
        block = after
    return found[:MOST]


def _in_line(line: Sequence[QTextBlock], wanted: re.Pattern[str]) -> list[QTextCursor]:
    text = "".join(block.text() for block in line)
    matches = [match.span() for match in wanted.finditer(text)]
    if not matches:
        return []
    units = TextUnits()
    units.add(text)
    starts = [0, *accumulate(block.length() - 1 for block in line)]

    def position(character: int, back: int) -> int:
        unit = units.unit(character)
        at = max(0, min(bisect_right(starts, unit - back) - 1, len(line) - 1))
        return line[at].position() + unit - starts[at]

    found = []
    for first, end in matches:
        cursor = QTextCursor(line[0])
        cursor.setPosition(position(first, 0))
        cursor.setPosition(position(end, 1), QTextCursor.MoveMode.KeepAnchor)
        found.append(cursor)
    return found


class TextFinds(QObject):
    """The search in one view. `show` selects a match and scrolls to it unless it is visible."""

    def __init__(self, theme: Theme, view: QTextEdit | QPlainTextEdit, soft: Soft = continues_line) -> None:
        super().__init__(view)
        self._theme, self._view, self._soft = theme, view, soft
        self._position_before: tuple[QTextCursor, int, int] | None = None
        """Text cursor, scroll position and first visible position before the first match was shown."""
        self.found: list[QTextCursor] = []
        theme.changed.connect(self.mark)

    def find(self, words: str) -> int:
        self.found = find_all(self._view.document(), words, self._soft)
        self.mark()
        return len(self.found)

    def mark(self) -> None:
        form = QTextCharFormat()
        form.setBackground(self._theme.color(Color.TOKEN, OPACITY))
        marks = []
        for cursor in self.found:
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, form
            marks.append(mark)
        self._view.setExtraSelections(marks)

    @property
    def nearest(self) -> int:
        """Index of the first match after the position before the search."""
        if self._position_before is None:
            top = self._view.cursorForPosition(self._view.viewport().rect().topLeft()).position()
            self._position_before = self._view.textCursor(), self._view.verticalScrollBar().value(), top
        top = self._position_before[2]
        return next((at for at, each in enumerate(self.found) if each.selectionEnd() > top), 0)

    def show(self, at: int) -> None:
        bar = self._view.verticalScrollBar()
        before = bar.value()
        self._view.setTextCursor(self.found[at])
        if isinstance(self._view, QPlainTextEdit):
            self._view.ensureCursorVisible()
        elif bar.value() != before:
            bar.setValue(bar.value() + self._view.cursorRect().center().y() - self._view.viewport().height() // 2)

    def forget_place(self) -> None:
        self._position_before = None

    def leave(self) -> None:
        """Remove the highlights and restore the position from before the search."""
        self.find("")
        if self._position_before is not None:
            (cursor, value, _), self._position_before = self._position_before, None
            self._view.setTextCursor(cursor)
            self._view.verticalScrollBar().setValue(value)
