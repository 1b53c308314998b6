"""A field in which something is looked for: what it says, and the button that empties it, which Qt leaves nameless."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QToolButton

from app.ui.widgets.naming import named
from app.words import tr


def search_field(name: str, spoken: str, hint: str, tip: str) -> QLineEdit:
    field = QLineEdit()
    prepare_search(field, name, spoken, hint, tip)
    return field


def prepare_search(field: QLineEdit, name: str, spoken: str, hint: str, tip: str) -> None:
    """`spoken` is its name to a screen reader, `hint` stands in it while it is empty."""
    named(field, name, spoken, tip)
    field.setPlaceholderText(hint)
    field.setClearButtonEnabled(True)
    for button in field.findChildren(QToolButton):
        named(button, f"{name}_clear", tr("Clear: {field}").format(field=spoken), tr("Clear"))
