"""Numbers that are drawn elsewhere, as a table: to be read line by line, by eye or by ear."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.definitions import of_name
from app.ui.look.theme import Size, Theme
from app.ui.widgets.naming import named
from app.words import tr

ROW_PX = 24
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


@dataclass(frozen=True, slots=True)
class Numbers:
    """A table's title, the headings of its columns, and its lines."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()

    def csv(self) -> str:
        """For other programs; thousands without their comma, so that no cell holds one."""
        lines = (self.columns, *self.rows)
        return "".join(",".join(cell.replace(",", "") for cell in line) + "\n" for line in lines)


class NumbersModel(QAbstractTableModel):
    """Reads one table."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self._numbers = numbers

    def rowCount(self, parent: Index | None = None) -> int:
        return len(self._numbers.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(self._numbers.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> str | None:
        if role == Role.DisplayRole:
            return self._numbers.rows[index.row()][index.column()]
        if role == Role.AccessibleTextRole:
            heading = self._numbers.columns[index.column()]
            return f"{heading}: {self._numbers.rows[index.row()][index.column()]}"
        if role == Role.ToolTipRole:
            return of_name(self._numbers.rows[index.row()][0]) or of_name(self._numbers.columns[index.column()]) or None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> str | None:
        if role == Role.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self._numbers.columns[section]
        if role in (Role.ToolTipRole, Role.WhatsThisRole) and orientation == Qt.Orientation.Horizontal:
            return of_name(self._numbers.columns[section]) or None
        return None


class NumbersTable(QTableView):
    """Shows one table after the other."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        named(self, name, told=tr("The arrow keys go from number to number"), font=theme.font(Size.NORMAL))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self._theme = theme
        self._fit_rows()
        theme.resized.connect(self._fit_rows)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def show_numbers(self, numbers: Numbers) -> None:
        """Show this in place of what was there."""
        before = self.model()
        model = NumbersModel(numbers)
        model.setParent(self)
        self.setAccessibleName(numbers.title)
        self.setModel(model)
        if before is not None:
            before.deleteLater()
        self.setCurrentIndex(model.index(0, 0))

    @Slot()
    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.scaled(ROW_PX))
