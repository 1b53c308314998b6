"""Two texts as one: what only the first says is struck through, what only the second says is underlined."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication, QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.records.word_diff import Side, Stretch
from app.ui.look.palette import Colour
from app.ui.look.theme import Size, Theme
from app.ui.widgets.naming import named
from app.words import tr

GROUND_OPACITY = 0.12
MARKS = {Side.BOTH: ("", ""), Side.FIRST: ("[-", "-]"), Side.SECOND: ("{+", "+}")}
"""As in other programs that put a diff into plain text."""


class DiffView(QPlainTextEdit):
    """Read-only, to be selected and copied; `copy_all` copies it with marks."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tip = tr("Struck through: only in the first. Underlined: only in the second")
        named(self, name, tr("Difference of the texts"), tip, font=theme.font(Size.NORMAL))
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self._theme = theme
        self._stretches: tuple[Stretch, ...] = ()
        theme.changed.connect(self._write)

    def show_stretches(self, stretches: Sequence[Stretch]) -> None:
        self._stretches = tuple(stretches)
        self._write()

    def wait(self, words: str) -> None:
        """Something to read until there is a diff."""
        self._stretches = ()
        self.setPlainText(words)

    @Slot()
    def copy_all(self) -> None:
        """Plain text has neither lines nor colours."""
        marked = (f"{MARKS[each.side][0]}{each.text}{MARKS[each.side][1]}" for each in self._stretches)
        QGuiApplication.clipboard().setText("".join(marked))

    @Slot()
    def _write(self) -> None:
        if not self._stretches:
            return
        self.clear()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for each in self._stretches:
            cursor.insertText(each.text, self._look(each.side))
        cursor.endEditBlock()
        cursor.setPosition(0)
        self.setTextCursor(cursor)
        self.setAccessibleDescription(described(self._stretches))

    def _look(self, side: Side) -> QTextCharFormat:
        look = QTextCharFormat()
        if side is not Side.BOTH:
            role = Colour.ERROR if side is Side.FIRST else Colour.DRAFT_ACCEPTED
            look.setForeground(self._theme.colour(role))
            look.setBackground(self._theme.colour(role, GROUND_OPACITY))
            look.setFontStrikeOut(side is Side.FIRST)
            look.setFontUnderline(side is Side.SECOND)
        return look


def described(stretches: Sequence[Stretch]) -> str:
    """The diff in a sentence, for whoever can't see it."""
    count = {side: sum(len(each.text.split()) for each in stretches if each.side is side) for side in Side}
    if not count[Side.FIRST] and not count[Side.SECOND]:
        return tr("The two texts are the same.")
    return tr("{both} words in both, {first} only in the first, {second} only in the second.").format(
        both=f"{count[Side.BOTH]:,}", first=f"{count[Side.FIRST]:,}", second=f"{count[Side.SECOND]:,}"
    )
