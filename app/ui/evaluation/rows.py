"""The table of the rows of a prompt set. Only visible cells are computed."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QColor

from app.evaluation.types import PromptSet
from app.i18n import tr
from app.ui.look import Color, TextSizeFollower, Theme
from app.ui.widgets import Column, Table, TableModel

LONGEST = 120
"""Characters of a text in its cell."""
SHOWN_LENGTH = 50_000
"""Characters of a prompt that are shown."""
NUMBER_PX, TEXT_PX = 72, 144
TOKENS = "tokens"
NUMBER = "number"


class RowsModel(TableModel[int]):
    """The model of the rows, which are row numbers. `marked` returns whether a cell has the warning color."""

    steady = True
    marked: Callable[[int, str], bool] | None = None

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def color(self, position: int, column: Column[int]) -> QColor | None:
        if self.marked is not None and self.marked(self.rows[position], column.name):
            return self._theme.color(Color.WARNING)
        return None


class RowsTable(Table[RowsModel]):
    """The table of a prompt set's rows. `chosen` carries the number of the current row."""

    chosen = Signal(int)
    aside = (TOKENS,)

    def __init__(self, theme: Theme, name: str, spoken: str, tip: str) -> None:
        super().__init__(theme, RowsModel(theme), name, spoken, tip)
        TextSizeFollower(theme, self, RowsTable._divide)
        self.selectionModel().currentRowChanged.connect(self._choose)

    @property
    def row(self) -> int | None:
        index = self.currentIndex()
        return self._rows.rows[index.row()] if index.isValid() else None

    def show_rows(
        self,
        rows: Sequence[int],
        columns: Sequence[Column[int]],
        marked: Callable[[int, str], bool] | None = None,
        *,
        choose: bool = True,
    ) -> None:
        """Show rows; the current one stays current, else, with `choose`, the first becomes current."""
        before, names = self.row, [each.name for each in self._rows.columns]
        self._rows.marked = marked
        self._rows.show_rows(rows, columns)
        if [each.name for each in columns] != names:
            self._divide()
        if rows and (choose if before is None else self.row != before):
            position = self._rows.rows.index(before) if before in self._rows.rows else 0
            self.setCurrentIndex(self._rows.index(position, 0))

    def renew(self, first: int, last: int) -> None:
        """Repaint these rows if one of them is visible: Qt would repaint the whole table in any case."""
        top, bottom = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        if last >= top and (bottom < 0 or first <= bottom):
            self._rows.dataChanged.emit(self._rows.index(first, 0), self._rows.index(last, len(self._rows.columns) - 1))

    def fit(self) -> None:
        """Divide the remaining width among the text columns."""
        super().fit()
        head, columns = self.horizontalHeader(), enumerate(self._rows.columns)
        words = [at for at, column in columns if not column.number and not self.isColumnHidden(at)]
        taken = sum(head.sectionSize(at) for at in range(head.count()) if at not in words)
        room = self.viewport().width() - taken - (self._more.width() if self._more.isVisibleTo(self) else 0)
        for at in words:
            head.resizeSection(at, room // len(words))

    def _divide(self) -> None:
        self.set_widths({each.name: self._theme.scaled(each.width_px) for each in self._rows.columns})

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._rows.rows[index.row()])


def number_column() -> Column[int]:
    return Column(NUMBER, tr("Row"), lambda row: f"{row + 1:,}", tr("Number of the row"), width_px=NUMBER_PX)


def text_column(name: str, title: str, text: Callable[[int], str], tip: str = "") -> Column[int]:
    return Column(name, title, lambda row: short(text(row)), tip, number=False, width_px=TEXT_PX)


def set_columns(prompts: PromptSet, counts: Mapping[int, int | None], most: Callable[[], int]) -> list[Column[int]]:
    """Return the columns of a set, and one with token counts. `most` tokens leave no room for an answer."""
    tip = tr("Tokens of the rendered prompt. Prompts that leave no room for an answer are marked")

    def tokens(row: int) -> str:
        count = counts.get(row)
        if count is None:
            return tr("not available") if row in counts else ""
        return tr("{count}, too long").format(count=f"{count:,}") if count >= most() else f"{count:,}"

    def cell(position: int) -> Callable[[int], str]:
        return lambda row: prompts.rows[row][position]

    counted = Column(TOKENS, tr("Tokens"), tokens, tip, width_px=NUMBER_PX + TEXT_PX // 4)
    named = [text_column(f"column_{at}", short(name), cell(at)) for at, name in enumerate(prompts.columns)]
    return [number_column(), counted, *named]


def seen(text: str) -> str:
    """Cut a long prompt, and add a note."""
    return text if len(text) <= SHOWN_LENGTH else f"{text[:SHOWN_LENGTH]}…"


def short(text: str) -> str:
    """Return the beginning of a text as one line."""
    return text[:LONGEST].replace("\n", "⏎")
