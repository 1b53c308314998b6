"""The section of the output format: its kind, and its text with an example."""

import re
from collections.abc import Iterable, Mapping

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView, QWidget

from app.engine.catalogue import SETTINGS
from app.engine.structured_output.grammar import KEYWORDS
from app.engine.types import ANIMAL, WRITTEN, FormatKind, OutputFormat
from app.i18n import tr
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets import ProseField, SmallPrint, in_column, named, push_button
from app.ui.widgets.choices import ChoiceBox, refuse_entry

WORD_START = re.compile(r"(?:\"|(?=%))([$%]?[A-Za-z]*)$")
"""A word after a quote, or one that begins with a percent sign."""
LIST_KEYS = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape))
"""Keys for the open list; it handles arrows itself."""
SHOWN = 8
FRAME_PX = 8
"""Width of the list's frame."""
LINES_SHOWN = 5
KINDS = {FormatKind.NONE: tr("Any text"), FormatKind.JSON: tr("Any JSON")} | {
    kind: SETTINGS[f"form_{kind.value}"].words for kind in FormatKind if kind in WRITTEN
}
EXAMPLES = {
    FormatKind.SCHEMA: ANIMAL.schema,
    FormatKind.CHOICES: tr("yes\nno\nI don't know"),
    FormatKind.REGEX: r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    FormatKind.GRAMMAR: 'start: sum "=" NUMBER\nsum: NUMBER ("+" NUMBER)+\nNUMBER: /[0-9]{1,4}/',
    FormatKind.NUMBERS: "1..10",
}


class KeywordField(ProseField):
    """Enter and Tab insert the chosen word, Esc closes the list."""

    def __init__(self, theme: Theme, name: str, lines: int) -> None:
        super().__init__(theme, name, lines, font=theme.font(Size.SMALL, mono=True))
        self._words = QStringListModel(self)
        self._completer = QCompleter(self._words, self)
        self._completer.setWidget(self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(SHOWN)
        self._completer.activated.connect(self._insert)
        self._list = self._completer.popup() or QListView()
        named(self._list, "keywords", tr("Keywords"), font=theme.font(Size.SMALL, mono=True))

    def show_keywords(self, words: Iterable[str]) -> None:
        """Set the keywords of the current language."""
        self._words.setStringList(sorted(words, key=str.casefold))

    @property
    def _word_start(self) -> str:
        """The beginning of the word before the cursor."""
        cursor = self.textCursor()
        found = WORD_START.search(cursor.block().text()[: cursor.positionInBlock()])
        return found[1] if found is not None else ""

    def _complete(self) -> None:
        start = self._word_start
        self._completer.setCompletionPrefix(start)
        if not start or not self._completer.completionCount() or self._completer.currentCompletion() == start:
            self._list.hide()
            return
        self._list.setCurrentIndex(self._completer.completionModel().index(0, 0))
        rect = self.cursorRect()
        rect.setWidth(self._list.sizeHintForColumn(0) + self._list.verticalScrollBar().sizeHint().width() + FRAME_PX)
        self._completer.complete(rect)

    def _insert(self, word: str) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(self._word_start))
        cursor.insertText(word)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._list.isVisible() and event.key() in LIST_KEYS:
            event.ignore()  # the list handles it next
            return
        super().keyPressEvent(event)
        if event.text():
            self._complete()


class OutputFormatPart(QWidget):
    """`edited` carries the new `OutputFormat`."""

    edited = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._format = OutputFormat()
        setting = SETTINGS["form_kind"]
        self._kind = ChoiceBox("form_kind", setting.words, setting.text, KINDS, narrow=True)
        self._editor = KeywordField(theme, "form_text", LINES_SHOWN)
        tip = tr("Insert the example into the field")
        self._example = push_button("form_example", tr("Use the example"), tip, kind="small", press=self._use_example)
        self._wrong, self._refused = (SmallPrint(theme, f"form_{name}", "warning") for name in ("wrong", "refused"))
        in_column(self._kind, self._editor, self._example, self._wrong, self._refused, on=self, gap=GRID_PX)
        self._kind.activated.connect(self._emit)
        self._editor.textChanged.connect(self._emit)
        self.show_value(OutputFormat())

    def show_value(self, output_format: OutputFormat) -> None:
        """Set the value without a signal."""
        self._format = output_format
        written = output_format.kind in WRITTEN
        self._kind.show_value(output_format.kind)
        if written:
            self._editor.show_text(output_format.text)
        self._editor.setPlaceholderText(EXAMPLES.get(output_format.kind, ""))
        self._editor.show_keywords(KEYWORDS.get(output_format.kind, ()))
        named(self._editor, "", KINDS[output_format.kind], SETTINGS["form_kind"].text)
        self._editor.setVisible(written)
        self._example.setVisible(written and not output_format.text)
        if not written:
            self._wrong.say("")

    def grey(self, refusals: Mapping[str, str]) -> None:
        """Gray out the kinds that this model refuses, with the reasons."""
        why = refusals.get("form", "")
        for position, kind in enumerate(KINDS):
            refuse_entry(self._kind, position, refusals.get(f"form_{kind.value}", ""))
        for part in (self._kind, self._editor, self._example):
            part.setEnabled(not why)
        self._kind.setToolTip("\n".join(filter(None, (SETTINGS["form_kind"].text, why))))
        self._refused.say((why or refusals.get(f"form_{self._format.kind.value}", "")) if self._format else "")

    def show_error(self, output_format: OutputFormat, why: str) -> None:
        """Show the error in a checked format, unless the format changed since."""
        if output_format == self._format:
            self._wrong.say(why)

    def _emit(self) -> None:
        kind = FormatKind(self._kind.currentData())
        same = kind is self._format.kind
        self.edited.emit(
            self._format.put(kind, self._editor.toPlainText() if same else getattr(self._format, kind, ""))
        )

    def _use_example(self) -> None:
        self._editor.setPlainText(EXAMPLES[self._format.kind])
        self._editor.setFocus()
