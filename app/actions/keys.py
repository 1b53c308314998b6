"""Shortcuts: defaults of the actions, changed by the user, and keys that widgets handle themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence

from app.actions.table import ACTIONS, BY_NAME, without_mnemonic
from app.i18n import tr

Key = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class FixedShortcut:
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
    FixedShortcut(TEXT, tr("Copy, cut, paste"), ("Ctrl+C", "Ctrl+X", "Ctrl+V"), (Key.Copy, Key.Cut, Key.Paste)),
    FixedShortcut(TEXT, tr("Undo and redo typing"), ("Ctrl+Z", "Ctrl+Shift+Z"), (Key.Undo, Key.Redo)),
    FixedShortcut(TEXT, tr("Select everything"), ("Ctrl+A",), (Key.SelectAll,)),
    FixedShortcut(TEXT, tr("Move by large steps"), ("Ctrl+Left", "Ctrl+Right", "Ctrl+Home", "Ctrl+End")),
    FixedShortcut(TEXT, tr("Delete by large steps"), ("Ctrl+Backspace", "Ctrl+Del")),
    FixedShortcut(PROMPT, tr("Send"), ("Return", "Ctrl+Return")),
    FixedShortcut(PROMPT, tr("New line"), ("Shift+Return",)),
    FixedShortcut(PROMPT, tr("Cancel an edit"), ("Esc",)),
    FixedShortcut(PAGE, tr("Go to the end"), ("End",)),
    FixedShortcut(PAGE, tr("Next or previous token, in the view Tokens"), ("Left", "Right", "Up", "Down")),
    FixedShortcut(PAGE, tr("First and last token of the line, in the view Tokens"), ("Home", "End")),
    FixedShortcut(SESSIONS, tr("Open the session"), ("Ctrl+Down",) if IS_MAC else ("Return", "Ctrl+Down")),
    FixedShortcut(SESSIONS, tr("Rename the session"), ("Return", "F2") if IS_MAC else ("F2",)),
    FixedShortcut(SESSIONS, tr("Move a pinned session"), ("Alt+Up", "Alt+Down")),
    FixedShortcut(SESSIONS, tr("Pin or unpin the session"), ("Ctrl+P",)),
    FixedShortcut(SESSIONS, tr("Duplicate the session"), ("Ctrl+D",)),
    FixedShortcut(SESSIONS, tr("Delete the session"), ("Del", "Ctrl+Backspace")),
    FixedShortcut(SESSIONS, tr("Restore the deleted session"), ("Ctrl+Z",)),
    FixedShortcut(SESSIONS, tr("Go from the search to its results"), ("Down",)),
    FixedShortcut(SESSIONS, tr("Close the search, or cancel renaming"), ("Esc",)),
    FixedShortcut(GRAPH, tr("Next or previous token"), ("Left", "Right")),
    FixedShortcut(GRAPH, tr("Ten tokens forward or back"), ("PgUp", "PgDown")),
    FixedShortcut(GRAPH, tr("First and last token"), ("Home", "End")),
    FixedShortcut(GRAPH, tr("Show the token in the text"), ("Return",)),
    FixedShortcut(GRAPH, tr("Clear the selected range"), ("Esc",)),
    FixedShortcut(EXACT, tr("Next or previous token"), ("Left", "Right")),
    FixedShortcut(INSPECTOR, tr("Continue from this token with another one"), ("Return",)),
    FixedShortcut(INSPECTOR, tr("Next or previous cell of a plot"), ("Left", "Right", "Up", "Down")),
    FixedShortcut(RUNS, tr("Filter the runs"), ("Ctrl+F",)),
    FixedShortcut(RUNS, tr("Copy the selected rows"), ("Ctrl+C",)),
    FixedShortcut(RUNS, tr("Remove the selected rows from the table"), ("Del", "Ctrl+Backspace")),
    FixedShortcut(RUNS, tr("Restore the removed rows"), ("Ctrl+Z",)),
    FixedShortcut(RUNS, tr("Next or previous token of a comparison"), ("Left", "Right", "Up", "Down")),
    FixedShortcut(ASK, tr("Stop the experiment, or close the window"), ("Esc",)),
    FixedShortcut(ASK, tr("Copy the selected cells of a table"), ("Ctrl+C",)),
    FixedShortcut(
        ASK, tr("Compare two answers: left is better, equal, right is better"), ("Left", "=", "Down", "Right")
    ),
    FixedShortcut(TABLES, tr("Choose the item under the cursor"), ("Return",)),
    FixedShortcut(TABLES, tr("Move in the list while typing a filter"), ("Up", "Down", "PgUp", "PgDown")),
    FixedShortcut(WINDOWS, tr("Close a question, cancel a name, or close the window"), ("Esc",)),
)
"""The fixed keys. Esc is also in the table of actions: it stops a run first, and does these otherwise."""
OPENERS = tuple(
    FixedShortcut(tr("Menu bar"), without_mnemonic(menu), (opener,))
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


Keys = tuple[str, ...]
"""Shortcuts as Qt's portable text: Ctrl+N is ⌘N on a Mac."""
StoredKeys = tuple[tuple[str, Keys], ...]

MOST = 2
"""The most shortcuts of one action."""
HELD = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
WITH_ENTER = "⌘⏎" if sys.platform == "darwin" else "Ctrl+Enter"
"""The Enter key as labeled on keyboards; Qt calls it Return."""
ALONE = (Qt.Key.Key_Escape, *(Qt.Key(number) for number in range(Qt.Key.Key_F1, Qt.Key.Key_F35 + 1)))
"""Keys that need no modifier."""
NO_TYPING = (
    tr("Typing needs this key. Hold ⌘, ⌥ or ⌃ with it, or use a function key.")
    if sys.platform == "darwin"
    else tr("Typing needs this key. Hold Ctrl, Alt or Meta with it, or use a function key.")
)


@dataclass(frozen=True, slots=True)
class KeyMap:
    """The shortcuts of all actions. `changed`: those that the user changed, by action."""

    changed: Mapping[str, Keys] = field(default_factory=dict)

    @classmethod
    def from_settings(cls, stored: StoredKeys) -> KeyMap:
        """Read the stored shortcuts; unknown actions and invalid keys are dropped."""
        return cls({name: _valid(keys) for name, keys in stored if name in BY_NAME})

    def to_settings(self) -> StoredKeys:
        return tuple(self.changed.items())

    def of(self, name: str) -> Keys:
        """Return the action's shortcuts, without keys that the user gave to another action."""
        if name in self.changed:
            return self.changed[name]
        taken = {key for keys in self.changed.values() for key in keys}
        return tuple(key for key in BY_NAME[name].shortcuts if key not in taken)

    def differs(self, name: str) -> bool:
        return name in self.changed

    def user_of(self, key: str) -> str:
        """Return the name of the action with this shortcut; empty for none."""
        return next((action.name for action in ACTIONS if key in self.of(action.name)), "")

    def refusal(self, name: str, keys: Keys) -> str:
        """Return a sentence why the action can't have these keys; empty: it can."""
        return next(filter(None, (self._refusal_of(name, key) for key in keys)), "")

    def with_keys(self, name: str, keys: Keys) -> KeyMap:
        others = {other: had for other, had in self.changed.items() if other != name}
        return KeyMap(others if keys == BY_NAME[name].shortcuts else {**others, name: keys})

    def _refusal_of(self, name: str, key: str) -> str:
        user = self.user_of(key)
        if user and user != name:
            taken = tr("{key} is the shortcut of “{action}”. Use another key, or change that shortcut first.")
            return taken.format(key=shown((key,)), action=BY_NAME[user].text)
        if user == name or key in BY_NAME[name].shortcuts:
            return ""
        if is_for_typing(key):
            return NO_TYPING
        if sys.platform == "darwin" and key in MACOS:
            return tr("{key} is a shortcut of macOS. Use another key.").format(key=shown((key,)))
        fixed = next((each for each in (*FIXED, *OPENERS) if each.has(key)), None)
        if fixed is None:
            return ""
        #: The key Ctrl+C is “Copy, cut, paste” (Text fields), which can't be changed.
        known = tr("{key} is “{what}” ({where}), which can't be changed.")
        return known.format(key=shown((key,)), what=fixed.text, where=fixed.where)


def portable(sequence: QKeySequence) -> str:
    """Return one key with its modifiers as portable text; Enter on the number pad counts as Enter."""
    if sequence.isEmpty():
        return ""
    pressed = first(sequence)
    key = Qt.Key.Key_Return if pressed.key() == Qt.Key.Key_Enter else pressed.key()
    held = pressed.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(QKeyCombination(held, key)).toString(QKeySequence.SequenceFormat.PortableText)


def is_for_typing(key: str) -> bool:
    pressed = first(QKeySequence(key))
    return not pressed.keyboardModifiers() & HELD and pressed.key() not in ALONE


def shown(keys: Iterable[str]) -> str:
    """Format keys in the system's notation."""
    written = [native(key) for key in keys]
    #: Two keys of the same action.
    return reduce(lambda one, other: tr("{one} or {other}").format(one=one, other=other), written) if written else ""


def native(key: str) -> str:
    """Format one key in the system's notation: ⌘N on a Mac."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def first(sequence: QKeySequence) -> QKeyCombination:
    combination: QKeyCombination = sequence[0]  # type: ignore[index]
    return combination


def _valid(keys: Keys) -> Keys:
    sequences = [QKeySequence(key) for key in keys]
    unknown = Qt.Key.Key_unknown
    return tuple(portable(each) for each in sequences if not each.isEmpty() and first(each).key() != unknown)[:MOST]
