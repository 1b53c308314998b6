"""Mac notation of keys on other systems, because Qt has it built in."""

import pytest

from app.actions import keys

SIGNS = {"Meta": "⌃", "Alt": "⌥", "Shift": "⇧", "Ctrl": "⌘"}
"""In the Mac's order; its Ctrl is Qt's Meta."""
NAMED = {"Return": "↩", "Enter": "⌤", "Esc": "⎋", "Backspace": "⌫", "Del": "⌦", "Tab": "⇥"}
NAMED |= {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "PgUp": "⇞", "PgDown": "⇟", "Home": "↖", "End": "↘"}


def mac(key: str) -> str:
    held = {sign: f"{name}+" in key for name, sign in SIGNS.items()}
    for name in SIGNS:
        key = key.replace(f"{name}+", "")
    return "".join(sign for sign, is_held in held.items() if is_held) + NAMED.get(key, key)


def write_as_a_mac(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(keys, "native", mac)
