"""The texts of a grid of two settings in its cells, one seed at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPlainTextEdit, QSplitter, QTableView, QWidget

from app.experiments.figure_words import number
from app.experiments.types import Column, Outcome, Result
from app.ui.look.sizes import scaled
from app.ui.look.theme import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets.choice_box import ChoiceBox
from app.ui.widgets.labels import plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_column, in_row
from app.ui.widgets.tooltips import as_tip
from app.words import tr

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
NOWHERE = QModelIndex()
CELL_PX = 112
ROWS_PX = (280, 110)
SHOWN = 600
"""Characters of a text in its cell; the pane below has all of it."""
NOT_RUN = tr("not run yet")
VARIETY = "distinct_2"


@dataclass(frozen=True, slots=True)
class Titles:
    """The values of the first setting, which are the rows, and of the second."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]


class CellsModel(QAbstractTableModel):
    """Arm by arm along the rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles = Titles((), ())
        self._runs: dict[int, Result] = {}
        self._variety: Column | None = None

    def show_runs(self, titles: Titles, runs: dict[int, Result], variety: Column | None) -> None:
        """One run for each arm that has one."""
        self.beginResetModel()
        self._titles, self._runs, self._variety = titles, runs, variety
        self.endResetModel()

    def run(self, row: int, column: int) -> Result | None:
        return self._runs.get(row * len(self._titles.columns) + column)

    def _text(self, run: Result | None) -> str:
        if run is None:
            return ""
        varied = self._variety.of(run) if self._variety else None
        parts = [tr("%n tokens", "%n token", len(run.tokens)), run.finish.reason.words]
        if self._variety is not None and varied is not None:
            parts.append(f"{self._variety.title.lower()} {number(self._variety, varied)}")
        return f"{' · '.join(parts)}\n{run.text[:SHOWN].strip()}"

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._titles.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._titles.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        run = self.run(index.row(), index.column())
        if role == Role.DisplayRole:
            return self._text(run)
        if role == Role.ToolTipRole:
            return as_tip(self._text(run))
        if role == Role.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        if role == Role.AccessibleTextRole:
            where = f"{self._titles.rows[index.row()]}, {self._titles.columns[index.column()]}"
            return f"{where}: {self._text(run) or NOT_RUN}"
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        titles = self._titles.columns if orientation is Qt.Orientation.Horizontal else self._titles.rows
        return titles[section] if role == Role.DisplayRole and section < len(titles) else None


class CellsPage(QWidget):
    """The cell that is chosen has its whole text below."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_cells_page")
        self.titles = Titles((), ())
        self._outcome: Outcome | None = None
        self._columns: Sequence[Column] = ()
        self._seed = ChoiceBox(
            "experiment_seed", tr("Seed"), tr("Each round has a seed of its own, the same one in every cell")
        )
        self._seed.currentIndexChanged.connect(self._fill)
        self._cells = CellsModel(self)
        self._table = _table(theme, self._cells)
        self._text = named(
            QPlainTextEdit(),
            "experiment_cell_text",
            tr("Text of the chosen cell"),
            tr("The whole text of the cell that is chosen"),
        )
        self._text.setPlaceholderText(tr("Choose a cell to read its whole text."))
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._table.selectionModel().currentChanged.connect(self._choose)
        self._lay_out(theme)

    def begin(self, titles: Titles) -> None:
        """Another grid."""
        self.titles, self._outcome = titles, None
        with QSignalBlocker(self._seed):
            self._seed.clear()
        self._text.clear()
        self._fill()

    def show_runs(self, outcome: Outcome, columns: Sequence[Column]) -> None:
        """The runs so far."""
        self._outcome, self._columns = outcome, columns
        seeds = {run.round: run.request.sampling.seed for run in outcome.results}
        for at in sorted(seeds):
            if self._seed.findData(at) < 0:
                with QSignalBlocker(self._seed):
                    self._seed.addItem(str(seeds[at]), at)
        self._fill()

    @Slot()
    def _fill(self) -> None:
        at = self._seed.currentData()
        results = self._outcome.results if self._outcome else ()
        runs = {run.arm: run for run in results if run.round == at}
        variety = next((column for column in self._columns if column.key == VARIETY), None)
        chosen = self._table.currentIndex()
        where = (chosen.row(), chosen.column())
        self._cells.show_runs(self.titles, runs, variety)
        if chosen.isValid():
            self._table.setCurrentIndex(self._cells.index(*where))

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        run = self._cells.run(index.row(), index.column()) if index.isValid() else None
        if run is not None:
            self._text.setPlainText(run.text)

    def _lay_out(self, theme: Theme) -> None:
        label = plain_label("", tr("Seed"), font=theme.font(Size.SMALL))
        rows = QSplitter(Qt.Orientation.Vertical)
        rows.setChildrenCollapsible(False)
        rows.addWidget(self._table)
        rows.addWidget(self._text)
        rows.setSizes(list(ROWS_PX))
        in_column(
            in_row(label, self._seed, ..., gap=GRID_PX), (rows, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0)
        )


def _table(theme: Theme, cells: CellsModel) -> QTableView:
    table = named(
        QTableView(),
        "experiment_cells",
        tr("Texts of the grid"),
        tr("Each cell has the text that its two settings gave"),
        font=theme.font(Size.SMALL),
    )
    table.setModel(cells)
    table.setWordWrap(True)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.horizontalHeader().setHighlightSections(False)
    scaled(theme, table.verticalHeader(), QHeaderView.setDefaultSectionSize, CELL_PX)
    table.verticalHeader().setHighlightSections(False)
    return table
