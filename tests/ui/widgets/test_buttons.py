"""Buttons of windows of their own."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.ui.widgets.buttons import button_row, push_button


def test_a_button_is_named_by_its_words_alone(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    buttons = push_button("back", "‹ &Previous", "The step before"), push_button("save", "Export…", "Save it")
    window.setLayout(button_row(*buttons))
    assert [button.accessibleName() for button in buttons] == ["Previous", "Export"]
    assert not any(button.autoDefault() for button in buttons)
    assert [button.parentWidget() for button in buttons] == [window, window]
