"""The stop strings: a list with one per line, and below it how they are interpreted."""

from collections import Counter

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.engine.ranges import LONGEST_STRING, MOST_ITEMS, clamped_strings
from app.i18n import tr
from app.ui.controls.number_rows import row_for
from app.ui.look import GRID_PX, Theme
from app.ui.widgets import ProseField, SmallPrint, in_column
from app.ui.widgets.escapes import read_lines, unknown_escape, visible, written_lines

LINES_SHOWN = 3
LINES = tr("One per line. Escapes: \\n \\t \\r \\\\")


class StopStrings(QWidget):
    """The editor of stop strings. `edited` carries the strings."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        hint = tr("One per line; \\n is a newline")
        self._editor = ProseField(theme, "stop_strings", LINES_SHOWN, hint=hint)
        self._editor.textChanged.connect(self._tell)
        self._row = row_for(theme, "stop_strings", self._editor, LINES, below=True)
        self._read = SmallPrint(theme, "stop_strings_read")
        in_column(self._row, self._read, on=self, gap=GRID_PX)

    def show_strings(self, strings: tuple[str, ...]) -> None:
        """Set the strings without a signal; equal strings leave the typed text unchanged."""
        if _clamped(self._editor.toPlainText()) != strings:
            self._editor.show_text(written_lines(strings))
        self._explain(strings)

    def _explain(self, strings: tuple[str, ...]) -> None:
        self._row.refuse(complaint(self._editor.toPlainText()))
        blank = any(string != string.strip() for string in strings)
        self._read.say(tr("Stops at {strings}").format(strings=listed(strings)) if blank else "")

    def _tell(self) -> None:
        strings = _clamped(self._editor.toPlainText())
        self._explain(strings)
        self.edited.emit(strings)


def _clamped(text: str) -> tuple[str, ...]:
    """Return the strings, limited in number and length."""
    return clamped_strings(read_lines(text))


def complaint(text: str) -> str:
    """Return a warning about a typed list; empty for none."""
    if escape := unknown_escape(text):
        words = tr("“{escape}” is no escape sequence, so it is taken literally; a backslash is \\\\.")
        return words.format(escape=escape)
    if _clamped(text) != read_lines(text):
        words = tr("At most {most} stop strings of {longest} characters are allowed; others are ignored.")
        return words.format(longest=f"{LONGEST_STRING:,}", most=f"{MOST_ITEMS:,}")
    twice = [string for string, times in Counter(read_lines(text)).items() if times > 1]
    return tr("“{string}” is listed twice.").format(string=visible(twice[0])) if twice else ""


def listed(strings: tuple[str, ...]) -> str:
    """Format strings for a sentence, with visible whitespace."""
    return ", ".join(f"“{visible(string)}”" for string in strings) if strings else tr("none")
