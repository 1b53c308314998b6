"""Restores the selection and the reading position after the page was changed or rewritten."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from app.ui.document.plain_writer import SOFT
from app.ui.document.turns import PageTurn

_WORDS = re.compile(r"[^\W_](?:[\w ,;']{6,78})")
BLOCKS_LOOKED_AT = 5


@contextmanager
def preserve_selection(editor: QTextEdit) -> Iterator[None]:
    """Restore the selection after a change of the page, without scrolling."""
    before = editor.textCursor()
    if not before.hasSelection():
        yield
        return
    old = before.anchor(), before.position()
    cuts = [_cuts_before(before, place) for place in old]
    # Marks move with insertions before them, but not with an insertion at their position.
    marks = [_mark(before, place) for place in old]
    yield
    anchor, position = (mark.position() for mark in marks)
    if abs(position - anchor) < abs(old[1] - old[0]):
        # The selected text was removed and written again without soft breaks, so it has its old position without them.
        last = editor.document().characterCount() - 1
        anchor, position = (min(place - count, last) for place, count in zip(old, cuts, strict=True))
    cursor = editor.textCursor()
    if (cursor.anchor(), cursor.position()) != (anchor, position):
        at = editor.verticalScrollBar().value()
        cursor.setPosition(anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        editor.verticalScrollBar().setValue(at)


def _cuts_before(cursor: QTextCursor, position: int) -> int:
    """Return the number of soft breaks between the beginning of the line and this position."""
    block = cursor.document().findBlock(position)
    count = 0
    while block.userState() == SOFT:
        count += 1
        block = block.previous()
    return count


def _mark(cursor: QTextCursor, position: int) -> QTextCursor:
    mark = QTextCursor(cursor)
    mark.setPosition(position)
    mark.setKeepPositionOnInsert(True)
    return mark


@dataclass(frozen=True, slots=True)
class ReadingPosition:
    """A turn, the fraction of it before the position, and the words there. `position` is that on the old page."""

    position: int
    turn: int
    fraction: float
    words: str


def place_at(position: int, turns: list[PageTurn], document: QTextDocument) -> ReadingPosition | None:
    for number in range(len(turns) - 1, -1, -1):
        start, end = _extent(number, turns, document)
        if start <= position:
            position, words = _words_from(position, document)
            return ReadingPosition(position, number, (position - start) / max(1, end - start), words)
    return None


def find_place(place: ReadingPosition, turns: list[PageTurn], document: QTextDocument) -> int:
    """Return the page position closest to a reading position."""
    if place.turn >= len(turns):
        return 0
    start, end = _extent(place.turn, turns, document)
    guess = start + round(place.fraction * (end - start))
    return _nearest(place.words, guess, start, end, document) if place.words else guess


def _words_from(position: int, document: QTextDocument) -> tuple[int, str]:
    """Return the first words at or after a position, and their position."""
    block = document.findBlock(position)
    offset = position - block.position()
    for _ in range(BLOCKS_LOOKED_AT):
        found = _WORDS.search(block.text(), offset)
        if found:
            return block.position() + found.start(), found[0].strip()
        block, offset = block.next(), 0
    return position, ""


def _nearest(words: str, guess: int, start: int, end: int, document: QTextDocument) -> int:
    """Return the occurrence of these words closest to the guess, or the guess without one."""
    after = document.find(words, guess)
    before = document.find(words, guess, QTextDocument.FindFlag.FindBackward)
    hits = [hit.selectionStart() for hit in (after, before) if not hit.isNull()]
    hits = [hit for hit in hits if start <= hit <= end]
    return min(hits, key=lambda hit: abs(hit - guess), default=guess)


def _extent(number: int, turns: list[PageTurn], document: QTextDocument) -> tuple[int, int]:
    following = turns[number + 1].start if number + 1 < len(turns) else None
    begin = turns[number].start
    end = following.position if following is not None else document.characterCount() - 1
    return begin.position if begin is not None else 0, end
