"""A field for a few lines of code that completes the keywords of its language."""

import re
from collections.abc import Iterable

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCompleter, QListView

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets import ProseField, named

BEGUN = re.compile(r"(?:\"|(?=%))([$%]?[A-Za-z]*)$")
"""A word after a quote, or one that begins with a percent sign."""
OF_THE_LIST = frozenset((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape))
"""Keys for the open list; it handles arrows itself."""
SHOWN = 8
ROOM_PX = 8
"""Width of the list's frame."""


class KeywordField(ProseField):
    """Enter and Tab insert the chosen word, Esc closes the list."""

    def __init__(self, theme: Theme, name: str, lines: int) -> None:
        super().__init__(theme, name, lines, font=theme.font(Size.SMALL, mono=True))
        self._words = QStringListModel(self)
        self._completer = QCompleter(self._words, self)
        self._completer.setWidget(self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setMaxVisibleItems(SHOWN)
        self._completer.activated.connect(self._take)
        self._list = self._completer.popup() or QListView()
        named(self._list, "keywords", tr("Keywords"), font=theme.font(Size.SMALL, mono=True))

    def offer(self, words: Iterable[str]) -> None:
        """Set the keywords of the current language."""
        self._words.setStringList(sorted(words, key=str.casefold))

    @property
    def _begun(self) -> str:
        """The beginning of the word before the cursor."""
        cursor = self.textCursor()
        found = BEGUN.search(cursor.block().text()[: cursor.positionInBlock()])
        return found[1] if found is not None else ""

    def _complete(self) -> None:
        begun = self._begun
        self._completer.setCompletionPrefix(begun)
        if not begun or not self._completer.completionCount() or self._completer.currentCompletion() == begun:
            self._list.hide()
            return
        self._list.setCurrentIndex(self._completer.completionModel().index(0, 0))
        place = self.cursorRect()
        place.setWidth(self._list.sizeHintForColumn(0) + self._list.verticalScrollBar().sizeHint().width() + ROOM_PX)
        self._completer.complete(place)

    def _take(self, word: str) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(self._begun))
        cursor.insertText(word)
        self.setTextCursor(cursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._list.isVisible() and event.key() in OF_THE_LIST:
            event.ignore()  # the list handles it next
            return
        super().keyPressEvent(event)
        if event.text():
            self._complete()
