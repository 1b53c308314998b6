"""Buttons with their names, and the row that those of a window stand in."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QToolButton

from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_row

Button = TypeVar("Button", bound=QAbstractButton)


def push_button(name: str, text: str, tip: str = "", spoken: str = "", kind: str = "") -> QPushButton:
    """One that Enter elsewhere doesn't press; unless it is `spoken`, its name is its words, without marks."""
    button = _button(QPushButton(text), name, tip, spoken, kind)
    button.setAutoDefault(False)
    return button


def tool_button(name: str, text: str, tip: str = "", spoken: str = "", kind: str = "") -> QToolButton:
    """A button among others of a strip or a head."""
    button = QToolButton()
    button.setText(text)
    return _button(button, name, tip, spoken, kind)


def button_row(*buttons: QPushButton) -> QHBoxLayout:
    """At the right end of its line."""
    return in_row(..., *buttons)


def _button(button: Button, name: str, tip: str, spoken: str, kind: str) -> Button:
    named(button, name, spoken or button.text().replace("&", "").strip("‹› …"), tip)
    if kind:
        button.setProperty("kind", kind)
    return button
