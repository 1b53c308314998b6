"""Rows of models for Qt's tables: one for each model, a column for each figure, sorted and filtered by Qt's proxy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QFont

from app.definitions import of_name
from app.ui.look.palette import Colour
from app.ui.look.theme import Size, Theme
from app.ui.picker.columns import Column
from app.ui.widgets.tooltips import as_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
KEY_ROLE = Role.UserRole
WORDS_ROLE = Role.UserRole + 1
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Rows(QAbstractTableModel):
    """`words` is what the filter sees of a row, `why_not` why it can't be chosen, `marked` whether it stands out."""

    def __init__(
        self,
        theme: Theme,
        columns: Sequence[Column],
        words: Callable[[Any], str],
        why_not: Callable[[Any], str] = lambda row: "",
        marked: Callable[[Any], bool] = lambda row: False,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._columns = tuple(columns)
        self._words = words
        self._why_not = why_not
        self._marked = marked
        self._rows: tuple[object, ...] = ()

    def show(self, rows: Sequence[object]) -> None:
        """Other rows in place of these."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, number: int) -> object:
        return self._rows[number]

    def find(self, wanted: Callable[[Any], bool]) -> int:
        """The number of the first row of this kind; -1 for none."""
        return next((number for number, row in enumerate(self._rows) if wanted(row)), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.DisplayRole:
            return self._columns[section].title
        if role == Role.TextAlignmentRole:
            return RIGHT if self._columns[section].figures else LEFT
        return of_name(self._columns[section].title) or None if role in (Role.ToolTipRole, Role.WhatsThisRole) else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        row, column = self._rows[index.row()], self._columns[index.column()]
        match role:
            case Role.DisplayRole:
                return column.text(row)
            case Role.TextAlignmentRole:
                return RIGHT if column.figures else LEFT
            case Role.ToolTipRole:
                return as_tip(self._why_not(row) or column.text(row))
            case Role.ForegroundRole:
                return self._theme.colour(Colour.MUTED) if self._why_not(row) else None
            case Role.FontRole:
                return self._font(row)
        if role == KEY_ROLE:
            return column.key(row)
        return self._words(row) if role == WORDS_ROLE else None

    def _font(self, row: object) -> QFont | None:
        return self._theme.font(Size.NORMAL, bold=True) if self._marked(row) else None


def sorted_and_filtered(rows: Rows) -> QSortFilterProxyModel:
    """Qt's own proxy: sorts by what a column means, not by how it is written."""
    proxy = QSortFilterProxyModel(rows)
    proxy.setSourceModel(rows)
    proxy.setSortRole(KEY_ROLE)
    proxy.setFilterRole(WORDS_ROLE)
    proxy.setFilterKeyColumn(0)
    proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    return proxy
