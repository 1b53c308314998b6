"""The model of a table: texts, sorting and filtering of its rows, and the direction of their text."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.i18n import tr
from app.ui.widgets.naming import as_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
Row = TypeVar("Row")
Value = str | float | None
NOWHERE = QModelIndex()
ROW = Role.UserRole
"""The row itself, for delegates."""
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column. `text` returns a row's text, `value` its sort key (None is always last), `tip` explains the column.

    Numbers are aligned to the right. Its width is that of `sample`, or `width_px`.
    """

    name: str
    title: str
    text: Callable[[Row], str]
    tip: str = ""
    value: Callable[[Row], Value] = lambda row: None
    number: bool = True
    sample: str = ""
    width_px: int = 0


class TableModel(QAbstractTableModel, Generic[Row]):
    """A model that sorts and filters itself: a proxy model is too slow for tens of thousands of rows.

    With `steady`, the selection is preserved when only texts of cells change.
    """

    steady = False
    nothing = tr("nothing")

    def __init__(self, columns: Sequence[Column[Row]] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: tuple[Row, ...] = ()
        """The rows that match the filter, from the top."""
        self._all: tuple[Row, ...] = ()
        self._filter = ""
        self._section, self._order = -1, Qt.SortOrder.AscendingOrder

    def show_rows(self, rows: Sequence[Row], columns: Sequence[Column[Row]] | None = None) -> None:
        """Replace all rows; the filter decides which are shown."""
        self._all = tuple(rows)
        self._arrange(self.columns if columns is None else tuple(columns))

    def filter(self, text: str) -> None:
        """Show only rows that match."""
        self._filter = text.strip().casefold()
        self._arrange(self.columns)

    def matches(self, row: Row, text: str) -> bool:
        """Whether this case-folded text occurs in a row."""
        return True

    def sort_key(self, column: Column[Row], row: Row) -> object:
        """Return the value by which a column is sorted; never None."""
        return column.value(row)

    def shown(self, position: int, column: Column[Row]) -> str:
        return column.text(self.rows[position])

    def spoken(self, position: int, column: Column[Row]) -> str | None:
        """Return the accessible text of a cell; None for its displayed text."""
        return f"{column.title}: {column.text(self.rows[position]) or self.nothing}"

    def tip(self, position: int, column: Column[Row]) -> str:
        return self.spoken(position, column) or ""

    def font(self, position: int, column: Column[Row]) -> QFont | None: ...

    def color(self, position: int, column: Column[Row]) -> QColor | None: ...

    def side(self, column: Column[Row]) -> Qt.AlignmentFlag:
        return RIGHT if column.number else LEFT

    def _arrange(self, columns: tuple[Column[Row], ...]) -> None:
        rows = [row for row in self._all if self.matches(row, self._filter)] if self._filter else list(self._all)
        if 0 <= self._section < len(columns):
            column = columns[self._section]
            known = [row for row in rows if column.value(row) is not None]
            backwards = self._order == Qt.SortOrder.DescendingOrder
            known.sort(key=lambda row: self.sort_key(column, row), reverse=backwards)  # type: ignore[arg-type, return-value]
            rows = [*known, *(row for row in rows if column.value(row) is None)]
        steady = self.steady and len(rows) == len(self.rows) and _titles(columns) == _titles(self.columns)
        if not steady:
            self.beginResetModel()
        self.rows, self.columns = tuple(rows), columns
        if not steady:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(columns) - 1))

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        say = SAID.get(int(role))
        return None if say is None else say(self, index.row(), self.columns[index.column()])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Role.DisplayRole:
                return column.title
            case Role.TextAlignmentRole:
                return self.side(column)
            case Role.ToolTipRole | Role.WhatsThisRole:
                return column.tip or None
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by the column with this index; -1: restore the original order."""
        self._section, self._order = column, order
        self._arrange(self.columns)


def _titles(columns: Sequence[Column[Row]]) -> list[str]:
    return [column.title for column in columns]


SAID: dict[int, Callable[[TableModel[Any], int, Column[Any]], object]] = {
    int(Role.DisplayRole): lambda model, position, column: model.shown(position, column),
    int(Role.AccessibleTextRole): lambda model, position, column: model.spoken(position, column),
    int(Role.ToolTipRole): lambda model, position, column: as_tip(model.tip(position, column)) or None,
    int(Role.TextAlignmentRole): lambda model, position, column: model.side(column),
    int(Role.FontRole): lambda model, position, column: model.font(position, column),
    int(Role.ForegroundRole): lambda model, position, column: model.color(position, column),
    int(ROW): lambda model, position, _: model.rows[position],
}
"""The function for each role; a dictionary, since Qt asks mostly for roles without data."""


STRONG = {"L": False, "R": True, "AL": True}


def is_right_to_left(text: str) -> bool:
    return next((STRONG[kind] for kind in map(unicodedata.bidirectional, text) if kind in STRONG), False)


class OwnDirection(QStyledItemDelegate):
    """Cells with the direction of their own text: Qt would use that of the program, with the ellipsis at a text's
    beginning.
    """

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft
