"""A position on the page that moves with the text before it."""

from PySide6.QtGui import QTextCursor


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
