from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView


def cells(table: QAbstractItemView, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> list[list[Any]]:
    """Return the texts of a table, row by row."""
    model = table.model()
    columns = range(model.columnCount())
    return [[model.index(row, column).data(role) for column in columns] for row in range(model.rowCount())]
