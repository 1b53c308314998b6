"""Buttons that show what an action has switched, and switch it."""

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
