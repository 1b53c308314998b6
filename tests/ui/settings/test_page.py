"""What the pages of the settings are made of."""

from pytestqt.qtbot import QtBot

from app.ui.settings.page import Choice


def test_only_a_value_that_is_shown_becomes_an_entry(qtbot: QtBot) -> None:
    box = Choice("days", "Days", "So long", {7: "a week", 30: "a month"}, print)
    qtbot.addWidget(box)
    assert (box.count(), box.currentData()) == (2, 7)
    box.show_value(5)
    assert (box.count(), box.currentText()) == (3, "5")
