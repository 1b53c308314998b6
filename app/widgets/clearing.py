"""The button in a field that empties it, which Qt leaves without a name."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QToolButton

from app.words import tr


def make_clearable(field: QLineEdit) -> None:
    """Give the field such a button."""
    field.setClearButtonEnabled(True)
    for button in field.findChildren(QToolButton):
        button.setObjectName(f"{field.objectName()}_clear")
        button.setAccessibleName(tr("Clear: {field}").format(field=field.accessibleName()))
        button.setToolTip(tr("Clear"))
