"""The sheet's list of keys that can't be changed is true: every key that the widgets' code names is in it."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from app.actions import ACTIONS, FIXED
from app.actions.fixed import ASK, EXACT, GRAPH, INSPECTOR, PAGE, PROMPT, RUNS, SESSIONS, TABLES, WINDOWS
from app.actions.keys import portable

PROJECT = Path(__file__).parents[2]
PARTS = ("app/ui",)
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
    RUNS: ("app/ui/runs/table.py", "app/ui/runs/view.py"),
    ASK: (
        "app/ui/widgets/word_table.py",
        "app/ui/study_window.py",
        "app/ui/evaluation/blind_page.py",
    ),
    TABLES: (
        "app/ui/picker/models_table.py",
        "app/ui/conversation/branches_dialog.py",
        "app/ui/commands/palette.py",
    ),
    WINDOWS: (
        "app/ui/picker/dialog.py",
        "app/ui/picker/downloads.py",
        "app/ui/controls/name_line.py",
        "app/ui/guide/tour_card.py",
        "app/ui/widgets/find_bar.py",
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
def test_the_keys_of_a_place_are_those_that_its_code_takes(where: str) -> None:
    taken = {key for module in PLACES[where] for key in keys_in(module)}
    listed = {bare(key) for each in FIXED if each.where == where for key in each.keys}
    if where == TABLES:
        taken.discard("Esc")
    assert listed == taken


def test_no_module_takes_keys_that_are_not_listed() -> None:
    known = {module for modules in PLACES.values() for module in modules}
    takes = re.compile(r"Qt\.Key\.|StandardKey\.|setShortcut|def reject")
    files = [path for part in PARTS for path in (PROJECT / part).rglob("*.py")]
    takers = {path.relative_to(PROJECT).as_posix() for path in files if takes.search(path.read_text("utf-8"))}
    others = {
        "app/ui/commands/keys_sheet.py",
        "app/ui/guide/whats_this.py",
        "app/ui/guide/controller.py",
        "app/ui/guide/controller_tour.py",
        "app/ui/commands/controller.py",
        "app/ui/commands/edit_menu.py",
        "app/ui/controls/keyword_field.py",  # those of any list of words, and only while it is open
    }
    assert takers <= known | others


def test_keys_are_written_as_qt_writes_them() -> None:
    assert [key for each in FIXED for key in each.keys if portable(QKeySequence(key)) != key] == []


def test_an_action_shares_only_two_keys_with_a_place() -> None:
    """While nothing can be stopped, Esc is not the action's; in the window of runs their filter is what finds."""
    own = {key for action in ACTIONS for key in action.shortcuts}
    assert own & {key for each in FIXED for key in each.keys} == {"Esc", "Ctrl+F"}
