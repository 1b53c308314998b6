"""The sheet of all keys: those of the actions can be changed, those that parts of the window use are told."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QDialog, QKeySequenceEdit, QLineEdit, QWidget

from app.i18n import tr
from app.ui.commands.keys_tree import KeysTree
from app.ui.commands.values import KeyRow
from app.ui.look import MARGIN_PX, Theme, scaled
from app.ui.widgets import SmallPrint, in_column, in_row, named, plain_label, push_button
from app.ui.widgets.search_field import SearchField

FIELD_PX = (100, 150)
"""At least, and at most."""
FIRST, SECOND = tr("Shortcut"), tr("Second shortcut")
LARGEST_PX = (760, 760)
SHARE = 0.9
"""Of the window that it belongs to."""
NOT_CHANGEABLE = tr("This key belongs to a part of the window and can't be changed.")
NOTHING = tr("Nothing has these words or this key.")


class KeysEditor(QWidget):
    """`pressed` with both keys, either of which may be empty; `reset` when the table's own are wanted again."""

    pressed = Signal(QKeySequence, QKeySequence)
    reset = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._fields = (_field("shortcut_first", FIRST), _field("shortcut_second", SECOND))
        tip = tr("The action has no shortcut any more")
        self._remove = push_button(
            "shortcut_remove", tr("Remove"), tip, press=lambda: self.pressed.emit(QKeySequence(), QKeySequence())
        )
        tip = tr("The shortcut that it came with")
        self._reset = push_button("shortcut_reset", tr("Reset"), tip, press=self.reset)
        first, second = self._fields
        row = in_row(plain_label("", FIRST), (first, 1), plain_label("", tr("or")), (second, 1), on=self)
        for button in (self._remove, self._reset):
            row.addWidget(button)
        row.addStretch()
        for field in self._fields:
            scaled(theme, field, QWidget.setMinimumWidth, FIELD_PX[0])
            scaled(theme, field, QWidget.setMaximumWidth, FIELD_PX[1])
            field.editingFinished.connect(self._tell)

    def show_row(self, row: KeyRow | None) -> None:
        """The keys as they stand; nothing can be pressed where there is nothing to be changed."""
        keys = row.keys if row is not None and row.name else ()
        for number, field in enumerate(self._fields):
            field.setKeySequence(QKeySequence(keys[number]) if number < len(keys) else QKeySequence())
        self.setEnabled(row is not None and bool(row.name))
        self._remove.setEnabled(bool(keys))
        self._reset.setEnabled(row is not None and row.changed)

    @Slot()
    def _tell(self) -> None:
        first, second = (field.keySequence() for field in self._fields)
        self.pressed.emit(first, second)


def _field(name: str, spoken: str) -> QKeySequenceEdit:
    field = named(QKeySequenceEdit(), name, spoken, tr("Press the keys; Tab goes on"))
    field.setMaximumSequenceLength(1)
    for line in field.findChildren(QLineEdit):
        named(line, f"{name}_line", spoken)
    return field


class KeysSheet(QDialog):
    """`keys_wanted` for an action, `reset_wanted` of one, `reset_all_wanted`; what can't be is told with `refuse`."""

    keys_wanted = Signal(str, QKeySequence, QKeySequence)
    reset_wanted = Signal(str)
    reset_all_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, "shortcuts_sheet", tr("Keyboard shortcuts"))
        self.setWindowTitle(tr("Keyboard Shortcuts"))
        self._theme = theme
        self._behind = parent
        tip = tr("Some letters of an action, or a key")
        self._search = SearchField("shortcuts_search", tr("Search the shortcuts"), tr("Search actions and keys"), tip)
        self.tree = KeysTree(theme)
        self._words = SmallPrint(theme, "shortcut_words")
        self._editor = KeysEditor(theme)
        tip = tr("Every action has the shortcut that it came with")
        self._all = push_button("shortcuts_reset_all", tr("Reset All"), tip, press=self.reset_all_wanted)
        below = in_row(self._all, ..., push_button("shortcuts_close", tr("Close"), tr("Close (Esc)"), press=self.close))
        in_column(self._search, (self.tree, 1), self._words, self._editor, below, on=self, margins=MARGIN_PX)
        self._listen()

    def show_rows(self, rows: Sequence[KeyRow]) -> None:
        """All keys, as they stand now."""
        self.tree.show_rows(rows)
        self._all.setEnabled(any(row.changed for row in rows))

    def refuse(self, words: str) -> None:
        """Why the keys that were pressed can't be had; what stood there before stands there again."""
        self._editor.show_row(self.tree.current)
        self._words.say(words, "error")

    def open_fitted(self) -> None:
        """Come up, fitted to the window behind it."""
        behind = (self._behind.width(), self._behind.height())
        most = map(self._theme.scaled, LARGEST_PX)
        self.resize(*(min(side, int(SHARE * room)) for side, room in zip(most, behind, strict=True)))
        self.open()

    def _listen(self) -> None:
        self._search.textChanged.connect(self.tree.seek)
        self.tree.turned.connect(self._turn)
        self._editor.pressed.connect(self._ask)
        self._editor.reset.connect(self._ask_reset)

    @Slot()
    def _turn(self) -> None:
        row = self.tree.current
        self._words.say(NOTHING if row is None else row.tip or NOT_CHANGEABLE, "muted")
        self._editor.show_row(row)

    @Slot(QKeySequence, QKeySequence)
    def _ask(self, first: QKeySequence, second: QKeySequence) -> None:
        if (row := self.tree.current) is not None:
            self.keys_wanted.emit(row.name, first, second)

    @Slot()
    def _ask_reset(self) -> None:
        if (row := self.tree.current) is not None:
            self.reset_wanted.emit(row.name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._search.setFocus()
        self._search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down goes from the search to what it found; Enter there presses no button."""
        if event.key() == Qt.Key.Key_Down and self._search.hasFocus():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
