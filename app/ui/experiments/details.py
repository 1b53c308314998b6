"""What an experiment found out beside the figures: one small table at a time, with room for long texts below."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.definitions import of_name
from app.experiments.figure_words import told
from app.experiments.types import Detail
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets import ChoiceBox, in_column, named, split
from app.ui.widgets.word_table import WordTable
from app.words import tr

LONG = 40
"""A cell of more characters than this is worth a pane to read it in."""
ROWS_PX = (260, 160)


class DetailsPage(QWidget):
    """A list of the tables, the one that is chosen, and the whole text of the cell that is chosen in it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._details: tuple[Detail, ...] = ()
        self._which = ChoiceBox("experiment_which_detail", tr("Which detail"), tr("What else was found out"))
        self._which.currentIndexChanged.connect(self._show)
        self._grid = WordTable(theme, "experiment_detail", tr("Detail"))
        self._grid.selectionModel().currentChanged.connect(self._choose)
        self._text = named(
            QPlainTextEdit(readOnly=True, tabChangesFocus=True),
            "experiment_detail_text",
            tr("Text of the chosen cell"),
            tr("The whole text of the cell that is chosen"),
            font=theme.font(Size.NORMAL),
        )
        self._text.setPlaceholderText(tr("Choose a cell to read its whole text."))
        rows = split(Qt.Orientation.Vertical, self._grid, self._text, ROWS_PX)
        in_column(self._which, (rows, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0))

    def show_details(self, details: Sequence[Detail]) -> None:
        """All there are; the first is shown."""
        self._details = tuple(details)
        self._which.clear()
        self._which.addItems([each.title for each in self._details])

    @Slot(int)
    def _show(self, number: int) -> None:
        if 0 <= number < len(self._details):
            detail = self._details[number]
            self._grid.setAccessibleName(detail.title)
            tips = [of_name(name) or of_name(detail.title) for name in detail.head]
            self._grid.show_rows(detail.head, [list(map(told, row)) for row in detail.rows], tips)
            self._text.clear()
            self._text.setVisible(
                any(isinstance(cell, str) and len(cell) > LONG for row in detail.rows for cell in row)
            )

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        self._text.setPlainText(str(index.data(Qt.ItemDataRole.EditRole)) if index.isValid() else "")
