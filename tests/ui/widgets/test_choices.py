from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QStyle, QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot

from app.quantization.choice import QuantizationSettings
from app.ui.look.theme import PERCENTS, Theme
from app.ui.widgets import ChoiceBox, FieldRow
from app.ui.widgets.choices import SegmentedChoice, add_entry, refuse_entry

ENTRIES = {
    None: "as it is",
    4: "four",
    "word": "a word",
    QuantizationSettings(3): "three",
    QuantizationSettings(recipe="mixed_2_6"): "mixed",
}


@pytest.fixture
def box(qtbot: QtBot) -> Iterator[ChoiceBox]:
    made, around = ChoiceBox("box", "Box", "", ENTRIES), QWidget()
    made.setParent(around)
    qtbot.addWidget(around)
    made.currentIndexChanged.connect(pytest.fail)
    yield made


def test_refused_entry_stays_in_the_list_with_the_reason_and_is_skipped_by_keys(qtbot: QtBot) -> None:
    box, around = ChoiceBox("box", "Box", "", {None: "None"}), QWidget()
    box.setParent(around)
    qtbot.addWidget(around)
    add_entry(box, "refused", Path("refused"), "too large", False)
    add_entry(box, "fits", Path("fits"), "", True)
    assert (box.itemData(1), box.itemData(1, Qt.ItemDataRole.ToolTipRole)) == (Path("refused"), "too large")
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == Path("fits")
    refuse_entry(box, 1, "")
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert box.currentData() == Path("refused")


def test_choice_box_show_value_selects_its_entry_without_a_signal(box: ChoiceBox) -> None:
    for value, words in reversed(ENTRIES.items()):
        box.show_value(value)
        assert (box.currentText(), box.currentData()) == (words, value)
    box.show_value("word")
    box.show_value("unknown")
    assert box.currentText() == "as it is", "the first one"


def test_choice_box_show_entries_keeps_the_chosen_value_without_a_signal(box: ChoiceBox) -> None:
    box.show_value(4)
    box.show_entries({3: "three", 2: "two", 4: "four as well"})
    assert (box.count(), box.currentIndex(), box.currentText()) == (3, 2, "four as well")
    box.show_entries({3: "three", 2: "two"})
    assert box.currentText() == "three"


def test_choice_box_without_focus_ignores_the_wheel(box: ChoiceBox) -> None:
    still = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(QPointF(2, 2), QPointF(2, 2), QPoint(), QPoint(0, -120), *still, False)
    QApplication.sendEvent(box, wheel)
    assert box.currentIndex() == 0 and not wheel.isAccepted(), "the page around it scrolls instead"
    assert box.focusPolicy() is Qt.FocusPolicy.StrongFocus, "the wheel doesn't move the focus"


def test_choice_box_in_a_field_row_has_one_label(qtbot: QtBot, theme: Theme) -> None:
    box = ChoiceBox("box", "Box", "", {1: "one"})
    row = FieldRow(theme, "Box", "", box, below=True)
    qtbot.addWidget(row)
    seen = QAccessible.queryAccessibleInterface(box)
    assert seen is not None
    labels = [each.object() for each, _ in seen.relations()]
    assert [label.text() for label in labels if isinstance(label, QLabel)] == ["Box"]


@pytest.mark.parametrize("percent", PERCENTS)
def test_choice_box_shows_its_longest_entry_whole(qtbot: QtBot, theme: Theme, percent: int) -> None:
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


def test_segmented_choice_clicked_or_toggled_by_a_screen_reader_emits_and_shows_the_choice(qtbot: QtBot) -> None:
    made = SegmentedChoice("mode", "Mode", {"chat": "Chat", "raw": "Raw"}, {"raw": "One page"})
    qtbot.addWidget(made)
    buttons = {each.text(): each for each in made.findChildren(QAbstractButton)}
    assert (made.objectName(), made.accessibleName(), made.choice) == ("mode", "Mode", "chat")
    assert (buttons["Raw"].objectName(), buttons["Raw"].toolTip()) == ("mode_raw", "One page")
    with qtbot.waitSignal(made.chosen) as emitted:
        QTest.mouseClick(buttons["Raw"], Qt.MouseButton.LeftButton)
    assert emitted.args == ["raw"]
    assert (made.choice, made.accessibleDescription()) == ("raw", "Raw")
    with qtbot.assertNotEmitted(made.chosen):
        made.show_choice("chat")
    assert buttons["Chat"].isChecked()
    assert not buttons["Raw"].isChecked()
    with qtbot.waitSignal(made.chosen) as emitted:
        buttons["Raw"].toggle()
    assert (emitted.args, made.choice, made.accessibleDescription()) == (["raw"], "raw", "Raw")
    made.allow("raw", False)
    assert not buttons["Raw"].isEnabled()


def test_segmented_choice_narrow_buttons_share_one_line(qtbot: QtBot, theme: Theme) -> None:
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
