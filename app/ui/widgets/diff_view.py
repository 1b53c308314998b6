"""The word diff of two texts: struck through is only in the first, underlined only in the second."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.records.comparison import DiffSegment, DiffSide
from app.ui.look import GRID_PX, Color, Size, Theme
from app.ui.widgets.labels import SmallPrint
from app.ui.widgets.naming import named
from app.ui.widgets.plain_text import PlainText, copy_text, keep_byte_order_mark
from app.ui.widgets.rows import in_column

COMPARING = tr("Comparing…")
GROUND_OPACITY = 0.12
ROLES = {DiffSide.FIRST: Color.ERROR, DiffSide.SECOND: Color.DRAFT_ACCEPTED}
MARKS = {DiffSide.BOTH: ("", ""), DiffSide.FIRST: ("[-", "-]"), DiffSide.SECOND: ("{+", "+}")}
"""The marks of `git diff --word-diff`."""


class MarkedText(PlainText):
    """A read-only pane with marked passages. The Tab key leaves it."""

    def __init__(self, theme: Theme, name: str, spoken: str, tip: str) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True)
        self._theme = theme
        named(self, name, spoken, tip, font=theme.font(Size.NORMAL))

    def write(self, pieces: Iterable[tuple[str, Color | None, bool]]) -> None:
        """Replace the text. Each piece has a color (None: plain text), and is struck through or else underlined."""
        self.clear()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for text, role, struck in pieces:
            cursor.insertText(keep_byte_order_mark(text), self._look(role, struck))
        cursor.endEditBlock()
        cursor.setPosition(0)
        self.setTextCursor(cursor)

    def _look(self, role: Color | None, struck: bool) -> QTextCharFormat:
        look = QTextCharFormat()
        if role is not None:
            look.setForeground(self._theme.color(role))
            look.setBackground(self._theme.color(role, GROUND_OPACITY))
            look.setFontStrikeOut(struck)
            look.setFontUnderline(not struck)
        return look


class DiffView(MarkedText):
    """A diff. `copy_all` copies it with marks."""

    def __init__(self, theme: Theme, name: str) -> None:
        tip = tr("Struck through: only in the first. Underlined: only in the second")
        super().__init__(theme, name, tr("Difference of the texts"), tip)
        self._stretches: tuple[DiffSegment, ...] = ()
        theme.changed.connect(self._write)

    def show_stretches(self, stretches: Sequence[DiffSegment]) -> None:
        self._stretches = tuple(stretches)
        self._write()

    def wait(self, words: str) -> None:
        """Show words until there is a diff."""
        self._stretches = ()
        self.setPlainText(words)

    def copy_all(self) -> None:
        marked = (f"{MARKS[each.side][0]}{each.text}{MARKS[each.side][1]}" for each in self._stretches)
        copy_text("".join(marked))

    def _write(self) -> None:
        if not self._stretches:
            return
        self.write((each.text, ROLES.get(each.side), each.side is DiffSide.FIRST) for each in self._stretches)
        self.setAccessibleDescription(described(self._stretches))


class DiffPane(QWidget):
    """A diff with a summary above. `pair_picked` asks for the diff of two texts."""

    pair_picked = Signal(str, str)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._pair: tuple[str, str] | None = None
        self._summary, self._diff = SmallPrint(theme, f"{name}_told"), DiffView(theme, name)
        in_column(self._summary, (self._diff, 1), on=self, gap=GRID_PX, margins=(0, GRID_PX, 0, 0))

    def compare(self, first: str, second: str) -> None:
        if (first, second) != self._pair:
            self.wait(COMPARING)
            self._pair = first, second
            self.pair_picked.emit(first, second)

    def wait(self, words: str = "") -> None:
        """Show words instead of a diff."""
        self._pair = None
        self._summary.say("")
        self._diff.wait(words)

    def show_diff(self, pair: tuple[str, str], stretches: Sequence[DiffSegment]) -> None:
        """Show the diff if it is that of the current pair."""
        if pair == self._pair:
            self._diff.show_stretches(stretches)
            self._summary.say(described(stretches))


def described(stretches: Sequence[DiffSegment]) -> str:
    """Return a summary of the diff."""
    count = {side: sum(len(each.text.split()) for each in stretches if each.side is side) for side in DiffSide}
    if not count[DiffSide.FIRST] and not count[DiffSide.SECOND]:
        return tr("The two texts are the same.")
    return tr("{both} words in both, {first} only in the first, {second} only in the second.").format(
        both=f"{count[DiffSide.BOTH]:,}", first=f"{count[DiffSide.FIRST]:,}", second=f"{count[DiffSide.SECOND]:,}"
    )
