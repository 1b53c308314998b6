"""A box of choices that has its name even where nothing is written beside it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QPaintEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter

from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import named

NO_ENTRIES: Mapping[Any, str] = MappingProxyType({})
SHORT_PX = 2


class ChoiceBox(QComboBox):
    """On Linux a screen reader takes the name of such a box from its label alone, so there is one that nobody sees.

    `entries` are words by what they stand for. One that is `narrow` doesn't ask for the room of its longest choice.
    """

    def __init__(
        self, name: str, spoken: str, tip: str, entries: Mapping[Any, str] = NO_ENTRIES, *, narrow: bool = False
    ) -> None:
        super().__init__()
        self._label = plain_label("", spoken, buddy=self)
        self._label.hide()
        named(self, name, spoken, tip)
        self.show_entries(entries)
        if narrow:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def show_entries(self, entries: Mapping[Any, str]) -> None:
        """There are others to choose from, telling nobody; what is chosen stays so where it is among them."""
        chosen = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for value, words in entries.items():
                self.addItem(words, value)
        ChoiceBox.show_value(self, chosen)  # one that makes an entry of any value makes none here

    def show_value(self, value: object) -> None:
        """Turn to what stands for it, else to the first entry, telling nobody. Qt itself would find no Python value."""
        values = [self.itemData(place) for place in range(self.count())]
        with QSignalBlocker(self):
            self.setCurrentIndex(values.index(value) if value in values else 0)

    def sizeHint(self) -> QSize:
        """In large text Qt's own falls short of the words by as much."""
        return super().sizeHint() + QSize(SHORT_PX, 0)

    def event(self, event: QEvent) -> bool:
        """Treat clicks on the label like clicks on the box."""
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
    item = QStandardItem(words)
    item.setData(value, Qt.ItemDataRole.UserRole)
    item.setToolTip(tip)
    item.setEnabled(allowed)
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    model.appendRow(item)


def refuse_entry(box: QComboBox, place: int, why: str) -> None:
    """Disable an entry with a reason; enable it with an empty one."""
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    model.item(place).setEnabled(not why)
    model.item(place).setToolTip(why)
