"""Shortcuts of actions: defaults from the table, changed by the user."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from app.actions.fixed import FIXED, MACOS, OPENERS
from app.actions.table import ACTIONS, BY_NAME
from app.i18n import tr

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
        """Return the changed shortcuts for the settings file."""
        return tuple(self.changed.items())

    def of(self, name: str) -> Keys:
        """Return the action's shortcuts, without keys that the user gave to another action."""
        if name in self.changed:
            return self.changed[name]
        taken = {key for keys in self.changed.values() for key in keys}
        return tuple(key for key in BY_NAME[name].shortcuts if key not in taken)

    def differs(self, name: str) -> bool:
        """Return whether the user changed the action's keys."""
        return name in self.changed

    def user_of(self, key: str) -> str:
        """Return the name of the action with this shortcut; empty for none."""
        return next((action.name for action in ACTIONS if key in self.of(action.name)), "")

    def refusal(self, name: str, keys: Keys) -> str:
        """Return a sentence why the action can't have these keys; empty: it can."""
        return next(filter(None, (self._refusal_of(name, key) for key in keys)), "")

    def with_keys(self, name: str, keys: Keys) -> KeyMap:
        """Return a map in which the action has these keys."""
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
    """Return whether typing needs the key."""
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
    """Return the first key with its modifiers."""
    combination: QKeyCombination = sequence[0]  # type: ignore[index]
    return combination


def _valid(keys: Keys) -> Keys:
    sequences = [QKeySequence(key) for key in keys]
    unknown = Qt.Key.Key_unknown
    return tuple(portable(each) for each in sequences if not each.isEmpty() and first(each).key() != unknown)[:MOST]
