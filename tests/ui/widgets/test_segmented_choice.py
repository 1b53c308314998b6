"""A choice of words side by side."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.ui.widgets.segmented_choice import SegmentedChoice


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


@pytest.mark.parametrize(
    ("count", "across", "places"),
    [
        (3, 0, ["first", "middle", "last"]),
        (5, 3, ["first", "middle", "last", "first", "last"]),
        (4, 3, ["first", "middle", "last", "alone"]),
    ],
)
def test_no_row_has_an_open_end(qtbot: QtBot, count: int, across: int, places: list[str]) -> None:
    made = SegmentedChoice("pages", "Pages", {str(at): str(at) for at in range(count)}, {}, across)
    qtbot.addWidget(made)
    buttons = sorted(made.findChildren(QAbstractButton), key=lambda each: each.text())
    assert [each.property("segment") for each in buttons] == places


def test_a_screen_reader_s_toggle_is_a_press(qtbot: QtBot) -> None:
    made = SegmentedChoice("mode", "Mode", {"chat": "Chat", "raw": "Raw"}, {})
    qtbot.addWidget(made)
    with qtbot.waitSignal(made.chosen) as told:
        made.findChildren(QAbstractButton)[1].toggle()
    assert told.args == ["raw"]
    assert (made.choice, made.accessibleDescription()) == ("raw", "Raw")


def test_a_row_that_is_not_full_has_an_end_too(qtbot: QtBot) -> None:
    made = SegmentedChoice("kind", "Kind", dict.fromkeys("abcde", "word"), {}, 3)
    qtbot.addWidget(made)
    places = [each.property("segment") for each in made.findChildren(QAbstractButton)]
    assert places == ["first", "middle", "last", "first", "last"]
