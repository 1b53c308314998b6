"""Buttons that do what an action does tell its keys, whichever those are by now."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import shown

BUTTONS = {
    "sessions_button": "toggle_sessions",
    "inspector_button": "toggle_side",
    "code_button": "view_code",
    "runs_button": "show_runs",
    "stop": "stop",
    "cancel": "stop",
    "new_session": "new_session",
    "session_search": "search_sessions",
}
"""The object's name, and that of the action."""


class KeyTips:
    """Knows what each of them says without keys."""

    def __init__(self, parts: QWidget) -> None:
        found = {name: parts.findChild(QWidget, name) for name in BUTTONS}
        self._buttons = {name: widget for name, widget in found.items() if widget is not None}
        self._words = {name: widget.toolTip() for name, widget in self._buttons.items()}

    def show_keys(self, acts: Mapping[str, QAction]) -> None:
        """The first shortcut of each: the others are in the menu."""
        for name, widget in self._buttons.items():
            keys = shown(filter(None, (acts[BUTTONS[name]].shortcut().toString(),)))
            widget.setToolTip(f"{self._words[name]} ({keys})" if keys else self._words[name])
