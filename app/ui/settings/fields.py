"""The controls of the settings' pages: made with their names, shown without telling anybody."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from app.ui.widgets.choice_box import ChoiceBox
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_row


def choice(name: str, spoken: str, tip: str, entries: Mapping[str, object]) -> ChoiceBox:
    """By what is read: what it stands for."""
    made = ChoiceBox(name, spoken, tip)
    for words, value in entries.items():
        made.addItem(words, value)
    made.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
    return made


def show_choice(box: ChoiceBox, value: object) -> None:
    """What no entry stands for becomes one."""
    with QSignalBlocker(box):
        place = box.findData(value)
        if place < 0:
            box.addItem(str(value), value)
            place = box.count() - 1
        box.setCurrentIndex(place)


def check_box(name: str, spoken: str, tip: str) -> QCheckBox:
    """Its name stands beside it."""
    made = named(QCheckBox(), name, spoken, tip)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return made


def show_check(box: QCheckBox, checked: bool) -> None:
    with QSignalBlocker(box):
        box.setChecked(checked)


def side_by_side(*parts: QWidget, at_end: bool = False) -> QWidget:
    """In one line, as wide as they are; `at_end` of a longer one."""
    holder = QWidget()
    holder.setObjectName(f"{parts[0].objectName()}_line")
    row = in_row(on=holder)
    if at_end:
        row.addStretch(1)
    for part in parts:
        row.addWidget(part)
    return holder
