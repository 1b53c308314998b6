"""Reads the cells of a table."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView


def cells(table: QTableView, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole) -> list[list[Any]]:
    model = table.model()
    columns = range(model.columnCount())
    return [[model.index(row, column).data(role) for column in columns] for row in range(model.rowCount())]
