"""The table of actions."""

from __future__ import annotations

from collections import Counter

from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from app import actions
from app.actions import ACTIONS


def test_names_and_shortcuts_are_given_once() -> None:
    assert max(Counter(action.name for action in ACTIONS).values()) == 1
    assert max(Counter(key for action in ACTIONS for key in action.shortcuts).values()) == 1


def test_the_menu_bar_has_every_action_and_pressing_one_reaches_its_intent(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    pressed: list[str] = []

    class Intent:
        def __init__(self, name: str) -> None:
            self.name = name

        def do(self) -> None:
            pressed.append(self.name)

    intents = [Intent(action.name) for action in ACTIONS]
    made = actions.create(window, {intent.name: intent.do for intent in intents})
    actions.fill(window.menuBar(), made)
    shown = [
        action.objectName()
        for menu in window.menuBar().actions()
        for action in menu.menu().actions()  # type: ignore[attr-defined]
        if not action.isSeparator()
    ]
    assert sorted(shown) == sorted(f"action_{action.name}" for action in ACTIONS)
    made["new_session"].trigger()
    assert pressed == ["new_session"]
