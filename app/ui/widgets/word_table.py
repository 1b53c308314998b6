"""A table of words: read with arrow keys, copied with the keys for it, told to screen readers cell by cell."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.ui.look.sizes import scaled
from app.ui.look.theme import GRID_PX, Size, Theme
from app.ui.widgets.naming import named
from app.ui.widgets.table_heads import LEFT, RIGHT
from app.ui.widgets.tooltips import as_tip
from app.words import tr

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
NOWHERE = QModelIndex()
ROW_PX = 6 * GRID_PX
PADDING_PX = 6 * GRID_PX
WIDEST_PX = 360
ROWS_MEASURED = 50
NOTHING = tr("nothing")
BREAK, SPACE = "⏎", "␣"
NUMBER = frozenset("0123456789–−")


class GridModel(QAbstractTableModel):
    """Rows of words below a head. Columns whose words begin like numbers are set to the right."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.head: tuple[str, ...] = ()
        self.rows: tuple[tuple[str, ...], ...] = ()
        self._right: tuple[bool, ...] = ()
        self._tips: tuple[str, ...] = ()

    def show_rows(self, head: Sequence[str], rows: Sequence[Sequence[str]], tips: Sequence[str]) -> None:
        """Other words; where only the words of cells are new, what is selected stays."""
        self._tips = tuple(tips)
        shape = len(rows), tuple(head)
        same = shape == (len(self.rows), self.head)
        if not same:
            self.beginResetModel()
        self.head, self.rows = tuple(head), tuple(tuple(row) for row in rows)
        columns = ([row[place] for row in self.rows] for place in range(len(self.head)))
        self._right = tuple(_are_numbers(words, named=place == 0) for place, words in enumerate(columns))
        if not same:
            self.endResetModel()
        elif self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.head) - 1))

    @property
    def ends_in_numbers(self) -> bool:
        return bool(self._right) and self._right[-1]

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.head)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        row, place = self.rows[index.row()], index.column()
        if role == Role.DisplayRole:
            return _seen(row[place])
        if role == Role.EditRole:
            return row[place]
        if role == Role.ToolTipRole:
            return as_tip(row[place])
        if role == Role.TextAlignmentRole:
            return RIGHT if self._right[place] else LEFT
        if role == Role.AccessibleTextRole:
            return f"{row[0]}, {self.head[place]}: {row[place] or NOTHING}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.head):
            return None
        if role == Role.TextAlignmentRole:
            return RIGHT if self._right[section] else LEFT
        if role in (Role.ToolTipRole, Role.WhatsThisRole) and section < len(self._tips) and self._tips[section]:
            return as_tip(f"{self.head[section]}: {self._tips[section]}")
        if role == Role.ToolTipRole:
            return as_tip(self.head[section])
        return self.head[section] if role == Role.DisplayRole else None


class WordTable(QTableView):
    """Cells can be selected in any stretch; what is selected is copied as rows with tabs, with its head."""

    def __init__(self, theme: Theme, name: str, spoken: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(
            self,
            name,
            spoken,
            tr("{table}: select cells and copy them (Ctrl+C)").format(table=spoken),
            font=theme.font(Size.NORMAL),
        )
        self._theme = theme
        self._grid = GridModel(self)
        self.setModel(self._grid)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        scaled(theme, self.verticalHeader(), QHeaderView.setDefaultSectionSize, ROW_PX)
        self.horizontalHeader().setHighlightSections(False)
        theme.resized.connect(self._give_room)

    def show_rows(self, head: Sequence[str], rows: Sequence[Sequence[str]], tips: Sequence[str] = ()) -> None:
        """Other words, `tips` explain those of the head. Columns are as wide as their words, up to a limit."""
        self._grid.show_rows(head, rows, tips)
        # Numbers would stand at the far end, away from what they belong to.
        self.horizontalHeader().setStretchLastSection(not self._grid.ends_in_numbers)
        self._give_room()

    @Slot()
    def _give_room(self) -> None:
        metrics, widest = self.fontMetrics(), self._theme.scaled(WIDEST_PX)
        for place, title in enumerate(self._grid.head):
            words = [title, *(row[place] for row in self._grid.rows[:ROWS_MEASURED])]
            width = max(metrics.horizontalAdvance(each[:WIDEST_PX]) for each in words) + PADDING_PX
            self.setColumnWidth(place, min(width, widest))

    def copied(self) -> str:
        """What is selected, or all of it, as text."""
        chosen = self.selectionModel().selectedIndexes()
        rows = sorted({index.row() for index in chosen}) or list(range(len(self._grid.rows)))
        places = sorted({index.column() for index in chosen}) or list(range(len(self._grid.head)))
        lines = [self._grid.head, *(self._grid.rows[row] for row in rows)]
        return "".join("\t".join(_flat(line[place]) for place in places) + "\n" for line in lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.copied())
        else:
            super().keyPressEvent(event)


def _are_numbers(words: Sequence[str], named: bool) -> bool:
    """The names of rows may begin like numbers too."""
    return any(words) and all(not each or (each.isdigit() if named else each[0] in NUMBER) for each in words)


def _seen(words: str) -> str:
    """A cell of nothing but spaces would look empty."""
    return (words if words.strip(" ") else words.replace(" ", SPACE)).replace("\n", BREAK)


def _flat(words: str) -> str:
    return words.replace("\t", " ").replace("\n", BREAK)
