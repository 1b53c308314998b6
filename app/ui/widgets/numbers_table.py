"""A plot's or gauge's values as a table, also for screen readers."""

from dataclasses import dataclass
from operator import itemgetter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from app.definitions import of_name
from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets.table import Table
from app.ui.widgets.table_model import LEFT, Column, TableModel


@dataclass(frozen=True, slots=True)
class Numbers:
    """A table's title, the headings of its columns, and its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()

    def csv(self) -> str:
        """Return the table as CSV, without thousands separators."""
        lines = (self.columns, *self.rows)
        return "".join(",".join(cell.replace(",", "") for cell in line) + "\n" for line in lines)


class NumbersModel(TableModel[tuple[str, ...]]):
    """The model of the table."""

    nothing = ""

    def show_numbers(self, numbers: Numbers) -> None:
        """Replace the content."""
        columns: list[Column[tuple[str, ...]]] = []
        for place, title in enumerate(numbers.columns):
            columns.append(Column(title, title, itemgetter(place), of_name(title), number=False))
        self.show_rows(numbers.rows, columns)

    def tip(self, place: int, column: Column[tuple[str, ...]]) -> str:
        return of_name(self.rows[place][0]) or column.tip


class NumbersTable(Table[NumbersModel]):
    """A table view for `Numbers`."""

    def __init__(self, theme: Theme, name: str, wide: int | None = None) -> None:
        """`wide`: the column that gets the remaining width and wraps its text."""
        super().__init__(theme, NumbersModel(), name, told=tr("The arrow keys move between the numbers"))
        self._wide = wide
        if wide is not None:
            self.setWordWrap(True)
            later = Qt.ConnectionType.QueuedConnection
            self.horizontalHeader().sectionResized.connect(self.resizeRowsToContents, later)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setFont(theme.font(Size.NORMAL))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setDefaultAlignment(LEFT)

    def show_numbers(self, numbers: Numbers) -> None:
        """Replace the content."""
        self.setAccessibleName(numbers.title)
        self._rows.show_numbers(numbers)
        if self._wide is not None:
            fitting = QHeaderView.ResizeMode.ResizeToContents
            for place in range(len(numbers.columns)):
                mode = QHeaderView.ResizeMode.Stretch if place == self._wide else fitting
                self.horizontalHeader().setSectionResizeMode(place, mode)
            self.resizeRowsToContents()
        self.setCurrentIndex(self._rows.index(0, 0))
