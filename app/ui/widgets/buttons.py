"""Buttons of windows of their own, and the row that they stand in."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton

from app.ui.look.theme import GAP_PX


def push_button(name: str, text: str, tip: str) -> QPushButton:
    """One that Enter elsewhere doesn't press; its name is its words, without marks."""
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(text.replace("&", "").strip("‹› …"))
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button


def button_row(*buttons: QPushButton) -> QHBoxLayout:
    """At the right end of its line."""
    row = QHBoxLayout()
    row.setSpacing(GAP_PX)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row
