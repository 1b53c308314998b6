"""A small button beside other things, dressed and named."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from app.ui.widgets.buttons import push_button


def small_button(name: str, text: str, tip: str) -> QPushButton:
    """It is never the one that Enter presses."""
    return push_button(name, text, tip, kind="small")
