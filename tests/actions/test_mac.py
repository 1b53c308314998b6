"""The table as a Mac has it, tried on any system: other keys where macOS has taken ours."""

import sys
from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence

from app.actions import FIXED, KeyMap
from app.actions.fixed import MACOS
from app.actions.keys import MOST, portable
from app.actions.table import MAC_KEYS, USUAL, on

MAC = {action.name: action for action in on("darwin")}
KEYS = [key for action in MAC.values() for key in action.shortcuts]
WORDS = {"Alt+Left", "Alt+Right"}
"""From word to word, wherever text is typed."""


def test_no_key_is_one_that_the_system_takes() -> None:
    assert set(KEYS) & (MACOS | WORDS) == set()
    assert {key for each in FIXED for key in each.keys} & MACOS == set()


def test_keys_are_given_once_and_written_as_qt_writes_them() -> None:
    assert max(Counter(KEYS).values()) == 1
    assert [key for key in (*KEYS, *MACOS) if portable(QKeySequence(key)) != key] == []
    assert max(len(action.shortcuts) for action in MAC.values()) <= MOST
    assert set(KEYS) & {key for each in FIXED for key in each.keys} == {"Esc", "Ctrl+F"}


def test_what_differs_is_what_the_tables_say() -> None:
    usual = {action.name: action for action in USUAL}
    assert MAC.keys() == usual.keys() and on("linux") == USUAL
    assert {name for name in MAC if MAC[name].shortcuts != usual[name].shortcuts} == MAC_KEYS.keys()
    assert {name: each.menu for name, each in MAC.items()} == {name: each.menu for name, each in usual.items()}
    assert (MAC["previous_branch"].shortcuts, MAC["next_branch"].shortcuts) == (("Ctrl+[",), ("Ctrl+]",))
    assert (MAC["help"].shortcuts, MAC["full_screen"].shortcuts) == (("Ctrl+?",), ("Meta+Ctrl+F",))


def test_the_windows_have_a_menu_before_the_help() -> None:
    menus = list(dict.fromkeys(action.menu for action in MAC.values()))
    assert [menu.replace("&", "") for menu in menus] == ["File", "Edit", "Run", "Experiments", "View", "Window", "Help"]
    letters = [menu[menu.index("&") + 1].casefold() for menu in menus]
    assert len(set(letters)) == len(letters)


def test_a_key_of_the_system_s_is_refused_on_a_mac_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert KeyMap().refusal("replay", ("Ctrl+H",)) == ""
    monkeypatch.setattr(sys, "platform", "darwin")
    assert KeyMap().refusal("replay", ("Ctrl+H",)).endswith(" is macOS's own: take another key.")
