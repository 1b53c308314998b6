"""A table: whole rows are chosen, nothing is edited, and the Tab key goes on to what comes after it."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.ui.look.sizes import scaled
from app.ui.look.theme import GRID_PX, Theme
from app.ui.widgets.naming import named
from app.ui.widgets.table_model import TableModel

ROW_PX = 6 * GRID_PX
Model = TypeVar("Model", bound=TableModel[Any])


class Table(QTableView, Generic[Model]):
    """Shows the rows of `rows`, one at a time chosen."""

    def __init__(
        self,
        theme: Theme,
        rows: Model,
        name: str,
        spoken: str = "",
        tip: str = "",
        *,
        told: str = "",
        row_px: int = ROW_PX,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        named(self, name, spoken, tip, told=told)
        self._theme = theme
        self._rows = rows
        rows.setParent(self)
        self.setModel(rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        scaled(theme, self.verticalHeader(), QHeaderView.setDefaultSectionSize, row_px)
        self.horizontalHeader().setHighlightSections(False)
