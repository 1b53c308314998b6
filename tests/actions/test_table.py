from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu
from pytestqt.qtbot import QtBot

from app import actions
from app.actions import ACTIONS, BY_NAME, NEEDS, TIPS
from app.actions.keys import MOST, portable
from app.actions.table import USUAL, Action, MenuRole, on

ROLES = {"quit": MenuRole.QuitRole, "about": MenuRole.AboutRole, "settings": MenuRole.PreferencesRole}
"""What a Mac moves into its own menu."""


@pytest.mark.parametrize("table", [USUAL, on("darwin")], ids=["usual", "of a Mac"])
def test_table_names_texts_and_portable_shortcuts_are_unique(table: tuple[Action, ...]) -> None:
    keys = [key for action in table for key in action.shortcuts]
    for values in ([action.name for action in table], [action.text for action in table], keys):
        assert max(Counter(values).values()) == 1
    assert [key for key in keys if portable(QKeySequence(key)) != key] == []
    assert max(len(action.shortcuts) for action in table) <= MOST


def test_table_actions_have_text_menu_and_tooltip() -> None:
    assert all(action.text and action.menu for action in ACTIONS)
    assert TIPS.keys() == BY_NAME.keys()
    assert NEEDS.keys() <= BY_NAME.keys()
    for name, tip in TIPS.items():
        assert tip[0].isupper(), name
        assert tip.endswith("."), name
        assert ". " not in tip, name
    assert [reason for reason in NEEDS.values() if not reason[0].isupper() or reason.endswith(".")] == []


def test_table_mnemonics_are_unique() -> None:
    menus = list(dict.fromkeys(action.menu for action in ACTIONS))
    for texts in (menus, *([action.text for action in ACTIONS if action.menu == menu] for menu in menus)):
        letters = [text[text.index("&") + 1].casefold() for text in texts if "&" in text]
        assert len(letters) == len(set(letters)), texts
    assert all("&" in menu for menu in menus)


def test_table_roles_are_those_of_macos() -> None:
    assert {action.name: action.role for action in ACTIONS if action.role is not MenuRole.NoRole} == ROLES


def test_fill_menu_bar_has_every_action_with_its_intent(qtbot: QtBot) -> None:
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
    shown = [name for menu in window.menuBar().actions() for name in names(menu.menu())]
    assert sorted(shown) == sorted(f"action_{action.name}" for action in ACTIONS)
    assert [act.toolTip() for act in made.values()] == [TIPS[name] for name in made]
    made["new_session"].trigger()
    assert pressed == ["new_session"]


def names(menu: QObject | None) -> Iterator[str]:
    """Of all that stands in a menu, and in the menus within it."""
    assert isinstance(menu, QMenu)
    for action in menu.actions():
        if action.menu() is not None:
            yield from names(action.menu())
        elif not action.isSeparator():
            yield action.objectName()
