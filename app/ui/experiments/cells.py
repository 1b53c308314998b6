"""The texts of a grid of two settings in its cells, one seed at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from app.experiments.figure_words import number
from app.experiments.types import Column as Figure
from app.experiments.types import Outcome, Result
from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets import ChoiceBox, PlainText, Table, in_column, in_row, named, plain_label, split
from app.ui.widgets.table_model import Column, Role, TableModel

CELL_PX = 112
ROWS_PX = (280, 110)
SHOWN = 600
"""Characters of a text in its cell; the pane below has all of it."""
VARIETY = "distinct_2"


@dataclass(frozen=True, slots=True)
class Titles:
    """The values of the first setting, which are the rows, and of the second."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A value of the first setting, and its runs by the column."""

    title: str
    runs: tuple[Result | None, ...] = ()


class CellsModel(TableModel[Line]):
    """Arm by arm along the rows."""

    nothing = tr("not run yet")

    def show_runs(self, titles: Titles, runs: dict[int, Result], variety: Figure | None) -> None:
        """One run for each arm that has one."""
        across = len(titles.columns)
        lines = [
            Line(title, tuple(runs.get(row * across + place) for place in range(across)))
            for row, title in enumerate(titles.rows)
        ]
        self.show_rows(lines, [_cell(title, place, variety) for place, title in enumerate(titles.columns)])

    def run(self, index: QModelIndex) -> Result | None:
        return self.rows[index.row()].runs[index.column()] if index.isValid() else None

    def spoken(self, place: int, column: Column[Line]) -> str:
        return f"{self.rows[place].title}, {super().spoken(place, column)}"

    def tip(self, place: int, column: Column[Line]) -> str:
        return column.text(self.rows[place])

    def side(self, column: Column[Line]) -> Qt.AlignmentFlag:
        return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if role != Role.DisplayRole:
            return None
        down = orientation is Qt.Orientation.Vertical and section < len(self.rows)
        return self.rows[section].title if down else super().headerData(section, orientation, role)


def _cell(title: str, place: int, variety: Figure | None) -> Column[Line]:
    def text(line: Line) -> str:
        run = line.runs[place]
        return "" if run is None else _told(run, variety)

    return Column(title, title, text)


def _told(run: Result, variety: Figure | None) -> str:
    varied = variety.of(run) if variety else None
    parts = [tr("%n tokens", "%n token", len(run.tokens)), run.finish.reason.plain_words]
    if variety is not None and varied is not None:
        parts.append(f"{variety.title.lower()} {number(variety, varied)}")
    return f"{' · '.join(parts)}\n{run.text[:SHOWN].strip()}"


class CellsPage(QWidget):
    """The cell that is chosen has its whole text below."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_cells_page")
        self.titles = Titles((), ())
        self._outcome: Outcome | None = None
        self._columns: Sequence[Figure] = ()
        tip = tr("Each round has a seed of its own, the same one in every cell")
        self._seed = ChoiceBox("experiment_seed", tr("Seed"), tip)
        self._seed.currentIndexChanged.connect(self._fill)
        self._cells = CellsModel()
        self._table = _table(theme, self._cells)
        tip = tr("The whole text of the cell that is chosen")
        hint = tr("Choose a cell to read its whole text.")
        text = PlainText(readOnly=True, tabChangesFocus=True, placeholderText=hint)
        self._text = named(text, "experiment_cell_text", tr("Text of the chosen cell"), tip)
        self._table.selectionModel().currentChanged.connect(self._choose)
        self._lay_out(theme)

    def begin(self, titles: Titles) -> None:
        """Another grid."""
        self.titles, self._outcome = titles, None
        self._seed.show_entries({})
        self._text.clear()
        self._fill()

    def show_runs(self, outcome: Outcome, columns: Sequence[Figure]) -> None:
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
        run = self._cells.run(index)
        if run is not None:
            self._text.setPlainText(run.text)

    def _lay_out(self, theme: Theme) -> None:
        label = plain_label("", tr("Seed"), font=theme.font(Size.SMALL))
        rows = split(Qt.Orientation.Vertical, self._table, self._text, ROWS_PX)
        in_column(
            in_row(label, self._seed, ..., gap=GRID_PX), (rows, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0)
        )


def _table(theme: Theme, cells: CellsModel) -> Table[CellsModel]:
    tip = tr("Each cell has the text that its two settings gave")
    table = Table(theme, cells, "experiment_cells", tr("Texts of the grid"), tip, row_px=CELL_PX)
    table.setFont(theme.font(Size.SMALL))
    table.setWordWrap(True)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
    table.setShowGrid(True)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    table.verticalHeader().setHighlightSections(False)
    table.verticalHeader().show()
    return table
