"""A combo box with an accessible name, and a segmented control."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.rows import WheelGuard, in_row

NO_ENTRIES: Mapping[Any, str] = MappingProxyType({})
SHORT_PX = 2
FLAGS_ROLE = Qt.ItemDataRole.UserRole - 1
"""The role of an entry's flags in Qt's model: 0 for an entry that can't be chosen, None for the usual flags."""


class ChoiceBox(QComboBox):
    """A combo box with an invisible label: on Linux, screen readers take the name only from a label.

    `entries` are texts by value. A `narrow` box doesn't reserve the width of its longest entry.
    """

    def __init__(
        self, name: str, spoken: str, tip: str, entries: Mapping[Any, str] = NO_ENTRIES, *, narrow: bool = False
    ) -> None:
        super().__init__()
        self._label = plain_label("", spoken, buddy=self)
        self._label.hide()
        named(self, name, spoken, tip)
        self.show_entries(entries)
        WheelGuard(self).watch(self)
        if narrow:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def show_entries(self, entries: Mapping[Any, str]) -> None:
        """Replace the entries without a signal; the current value stays selected if it is among them."""
        chosen = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for value, words in entries.items():
                self.addItem(words, value)
        ChoiceBox.show_value(self, chosen)  # not the override that adds an entry for unknown values

    def show_value(self, value: object) -> None:
        """Select the entry of a value, or else the first one, without a signal. Qt's `findData` can't find Python
        values.
        """
        values = [self.itemData(position) for position in range(self.count())]
        with QSignalBlocker(self):
            self.setCurrentIndex(values.index(value) if value in values else 0)

    def sizeHint(self) -> QSize:
        """Return Qt's size hint plus the width that it lacks at large text sizes."""
        return super().sizeHint() + QSize(SHORT_PX, 0)

    def event(self, event: QEvent) -> bool:
        """Keep the label in the same parent widget."""
        if event.type() == QEvent.Type.ParentChange:
            self._label.setParent(self.parentWidget())
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box with elided text, because Qt's own cuts through letters."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        words = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)
        option.currentText = words
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


def add_entry(box: QComboBox, words: str, value: object, tip: str, allowed: bool) -> None:
    """Add an entry; one that isn't allowed stays in the list but can't be chosen."""
    box.addItem(words, value)
    _set_entry(box, box.count() - 1, tip, allowed)


def refuse_entry(box: QComboBox, position: int, why: str) -> None:
    """Disable an entry with a reason; enable it with an empty one."""
    _set_entry(box, position, why, not why)


def _set_entry(box: QComboBox, position: int, tip: str, allowed: bool) -> None:
    box.setItemData(position, tip, Qt.ItemDataRole.ToolTipRole)
    box.setItemData(position, None if allowed else 0, FLAGS_ROLE)


class SegmentedChoice(QWidget):
    """A segmented control. `chosen` carries the key of the pressed button. Arrow keys move between the buttons."""

    chosen = Signal(str)

    def __init__(
        self, name: str, shown: str, words: Mapping[str, str], tips: Mapping[str, str], *, narrow: bool = False
    ) -> None:
        """`narrow`: the buttons share the available width, for many buttons."""
        super().__init__()
        named(self, name, shown)
        self._group = QButtonGroup(self)
        self._keys: list[str] = list(words)
        last = len(words) - 1
        for number, (key, word) in enumerate(words.items()):
            button = push_button(f"{name}_{key}", word, tips.get(key, ""), kind="narrow" if narrow else "")
            button.setCheckable(True)
            button.setProperty("segment", {0: "first", last: "last"}.get(number, "middle"))
            self._group.addButton(button, number)
        in_row(*((each, int(narrow)) for each in self._group.buttons()), on=self, gap=0)
        # Not `clicked`, since a screen reader only toggles.
        self._group.idToggled.connect(self._on_toggled)
        self.show_choice(self._keys[0])

    @property
    def choice(self) -> str:
        return self._keys[self._group.checkedId()]

    def show_choice(self, key: str) -> None:
        """Press this button without a signal."""
        button = self._group.button(self._keys.index(key))
        with QSignalBlocker(self._group):
            button.setChecked(True)
        self.setAccessibleDescription(button.text())

    def allow(self, key: str, allowed: bool) -> None:
        """Enable or disable a button."""
        self._group.button(self._keys.index(key)).setEnabled(allowed)

    def _on_toggled(self, number: int, pressed: bool) -> None:
        if pressed:
            self.setAccessibleDescription(self._group.button(number).text())
            self.chosen.emit(self._keys[number])
