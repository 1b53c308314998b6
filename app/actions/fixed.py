"""Keys that widgets handle themselves. The user can't change them, and no action can use them."""

import sys
from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication, QKeySequence

from app.actions.table import ACTIONS, plain
from app.i18n import tr

Key = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class Fixed:
    """Fixed keys of one part of the window."""

    where: str
    text: str
    keys: tuple[str, ...]
    standard: tuple[Key, ...] = ()
    """Qt's standard keys, which differ by system and aren't listed."""

    def has(self, key: str) -> bool:
        """Return whether the part uses this key."""
        there = self.standard if QGuiApplication.instance() is not None else ()  # without one Qt has no system's keys
        return key in self.keys or any(QKeySequence(key) in QKeySequence.keyBindings(each) for each in there)


IS_MAC = sys.platform == "darwin"
"""On macOS Enter renames, as in Finder."""
TEXT, PROMPT, PAGE = tr("Text fields"), tr("Prompt"), tr("Transcript")
SESSIONS, GRAPH, EXACT = tr("Sessions"), tr("Speed graph"), tr("Exact prompt")
INSPECTOR, TABLES, RUNS = tr("Inspector"), tr("Lists and tables"), tr("Runs")
ASK, WINDOWS = tr("Experiments"), tr("Sheets and other windows")

FIXED = (
    Fixed(TEXT, tr("Copy, cut, paste"), ("Ctrl+C", "Ctrl+X", "Ctrl+V"), (Key.Copy, Key.Cut, Key.Paste)),
    Fixed(TEXT, tr("Undo and redo typing"), ("Ctrl+Z", "Ctrl+Shift+Z"), (Key.Undo, Key.Redo)),
    Fixed(TEXT, tr("Select everything"), ("Ctrl+A",), (Key.SelectAll,)),
    Fixed(TEXT, tr("Move by large steps"), ("Ctrl+Left", "Ctrl+Right", "Ctrl+Home", "Ctrl+End")),
    Fixed(TEXT, tr("Delete by large steps"), ("Ctrl+Backspace", "Ctrl+Del")),
    Fixed(PROMPT, tr("Send"), ("Return", "Ctrl+Return")),
    Fixed(PROMPT, tr("New line"), ("Shift+Return",)),
    Fixed(PROMPT, tr("Cancel an edit"), ("Esc",)),
    Fixed(PAGE, tr("Go to the end"), ("End",)),
    Fixed(PAGE, tr("Next or previous token, in the view Tokens"), ("Left", "Right", "Up", "Down")),
    Fixed(PAGE, tr("First and last token of the line, in the view Tokens"), ("Home", "End")),
    Fixed(SESSIONS, tr("Open the session"), ("Ctrl+Down",) if IS_MAC else ("Return", "Ctrl+Down")),
    Fixed(SESSIONS, tr("Rename the session"), ("Return", "F2") if IS_MAC else ("F2",)),
    Fixed(SESSIONS, tr("Move a pinned session"), ("Alt+Up", "Alt+Down")),
    Fixed(SESSIONS, tr("Pin or unpin the session"), ("Ctrl+P",)),
    Fixed(SESSIONS, tr("Duplicate the session"), ("Ctrl+D",)),
    Fixed(SESSIONS, tr("Delete the session"), ("Del", "Ctrl+Backspace")),
    Fixed(SESSIONS, tr("Restore the deleted session"), ("Ctrl+Z",)),
    Fixed(SESSIONS, tr("Go from the search to its results"), ("Down",)),
    Fixed(SESSIONS, tr("Close the search, or cancel renaming"), ("Esc",)),
    Fixed(GRAPH, tr("Next or previous token"), ("Left", "Right")),
    Fixed(GRAPH, tr("Ten tokens forward or back"), ("PgUp", "PgDown")),
    Fixed(GRAPH, tr("First and last token"), ("Home", "End")),
    Fixed(GRAPH, tr("Show the token in the text"), ("Return",)),
    Fixed(GRAPH, tr("Clear the selected range"), ("Esc",)),
    Fixed(EXACT, tr("Next or previous token"), ("Left", "Right")),
    Fixed(INSPECTOR, tr("Continue from this token with another one"), ("Return",)),
    Fixed(INSPECTOR, tr("Next or previous cell of a plot"), ("Left", "Right", "Up", "Down")),
    Fixed(RUNS, tr("Filter the runs"), ("Ctrl+F",)),
    Fixed(RUNS, tr("Copy the selected rows"), ("Ctrl+C",)),
    Fixed(RUNS, tr("Remove the selected rows from the table"), ("Del", "Ctrl+Backspace")),
    Fixed(RUNS, tr("Restore the removed rows"), ("Ctrl+Z",)),
    Fixed(ASK, tr("Stop the experiment, or close the window"), ("Esc",)),
    Fixed(ASK, tr("Copy the selected cells of a table"), ("Ctrl+C",)),
    Fixed(ASK, tr("Compare two answers: left is better, equal, right is better"), ("Left", "=", "Down", "Right")),
    Fixed(TABLES, tr("Choose the item under the cursor"), ("Return",)),
    Fixed(TABLES, tr("Move in the list while typing a filter"), ("Up", "Down", "PgUp", "PgDown")),
    Fixed(WINDOWS, tr("Close a question, cancel a name, or close the window"), ("Esc",)),
)
"""The fixed keys. Esc is also in the table of actions: it stops a run first, and does these otherwise."""
OPENERS = tuple(
    Fixed(tr("Menu bar"), plain(menu), (opener,))
    for menu in dict.fromkeys(action.menu for action in ACTIONS)
    if (opener := QKeySequence.mnemonic(menu).toString())
)
"""The mnemonics of the menus; macOS doesn't have them."""
MACOS = frozenset(
    key
    for keys in (
        ("Ctrl+H", "Ctrl+Alt+H", "Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+`", "Ctrl+Space", "Ctrl+Alt+Space"),
        ("Ctrl+Alt+Esc", "Ctrl+Alt+D", "Ctrl+F5", "Ctrl+Alt+F5", "Ctrl+Shift+3", "Ctrl+Shift+4", "Ctrl+Shift+5"),
        ("Ctrl+Shift+Q", "Ctrl+Alt+Shift+Q", "Meta+Ctrl+Q", "Meta+Ctrl+Space", "Meta+Space", "Meta+Alt+Space"),
        ("Meta+Up", "Meta+Down", "Meta+Left", "Meta+Right", "F11"),
    )
    for key in keys
)
"""Shortcuts that macOS handles before any program: hiding, switching windows and programs, search, screenshots, logging
out. In Qt's notation: Ctrl is ⌘, Meta is Ctrl.
"""
