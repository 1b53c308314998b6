"""A field for a few lines of text; the Tab key leads out of it."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit

from app.ui.look import Theme, show_lines
from app.ui.widgets import named


def prose_field(theme: Theme, name: str, hint: str, lines: int, field: QPlainTextEdit | None = None) -> QPlainTextEdit:
    """`hint` stands in it while it is empty."""
    field = named(field or QPlainTextEdit(), name)
    field.setPlaceholderText(hint)
    field.setTabChangesFocus(True)
    show_lines(theme, field, lines)
    return field
