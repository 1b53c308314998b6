"""Two texts as one: what only the first says is struck through, what only the second says is underlined."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication

from app.records.word_diff import Side, Stretch
from app.ui.look import Colour, Theme
from app.ui.widgets.marked_text import MarkedText
from app.words import tr

ROLES = {Side.FIRST: Colour.ERROR, Side.SECOND: Colour.DRAFT_ACCEPTED}
MARKS = {Side.BOTH: ("", ""), Side.FIRST: ("[-", "-]"), Side.SECOND: ("{+", "+}")}
"""As in other programs that put a diff into plain text."""


class DiffView(MarkedText):
    """Read-only, to be selected and copied; `copy_all` copies it with marks."""

    def __init__(self, theme: Theme, name: str) -> None:
        tip = tr("Struck through: only in the first. Underlined: only in the second")
        super().__init__(theme, name, tr("Difference of the texts"), tip)
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
        self.write((each.text, ROLES.get(each.side), each.side is Side.FIRST) for each in self._stretches)
        self.setAccessibleDescription(described(self._stretches))


def described(stretches: Sequence[Stretch]) -> str:
    """The diff in a sentence, for whoever can't see it."""
    count = {side: sum(len(each.text.split()) for each in stretches if each.side is side) for side in Side}
    if not count[Side.FIRST] and not count[Side.SECOND]:
        return tr("The two texts are the same.")
    return tr("{both} words in both, {first} only in the first, {second} only in the second.").format(
        both=f"{count[Side.BOTH]:,}", first=f"{count[Side.FIRST]:,}", second=f"{count[Side.SECOND]:,}"
    )
