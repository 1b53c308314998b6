"""A table of models: whole rows are chosen, Enter or a double click picks, columns sort."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QItemSelection, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QKeyEvent
from PySide6.QtWidgets import QHeaderView

from app.i18n import tr
from app.ui.look import Colour, Measured, Size, Theme
from app.ui.picker.filter_field import ENTER
from app.ui.widgets import Column, Table, TableModel

ROW_PX = 28
NAME_PX = 140


class ModelRows(TableModel[Any]):
    """`words` is what the filter looks through, `why_not` why a row can't be chosen, `marked` makes it stand out."""

    def __init__(
        self,
        theme: Theme,
        columns: Sequence[Column[Any]],
        words: Callable[[Any], str] = lambda row: "",
        why_not: Callable[[Any], str] = lambda row: "",
        marked: Callable[[Any], bool] = lambda row: False,
    ) -> None:
        super().__init__(columns)
        self._theme = theme
        self._words = words
        self._why_not = why_not
        self._marked = marked

    def matches(self, row: object, text: str) -> bool:
        return text in self._words(row).casefold()

    def spoken(self, place: int, column: Column[Any]) -> None:
        """As it is shown."""

    def tip(self, place: int, column: Column[Any]) -> str:
        return self._why_not(self.rows[place]) or column.text(self.rows[place])

    def font(self, place: int, column: Column[Any]) -> QFont | None:
        return self._theme.font(Size.NORMAL, bold=True) if self._marked(self.rows[place]) else None

    def colour(self, place: int, column: Column[Any]) -> QColor | None:
        return self._theme.colour(Colour.MUTED) if self._why_not(self.rows[place]) else None


class ModelTable(Table[ModelRows]):
    """`chosen` with the row that the keyboard or the pointer is on, or None; `picked` with the one that is wanted."""

    chosen = Signal(object)
    picked = Signal(object)

    def __init__(self, theme: Theme, name: str, spoken: str, rows: ModelRows) -> None:
        told = tr("Enter takes the chosen model; a column's heading sorts")
        super().__init__(theme, rows, name, spoken, told=told, row_px=ROW_PX)
        self._current: object | None = None
        self.setFont(theme.font(Size.NORMAL))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._set_columns()
        self.selectionModel().selectionChanged.connect(self._tell_chosen)
        rows.modelReset.connect(self._restore)
        self.doubleClicked.connect(self.pick)

    @property
    def current(self) -> object | None:
        """The row that is chosen."""
        indexes = self.selectionModel().selectedRows()
        return self._rows.rows[indexes[0].row()] if indexes else None

    @property
    def count(self) -> int:
        """How many rows are to be seen."""
        return self._rows.rowCount()

    def show_rows(self, rows: Sequence[object], wanted: Callable[[Any], bool]) -> None:
        """Other rows; the first that is `wanted` is chosen, else the first of all."""
        self._current = None
        self._rows.show_rows(rows)
        self._choose(next((place for place, row in enumerate(self._rows.rows) if wanted(row)), 0))
        if not self.count:
            self._tell(None)

    def filter(self, text: str) -> None:
        """Only rows with this text; some row stays chosen while there is one."""
        self._rows.filter(text)
        if not self.selectionModel().hasSelection():
            self._choose(0)
        if not self.count:
            self._tell(None)

    def unsort(self) -> None:
        """The order in which the rows came."""
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def pick(self) -> None:
        """The chosen row is wanted."""
        if self.current is not None:
            self.picked.emit(self.current)

    def _choose(self, place: int) -> None:
        if place < self.count:
            self.setCurrentIndex(self._rows.index(place, 0))
            self.scrollTo(self.currentIndex())

    @Slot()
    def _restore(self) -> None:
        """The rows are in another order, or fewer: the chosen one stays chosen where it is still there."""
        if self._current in self._rows.rows:
            self._choose(self._rows.rows.index(self._current))

    def _set_columns(self) -> None:
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        Measured(self._theme, self, ModelTable._divide)
        self.setSortingEnabled(True)
        self.unsort()

    def _divide(self) -> None:
        columns = self._rows.columns
        self.set_widths({column.name: self._theme.scaled(column.width_px or NAME_PX) for column in columns})

    @Slot()
    def fit(self) -> None:
        """The names have what the others leave."""
        super().fit()
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        others = sum(header.sectionSize(number) for number in range(1, header.count()))
        others += self._more.width() if self._more.isVisibleTo(self) else 0
        header.resizeSection(0, max(0, self.viewport().width() - others))

    @Slot(QItemSelection, QItemSelection)
    def _tell_chosen(self) -> None:
        if self.current != self._current:
            self._tell(self.current)

    def _tell(self, row: object | None) -> None:
        self._current = row
        self.chosen.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.pick()
        else:
            super().keyPressEvent(event)
