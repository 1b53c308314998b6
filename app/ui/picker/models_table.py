"""A table of models: whole rows are chosen, Enter or a double click picks, columns sort."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.ui.look.sizes import scaled
from app.ui.look.theme import Size, Theme
from app.ui.picker.columns import Column
from app.ui.picker.model_rows import Rows, sorted_and_filtered
from app.ui.widgets.naming import named
from app.words import tr

ROW_PX = 28
NAME_PX = 140
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ModelTable(QTableView):
    """`chosen` with the row that the keyboard or the pointer is on, or None; `picked` with the one that is wanted."""

    chosen = Signal(object)
    picked = Signal(object)

    def __init__(self, theme: Theme, name: str, spoken: str, rows: Rows, columns: Sequence[Column]) -> None:
        super().__init__()
        named(self, name, spoken, told=tr("Enter takes the chosen model; a column's heading sorts"))
        self._theme = theme
        self._rows = rows
        self._proxy = sorted_and_filtered(rows)
        rows.setParent(self)
        self.setModel(self._proxy)
        self.setFont(theme.font(Size.NORMAL))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._set_columns(columns)
        self.selectionModel().selectionChanged.connect(self._tell_chosen)
        self.doubleClicked.connect(self._tell_picked)

    @property
    def current(self) -> object | None:
        """The row that is chosen."""
        indexes = self.selectionModel().selectedRows()
        return self._rows.row(self._proxy.mapToSource(indexes[0]).row()) if indexes else None

    @property
    def count(self) -> int:
        """How many rows are to be seen."""
        return self._proxy.rowCount()

    def show_rows(self, rows: Sequence[object], wanted: Callable[[Any], bool]) -> None:
        """Other rows; the first that is `wanted` is chosen, else the first of all."""
        self._rows.show(rows)
        index = self._rows.index(self._rows.find(wanted), 0)
        self._choose(self._proxy.mapFromSource(index))
        if not rows:
            self.chosen.emit(None)

    def filter(self, text: str) -> None:
        """Only rows with this text; some row stays chosen while there is one."""
        self._proxy.setFilterFixedString(text.strip())
        if not self.selectionModel().hasSelection():
            self._choose(QModelIndex())
        if not self.count:
            self.chosen.emit(None)

    def unsort(self) -> None:
        """The order in which the rows came."""
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def steer(self, event: QKeyEvent) -> None:
        """What an arrow key in the field above it does here."""
        self.keyPressEvent(event)

    def pick(self) -> None:
        """The chosen row is wanted."""
        if self.current is not None:
            self.picked.emit(self.current)

    def _choose(self, index: QModelIndex) -> None:
        index = index if index.isValid() else self._proxy.index(0, 0)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def _set_columns(self, columns: Sequence[Column]) -> None:
        self.verticalHeader().hide()
        scaled(self._theme, self.verticalHeader(), QHeaderView.setDefaultSectionSize, ROW_PX)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        for number, column in enumerate(columns):
            if column.width_px:
                scaled(self._theme, header, partial(_set_width, number), column.width_px)
        scaled(self._theme, self, ModelTable._fit_names, NAME_PX)
        self.setSortingEnabled(True)
        self.unsort()

    def _fit_names(self, least: int) -> None:
        """The names have what the others leave; where that is too little the table scrolls."""
        header = self.horizontalHeader()
        others = sum(header.sectionSize(number) for number in range(1, header.count()))
        header.resizeSection(0, max(least, self.viewport().width() - others))

    @Slot(QItemSelection, QItemSelection)
    def _tell_chosen(self) -> None:
        self.chosen.emit(self.current)

    @Slot()
    def _tell_picked(self) -> None:
        self.pick()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names(self._theme.scaled(NAME_PX))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.pick()
        else:
            super().keyPressEvent(event)


def _set_width(section: int, header: QHeaderView, width: int) -> None:
    header.resizeSection(section, width)
