"""Restores the selection after text was appended or the open block was rendered again."""

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit

from app.ui.document.plain_writer import SOFT


class Selection:
    """The selection before a change of the page."""

    def __init__(self, cursor: QTextCursor) -> None:
        self._anchor = cursor.anchor()
        self._position = cursor.position()
        self._cuts = (_cuts_before(cursor, self._anchor), _cuts_before(cursor, self._position))
        # Marks move with insertions before them, but not with an insertion at their position.
        self._marks = (_mark(cursor, self._anchor), _mark(cursor, self._position))

    def moved(self, now: QTextCursor) -> bool:
        """Return whether the change moved the selection."""
        return (now.anchor(), now.position()) != self._places()

    def restored(self) -> QTextCursor:
        """Return the selection to restore."""
        anchor, position = self._places()
        cursor = QTextCursor(self._marks[0])
        cursor.setPosition(anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _places(self) -> tuple[int, int]:
        anchor, position = (mark.position() for mark in self._marks)
        if abs(position - anchor) >= abs(self._position - self._anchor):
            return anchor, position
        # The selected text was removed and written again without soft breaks, so it has its old position without them.
        last = self._marks[0].document().characterCount() - 1
        return min(self._anchor - self._cuts[0], last), min(self._position - self._cuts[1], last)


def selection_of(editor: QTextEdit) -> Selection | None:
    """Return the current selection, or None."""
    cursor = editor.textCursor()
    return Selection(cursor) if cursor.hasSelection() else None


def keep_selection(editor: QTextEdit, selection: Selection | None) -> None:
    """Restore the selection after a change of the page, without scrolling."""
    if selection is None or not selection.moved(editor.textCursor()):
        return
    bar = editor.verticalScrollBar()
    at = bar.value()
    editor.setTextCursor(selection.restored())
    bar.setValue(at)


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
