"""A choice of words side by side."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.ui.look.theme import Theme
from app.ui.widgets.choices import SegmentedChoice


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
