"""The rows of the table of runs: filtered, sorted, and each compared with the one above it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.records.settings_of import differences
from app.records.types import RunRow
from app.ui.look.theme import Size, Theme
from app.ui.runs.columns import COLUMNS, MARK, OTHERS, OWN, Column, explained, haystack, named, sort_key
from app.ui.widgets.table_heads import head_of, side_of
from app.ui.widgets.tooltips import as_tip
from app.words import tr

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Above:
    """How a row differs from the one above, by the name of the setting; those without a column in words too."""

    own: dict[str, str]
    others: str = ""
    tip: str = ""


class RunsModel(QAbstractTableModel):
    """Sorts and filters by itself: for tens of thousands of rows a proxy would call back far too often."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._all: tuple[RunRow, ...] = ()
        self._rows: list[RunRow] = []
        self._words: tuple[str, ...] = ()
        self._haystacks: dict[int, str] = {}
        self._above: dict[int, Above] = {}
        self._sorted_by: Column = COLUMNS[0]
        self._order = Qt.SortOrder.DescendingOrder

    @property
    def rows(self) -> tuple[RunRow, ...]:
        """The rows that are shown, from the top."""
        return tuple(self._rows)

    def show_rows(self, rows: tuple[RunRow, ...]) -> None:
        """All there are; which of them are shown is the filter's affair."""
        self._all = rows
        self._haystacks.clear()
        self._arrange()

    def filter(self, text: str) -> None:
        """Only rows in which each of these words occurs."""
        self._words = tuple(text.casefold().split())
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        column = self._sorted_by
        rows = [row for row in self._all if self._is_wanted(row)]
        known = [row for row in rows if column.value(row) is not None]
        known.sort(key=lambda row: sort_key(column, row), reverse=self._order == Qt.SortOrder.DescendingOrder)
        self._rows = [*known, *(row for row in rows if column.value(row) is None)]
        self._above.clear()
        self.endResetModel()

    def _is_wanted(self, row: RunRow) -> bool:
        if not self._words:
            return True
        found = self._haystacks.get(row.id) or self._haystacks.setdefault(row.id, haystack(row))
        return all(word in found for word in self._words)

    def _compare(self, place: int) -> Above:
        """Remembered, since a table asks for each cell many times."""
        if place not in self._above:
            found = differences(self._rows[place - 1], self._rows[place]) if place else ()
            own = {each.name: explained(each) for each in found if each.name in OWN}
            rest = [each for each in found if each.name not in OWN]
            self._above[place] = Above(own, ", ".join(map(named, rest)), "\n".join(map(explained, rest)))
        return self._above[place]

    def _text(self, place: int, column: Column) -> str:
        above = self._compare(place)
        if column.name == OTHERS:
            return f"{MARK}{above.others}" if above.others else ""
        text = column.text(self._rows[place])
        return f"{MARK}{text}" if column.setting in above.own else text

    def _differs(self, place: int, column: Column) -> bool:
        above = self._compare(place)
        return bool(above.others) if column.name == OTHERS else column.setting in above.own

    def _tip(self, place: int, column: Column) -> str:
        above = self._compare(place)
        if column.name == OTHERS:
            return above.tip
        return above.own.get(column.setting) or column.text(self._rows[place])

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        place, column = index.row(), COLUMNS[index.column()]
        if role == Role.DisplayRole:
            return self._text(place, column)
        if role == Role.FontRole:
            return self._theme.font(Size.NORMAL, bold=True) if self._differs(place, column) else None
        if role == Role.TextAlignmentRole:
            return side_of(column)
        if role == Role.ToolTipRole:
            return as_tip(self._tip(place, column))
        if role == Role.AccessibleTextRole and self._differs(place, column):
            words = tr("{column}: {text}, differs from the row above")
            return words.format(column=column.title, text=self._text(place, column).removeprefix(MARK))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        return head_of(COLUMNS[section], role)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted_by, self._order = COLUMNS[column], order
        self._arrange()
