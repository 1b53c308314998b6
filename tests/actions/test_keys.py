"""The keys of an action: the table's, the user's, a Mac's, and never those of another action."""

import sys
from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from app.actions import ACTIONS, FIXED, KeyMap, shown
from app.actions.fixed import MACOS
from app.actions.keys import MOST, NO_TYPING, is_for_typing, portable
from app.actions.table import MAC_KEYS, USUAL, on
from app.ui.commands.edit_menu import EDITS
from tests.mac_keys import write_as_a_mac


def test_a_mac_s_keys_are_written_as_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    write_as_a_mac(monkeypatch)
    assert shown(("Ctrl+N", "Ctrl+Shift+Return", "Meta+Ctrl+F")) == "⌘N or ⇧⌘↩ or ⌃⌘F"
    assert KeyMap().refusal("regenerate", ("Ctrl+N",)).startswith("⌘N is the shortcut of “New Session”")
    assert KeyMap().refusal("regenerate", ("Ctrl+C",)).startswith("⌘C is “Copy, cut, paste”")


def test_nothing_changed_is_the_table() -> None:
    keys = KeyMap()
    assert {action.name: keys.of(action.name) for action in ACTIONS} == {a.name: a.shortcuts for a in ACTIONS}
    assert keys.to_settings() == ()


def test_only_what_differs_is_kept_and_read_again() -> None:
    keys = KeyMap().with_keys("new_session", ("Ctrl+Alt+J",)).with_keys("regenerate", ())
    assert keys.to_settings() == (("new_session", ("Ctrl+Alt+J",)), ("regenerate", ()))
    assert KeyMap.from_settings(keys.to_settings()) == keys
    assert keys.differs("regenerate")
    back = keys.with_keys("new_session", ("Ctrl+N",)).with_keys("regenerate", ("Ctrl+R",))
    assert back == KeyMap()


def test_what_is_no_action_or_no_key_any_more_is_left_out() -> None:
    kept = (("fly", ("Ctrl+Y",)), ("replay", ("Ctrl+Y", "", "Hokuspokus")))
    assert KeyMap.from_settings(kept).to_settings() == (("replay", ("Ctrl+Y",)),)


def test_what_the_user_gave_away_is_not_the_table_s_any_more() -> None:
    """A later version may give a new action the key that a user had given to an old one."""
    keys = KeyMap({"replay": ("Ctrl+R",)})
    assert keys.of("regenerate") == ()
    assert not keys.differs("regenerate")
    assert keys.user_of("Ctrl+R") == "replay"


@pytest.mark.parametrize(
    ("name", "key", "sentence"),
    [
        (
            "new_session",
            "Ctrl+O",
            "{key} is the shortcut of “Open Model…”. Use another key, or change that shortcut first.",
        ),
        ("new_session", "Ctrl+C", "{key} is “Copy, cut, paste” (Text fields), which can't be changed."),
        ("new_session", "Ctrl+P", "{key} is “Pin or unpin the session” (Sessions), which can't be changed."),
        ("new_session", "N", NO_TYPING),
        ("new_session", "Shift+N", NO_TYPING),
        ("new_session", "Return", NO_TYPING),
        ("new_session", "F5", ""),
        ("new_session", "Ctrl+N", ""),
        ("new_session", "Ctrl+Alt+Y", ""),
        ("stop", "Esc", ""),
        ("replay", "Esc", "{key} is the shortcut of “Stop”. Use another key, or change that shortcut first."),
    ],
)
def test_a_key_that_is_taken_is_refused_in_one_sentence(name: str, key: str, sentence: str) -> None:
    assert KeyMap().refusal(name, (key,)) == sentence.format(key=shown((key,)))


def test_a_key_that_the_edit_menu_or_a_menu_s_letter_has_is_refused(qapp: QApplication) -> None:
    """Two that ask for one key both get nothing."""
    edits = [key.toString() for each in EDITS for key in QKeySequence.keyBindings(each)]
    letters = [QKeySequence.mnemonic(action.menu).toString() for action in ACTIONS]
    taken = {*edits, *filter(None, letters)}
    assert "Ctrl+A" in taken
    assert [key for key in sorted(taken) if not KeyMap().refusal("replay", (key,))] == []


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac's menus have no letters")
def test_what_a_menu_s_letter_does_is_told() -> None:
    told = "{key} is “File” (Menu bar), which can't be changed."
    assert KeyMap().refusal("replay", ("Alt+F",)) == told.format(key=shown(("Alt+F",)))


def test_a_key_that_was_given_away_can_be_had_and_not_be_taken_back() -> None:
    keys = KeyMap().with_keys("regenerate", ())
    assert keys.refusal("replay", ("Ctrl+R",)) == ""
    keys = keys.with_keys("replay", ("Ctrl+R",))
    assert "“Rerun and Compare…”" in keys.refusal("regenerate", ("Ctrl+R",))


def test_esc_can_be_had_back() -> None:
    keys = KeyMap().with_keys("stop", ("Ctrl+.",))
    assert keys.refusal("stop", ("Esc", "Ctrl+.")) == ""


def test_keys_are_written_in_one_way() -> None:
    assert portable(QKeySequence("Ctrl+Num+Enter")) == "Ctrl+Return"
    assert portable(QKeySequence("Ctrl+Shift+N, Ctrl+P")) == "Ctrl+Shift+N"
    assert portable(QKeySequence()) == ""
    assert not is_for_typing("F11")
    assert is_for_typing("Space")


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
    assert KeyMap().refusal("replay", ("Ctrl+H",)).endswith(" is a shortcut of macOS. Use another key.")
