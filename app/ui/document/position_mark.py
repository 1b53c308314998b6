"""A place on the page that text before it may still push along."""

from PySide6.QtGui import QTextCursor


class PositionMark:
    """Stays where it is when text is inserted right at it.

    Qt moves every cursor of a document at every insertion, so a mark that nothing can move any more is settled.
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
        """From now on nothing before it changes."""
        self._position = self.position
        self._cursor = None
