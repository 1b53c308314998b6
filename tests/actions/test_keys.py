import re
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from app.actions import ACTIONS, FIXED, KeyMap, shown
from app.actions.keys import (
    ASK,
    EXACT,
    GRAPH,
    INSPECTOR,
    MACOS,
    NO_TYPING,
    PAGE,
    PROMPT,
    RUNS,
    SESSIONS,
    TABLES,
    WINDOWS,
    is_for_typing,
    portable,
)
from app.actions.table import MAC_KEYS, USUAL, on
from app.ui.commands.menus import EDITS
from tests.conftest import PROJECT
from tests.mac_keys import write_as_a_mac


def test_shown_on_a_mac_uses_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    write_as_a_mac(monkeypatch)
    assert shown(("Ctrl+N", "Ctrl+Shift+Return", "Meta+Ctrl+F")) == "⌘N or ⇧⌘↩ or ⌃⌘F"
    assert KeyMap().refusal("regenerate", ("Ctrl+N",)).startswith("⌘N is the shortcut of “New Session”")
    assert KeyMap().refusal("regenerate", ("Ctrl+C",)).startswith("⌘C is “Copy, cut, paste”")


def test_key_map_unchanged_equals_the_table() -> None:
    keys = KeyMap()
    assert {action.name: keys.of(action.name) for action in ACTIONS} == {a.name: a.shortcuts for a in ACTIONS}
    assert keys.to_settings() == ()


def test_key_map_stores_only_differences() -> None:
    keys = KeyMap().with_keys("new_session", ("Ctrl+Alt+J",)).with_keys("regenerate", ())
    assert keys.to_settings() == (("new_session", ("Ctrl+Alt+J",)), ("regenerate", ()))
    assert KeyMap.from_settings(keys.to_settings()) == keys
    assert keys.differs("regenerate")
    back = keys.with_keys("new_session", ("Ctrl+N",)).with_keys("regenerate", ("Ctrl+R",))
    assert back == KeyMap()


def test_key_map_from_settings_drops_unknown_names_and_keys() -> None:
    kept = (("fly", ("Ctrl+Y",)), ("replay", ("Ctrl+Y", "", "Hokuspokus")))
    assert KeyMap.from_settings(kept).to_settings() == (("replay", ("Ctrl+Y",)),)


def test_key_map_default_given_to_another_action_is_removed() -> None:
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
def test_refusal_names_the_user_of_a_key(name: str, key: str, sentence: str) -> None:
    assert KeyMap().refusal(name, (key,)) == sentence.format(key=shown((key,)))


def test_refusal_includes_edit_menu_and_mnemonics(qapp: QApplication) -> None:
    """Two that ask for one key both get nothing."""
    edits = [key.toString() for each in EDITS for key in QKeySequence.keyBindings(each)]
    letters = [QKeySequence.mnemonic(action.menu).toString() for action in ACTIONS]
    taken = {*edits, *filter(None, letters)}
    assert "Ctrl+A" in taken
    assert [key for key in sorted(taken) if not KeyMap().refusal("replay", (key,))] == []


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac's menus have no letters")
def test_refusal_of_a_mnemonic_names_its_menu() -> None:
    told = "{key} is “File” (Menu bar), which can't be changed."
    assert KeyMap().refusal("replay", ("Alt+F",)) == told.format(key=shown(("Alt+F",)))


def test_key_map_removed_key_is_free_for_others() -> None:
    keys = KeyMap().with_keys("regenerate", ())
    assert keys.refusal("replay", ("Ctrl+R",)) == ""
    keys = keys.with_keys("replay", ("Ctrl+R",))
    assert "“Rerun and Compare…”" in keys.refusal("regenerate", ("Ctrl+R",))


def test_key_map_accepts_esc_for_stop_again() -> None:
    keys = KeyMap().with_keys("stop", ("Ctrl+.",))
    assert keys.refusal("stop", ("Esc", "Ctrl+.")) == ""


def test_portable_normalizes_keys() -> None:
    assert portable(QKeySequence("Ctrl+Num+Enter")) == "Ctrl+Return"
    assert portable(QKeySequence("Ctrl+Shift+N, Ctrl+P")) == "Ctrl+Shift+N"
    assert portable(QKeySequence()) == ""
    assert not is_for_typing("F11")
    assert is_for_typing("Space")


MAC = {action.name: action for action in on("darwin")}
KEYS = {key for action in MAC.values() for key in action.shortcuts}
WORDS = {"Alt+Left", "Alt+Right"}
"""From word to word, wherever text is typed."""


def test_mac_shortcuts_are_free_of_system_and_fixed_keys() -> None:
    fixed = {key for each in FIXED for key in each.keys}
    assert (KEYS & (MACOS | WORDS), fixed & MACOS, KEYS & fixed) == (set(), set(), {"Esc", "Ctrl+F"})
    assert [key for key in MACOS if portable(QKeySequence(key)) != key] == []


def test_mac_table_differs_as_declared() -> None:
    usual = {action.name: action for action in USUAL}
    assert MAC.keys() == usual.keys() and on("linux") == USUAL
    assert {name for name in MAC if MAC[name].shortcuts != usual[name].shortcuts} == MAC_KEYS.keys()
    assert {name: each.menu for name, each in MAC.items()} == {name: each.menu for name, each in usual.items()}
    assert (MAC["previous_branch"].shortcuts, MAC["next_branch"].shortcuts) == (("Ctrl+[",), ("Ctrl+]",))
    assert (MAC["help"].shortcuts, MAC["full_screen"].shortcuts) == (("Ctrl+?",), ("Meta+Ctrl+F",))


def test_menus_are_in_the_systems_order() -> None:
    menus = list(dict.fromkeys(action.menu for action in MAC.values()))
    assert [menu.replace("&", "") for menu in menus] == ["File", "Edit", "Run", "Experiments", "View", "Window", "Help"]


def test_refusal_of_system_keys_is_for_a_mac_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert KeyMap().refusal("replay", ("Ctrl+H",)) == ""
    monkeypatch.setattr(sys, "platform", "darwin")
    assert KeyMap().refusal("replay", ("Ctrl+H",)).endswith(" is a shortcut of macOS. Use another key.")


PLACES = {
    PROMPT: ("app/ui/prompt/field.py", "app/ui/prompt/editor.py"),
    PAGE: ("app/ui/conversation/transcript.py", "app/ui/tokens/text.py"),
    SESSIONS: ("app/ui/sessions/list_view.py", "app/ui/sessions/column.py"),
    GRAPH: ("app/ui/instruments/speed_graph.py",),
    EXACT: ("app/ui/tokens/chips.py",),
    INSPECTOR: (
        "app/ui/inspector/alternatives_table.py",
        "app/ui/interpretability/grid.py",
        "app/ui/interpretability/picture.py",
    ),
    RUNS: ("app/ui/runs/table.py", "app/ui/runs/window.py", "app/ui/comparison/aligned_tokens.py"),
    ASK: (
        "app/ui/widgets/word_table.py",
        "app/ui/study_window.py",
        "app/ui/evaluation/results_page.py",
    ),
    TABLES: (
        "app/ui/picker/models_table.py",
        "app/ui/conversation/branches_dialog.py",
        "app/ui/commands/palette.py",
    ),
    WINDOWS: (
        "app/ui/picker/dialog.py",
        "app/ui/picker/downloads.py",
        "app/ui/controls/preset_bar.py",
        "app/ui/widgets/find_bar.py",
        "app/ui/runs/draft_check.py",
    ),
}
"""Where the keys of each place are taken."""
STANDARD = {"Copy": "Ctrl+C", "Find": "Ctrl+F", "Undo": "Ctrl+Z"}
MODIFIERS = "(?:Ctrl|Shift|Alt|Meta)"


def keys_in(module: str) -> set[str]:
    """The keys that a module names, without what is held with them."""
    text = (PROJECT / module).read_text("utf-8")
    named = {portable(QKeySequence(Qt.Key[key])) for key in re.findall(r"\bKey\.(Key_\w+)", text)}
    named |= {"Esc"} if "def reject" in text else set()
    return named | {bare(STANDARD[name]) for name in re.findall(r"StandardKey\.(\w+)", text)}


def bare(key: str) -> str:
    return re.sub(rf"{MODIFIERS}\+", "", key)


@pytest.mark.parametrize("where", PLACES)
def test_fixed_keys_equal_those_in_the_code(where: str) -> None:
    taken = {key for module in PLACES[where] for key in keys_in(module)}
    listed = {bare(key) for each in FIXED if each.where == where for key in each.keys}
    if where == TABLES:
        taken -= {"Esc", "Tab", "Backtab"}  # the command palette keeps the focus
    assert listed == taken


def test_modules_with_keys_are_all_listed() -> None:
    known = {module for modules in PLACES.values() for module in modules}
    takes = re.compile(r"Qt\.Key\.|StandardKey\.|setShortcut|def reject")
    files = (PROJECT / "app/ui").rglob("*.py")
    takers = {path.relative_to(PROJECT).as_posix() for path in files if takes.search(path.read_text("utf-8"))}
    others = {
        "app/ui/commands/keys_sheet.py",
        "app/ui/guide/controller.py",
        "app/ui/commands/controller.py",
        "app/ui/commands/menus.py",
        "app/ui/controls/output_format_part.py",  # those of any list of words, and only while it is open
    }
    assert takers <= known | others
