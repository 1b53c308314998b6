"""The two fields in which the keys of one action are pressed."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QWidget

from app.ui.commands.values import KeyRow
from app.ui.look import Theme, scaled
from app.ui.widgets import in_row, named, plain_label, push_button
from app.words import tr

FIELD_PX = (100, 150)
"""At least, and at most."""
FIRST, SECOND = tr("Shortcut"), tr("Second shortcut")


class KeysEditor(QWidget):
    """`pressed` with both keys, either of which may be empty; `reset` when the table's own are wanted again."""

    pressed = Signal(QKeySequence, QKeySequence)
    reset = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._fields = (_field("shortcut_first", FIRST), _field("shortcut_second", SECOND))
        tip = tr("The action has no shortcut any more")
        self._remove = push_button("shortcut_remove", tr("Remove"), tip, press=self._clear)
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

    @Slot()
    def _clear(self) -> None:
        self.pressed.emit(QKeySequence(), QKeySequence())


def _field(name: str, spoken: str) -> QKeySequenceEdit:
    field = named(QKeySequenceEdit(), name, spoken, tr("Press the keys; Tab goes on"))
    field.setMaximumSequenceLength(1)
    for line in field.findChildren(QLineEdit):
        named(line, f"{name}_line", spoken)
    return field
