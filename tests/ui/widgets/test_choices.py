"""A combo box with an accessible name, and a segmented control."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from app.quantization.choice import QuantizationSettings
from app.ui.look.theme import PERCENTS, Theme
from app.ui.widgets import ChoiceBox, FieldRow
from app.ui.widgets.choices import SegmentedChoice

ENTRIES = {
    None: "as it is",
    4: "four",
    "word": "a word",
    QuantizationSettings(3): "three",
    QuantizationSettings(recipe="mixed_2_6"): "mixed",
}


def test_each_entry_is_found_by_what_it_stands_for_and_nobody_is_told(qtbot: QtBot) -> None:
    box = ChoiceBox("box", "Box", "", ENTRIES)
    qtbot.addWidget(box)
    told: list[int] = []
    box.currentIndexChanged.connect(told.append)
    for value, words in reversed(ENTRIES.items()):
        box.show_value(value)
        assert (box.currentText(), box.currentData()) == (words, value)
    assert told == []


def test_what_no_entry_stands_for_is_the_first_one(qtbot: QtBot) -> None:
    box = ChoiceBox("box", "Box", "", {1: "one", 2: "two"})
    qtbot.addWidget(box)
    box.show_value(2)
    box.show_value(3)
    assert box.currentText() == "one"


def test_what_is_chosen_stays_so_among_other_entries_and_nobody_is_told(qtbot: QtBot) -> None:
    box = ChoiceBox("box", "Box", "", {1: "one", 2: "two"})
    qtbot.addWidget(box)
    box.show_value(2)
    told: list[int] = []
    box.currentIndexChanged.connect(told.append)
    box.show_entries({3: "three", 4: "four", 2: "two as well"})
    assert (box.count(), box.currentIndex(), box.currentText()) == (3, 2, "two as well")
    box.show_entries({3: "three", 4: "four"})
    assert box.currentText() == "three" and told == []


def test_it_is_named_once_in_a_row_too(qtbot: QtBot, theme: Theme) -> None:
    box = ChoiceBox("box", "Box", "", {1: "one"})
    row = FieldRow(theme, "Box", "", box, below=True)
    qtbot.addWidget(row)
    seen = QAccessible.queryAccessibleInterface(box)
    assert seen is not None
    labels = [each.object() for each, _ in seen.relations()]
    assert [label.text() for label in labels if isinstance(label, QLabel)] == ["Box"]


@pytest.mark.parametrize("percent", PERCENTS)
def test_the_longest_entry_is_seen_whole(qtbot: QtBot, theme: Theme, percent: int) -> None:
    theme.resize(percent)
    box = ChoiceBox("box", "Box", "", {100: "100 %", 200: "200 %"})
    qtbot.addWidget(box)
    box.show()
    box.adjustSize()
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    field = QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, box).width()
    assert box.fontMetrics().horizontalAdvance("200 %") <= room


def test_one_is_chosen_told_and_shown(qtbot: QtBot) -> None:
    made = SegmentedChoice("mode", "Mode", {"chat": "Chat", "raw": "Raw"}, {"raw": "One page"})
    qtbot.addWidget(made)
    buttons = {each.text(): each for each in made.findChildren(QAbstractButton)}
    assert (made.objectName(), made.accessibleName(), made.choice) == ("mode", "Mode", "chat")
    assert (buttons["Raw"].objectName(), buttons["Raw"].toolTip()) == ("mode_raw", "One page")
    with qtbot.waitSignal(made.chosen) as told:
        QTest.mouseClick(buttons["Raw"], Qt.MouseButton.LeftButton)
    assert told.args == ["raw"]
    assert (made.choice, made.accessibleDescription()) == ("raw", "Raw")
    with qtbot.assertNotEmitted(made.chosen):
        made.show_choice("chat")
    assert buttons["Chat"].isChecked()
    assert not buttons["Raw"].isChecked()
    made.allow("raw", False)
    assert not buttons["Raw"].isEnabled()


def test_a_screen_reader_s_toggle_is_a_press(qtbot: QtBot) -> None:
    made = SegmentedChoice("mode", "Mode", {"chat": "Chat", "raw": "Raw"}, {})
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.chosen) as told:
        made.findChildren(QAbstractButton)[1].toggle()
    assert told.args == ["raw"]
    assert (made.choice, made.accessibleDescription()) == ("raw", "Raw")


def test_many_narrow_words_share_one_line(qtbot: QtBot, theme: Theme) -> None:
    words = ("Layers", "Stretch", "Heads", "States", "Words")
    made = SegmentedChoice("kind", "Kind", {each: each for each in words}, {}, narrow=True)
    qtbot.addWidget(made)
    made.resize(264, made.sizeHint().height())
    made.show()
    buttons = made.findChildren(QAbstractButton)
    assert {each.y() for each in buttons} == {0}
    assert made.minimumSizeHint().width() <= 264, "the inspector's page at 100 %"
    for each in buttons:
        assert each.fontMetrics().horizontalAdvance(each.text()) <= each.width()
