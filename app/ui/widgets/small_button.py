"""A small button beside other things, dressed and named."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton


def small_button(name: str, text: str, tip: str) -> QPushButton:
    """It is never the one that Enter presses."""
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(text.rstrip("…"))
    button.setToolTip(tip)
    button.setProperty("kind", "small")
    button.setAutoDefault(False)
    return button
