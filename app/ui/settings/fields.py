"""The controls of the settings' pages: made with their names, shown without telling anybody."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, SignalInstance, Slot
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from app.ui.widgets import ChoiceBox, held, in_row, named


class Choice(ChoiceBox):
    """`entries`, by what is read: what it stands for, which `wanted` tells when the user chose it."""

    def __init__(self, name: str, spoken: str, tip: str, entries: Mapping[str, object], wanted: SignalInstance) -> None:
        super().__init__(name, spoken, tip)
        for words, value in entries.items():
            self.addItem(words, value)
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self._wanted = wanted
        self.activated.connect(self._tell)

    def show_value(self, value: object) -> None:
        """What no entry stands for becomes one."""
        with QSignalBlocker(self):
            place = self.findData(value)
            if place < 0:
                self.addItem(str(value), value)
                place = self.count() - 1
            self.setCurrentIndex(place)

    @Slot()
    def _tell(self) -> None:
        self._wanted.emit(self.currentData())


def check_box(name: str, spoken: str, tip: str) -> QCheckBox:
    """Its name stands beside it."""
    made = named(QCheckBox(), name, spoken, tip)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return made


def side_by_side(*parts: QWidget, at_end: bool = False) -> QWidget:
    """In one line, as wide as they are; `at_end` of a longer one."""
    return named(held(in_row(*((...,) if at_end else ()), *parts)), f"{parts[0].objectName()}_line")
