"""Buttons that do what an action does; one that switches shows what is switched."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton


def follow(button: QAbstractButton, action: QAction) -> None:
    """Pressing the button triggers the action; so does toggling it, which is what a screen reader does.

    Whoever switches the action by itself switches the action first, then the button.
    """
    button.toggled.connect(partial(_agree, action))


def _agree(action: QAction, on: bool) -> None:
    if action.isChecked() != on:
        action.trigger()


def press(button: QAbstractButton, action: QAction) -> None:
    """The button does what the action does, and can be pressed when that can be chosen."""
    button.clicked.connect(action.trigger)
    action.enabledChanged.connect(button.setEnabled)
    button.setEnabled(action.isEnabled())
