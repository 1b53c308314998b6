"""The candidates as a table: the same rows for the eye, for the bars and for a screen reader."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.definitions import meaning
from app.figures import chance
from app.ui.inspector.facts import logit, logprob
from app.ui.inspector.rows import REST, Distribution, Row
from app.ui.look.theme import Size, Theme
from app.ui.widgets.table_heads import head_of, side_of
from app.ui.widgets.tooltips import as_tip
from app.words import tr

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
NOWHERE = QModelIndex()
ROW = Role.UserRole
CHOSEN, OTHER = "● ", "  "
"""Before a token: the one that was taken, any other one."""
TOKEN, SHARE = 0, 1
TOKEN_TIP = tr("The token; ● is before the one that was taken. ⟨E2 80⟩: bytes that are only a part of a character.")


@dataclass(frozen=True, slots=True)
class Column:
    """One figure of each row."""

    title: str
    tip: str
    text: Callable[[Row], str]
    number: bool = True


def _known(value: float | None, say: Callable[[float], str]) -> str:
    return "" if value is None or math.isnan(value) else say(value)


NAMES = Column(tr("Token"), TOKEN_TIP, lambda row: row.name, number=False)
IDS = Column(tr("Id"), meaning("id"), lambda row: "" if row.id is None or row.id < 0 else f"{row.id}")
COLUMNS = {
    Distribution.BEFORE: (
        NAMES,
        Column(tr("Probability"), meaning("probability"), lambda row: chance(row.before)),
        Column(tr("Log-prob."), meaning("logprob"), lambda row: _known(row.logprob, logprob)),
        Column(
            tr("Logit"),
            meaning("raw_logit"),
            lambda row: _known(row.raw_logit, logit),
        ),
        IDS,
    ),
    Distribution.AFTER: (
        NAMES,
        Column(tr("Left over"), meaning("left_over"), lambda row: chance(row.share)),
        Column(tr("Taken out by"), tr("The setting that ruled it out"), lambda row: row.fate, number=False),
        Column(tr("Before"), meaning("probability"), lambda row: chance(row.before)),
        IDS,
    ),
}


class CandidatesModel(QAbstractTableModel):
    """Shows one distribution at a time."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[Row, ...] = ()
        self._columns = COLUMNS[Distribution.BEFORE]
        self.take_fonts()

    def take_fonts(self) -> None:
        """In the theme's present size."""
        theme = self._theme
        self._small, self._quiet = theme.font(Size.SMALL), theme.font(Size.SMALL)
        self._quiet.setItalic(True)
        self._mono = theme.font(Size.SMALL, mono=True)
        self._bold = theme.font(Size.SMALL, mono=True, bold=True)

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows

    def show_rows(self, rows: tuple[Row, ...], distribution: Distribution) -> None:
        """A table of the same shape stays as it is laid out: tokens are pointed at in quick succession."""
        columns = COLUMNS[distribution]
        if len(rows) == len(self._rows) and columns is self._columns:
            self._rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(columns) - 1))
        else:
            self.beginResetModel()
            self._rows, self._columns = rows, columns
            self.endResetModel()

    def title(self, section: int) -> str:
        return self._columns[section].title

    def row_of(self, token: int | None) -> int | None:
        """Where this candidate stands."""
        return next((place for place, row in enumerate(self._rows) if row.id == token and token is not None), None)

    def _shown(self, row: Row, column: Column) -> str:
        if column is not NAMES:
            return column.text(row)
        return f"{CHOSEN if row.chosen else OTHER}{REST if row.id is None else row.name}"

    def _spoken(self, row: Row, column: Column) -> str:
        """A cell says what it is; a token that was taken says so."""
        words = "{column}: {text}"
        if column is NAMES and row.chosen and row.id is None:
            words = tr("{column}: {text}, the one that was taken is among them")
        elif column is NAMES and row.chosen:
            words = tr("{column}: {text}, the one that was taken")
        return words.format(column=column.title, text=column.text(row) or tr("none"))

    def _font(self, row: Row, column: Column) -> object:
        if column is not NAMES:
            return None
        return self._quiet if row.id is None else self._bold if row.chosen else self._mono

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        row, column = self._rows[index.row()], self._columns[index.column()]
        if role == Role.DisplayRole:
            return self._shown(row, column)
        if role == Role.AccessibleTextRole:
            return self._spoken(row, column)
        if role == Role.ToolTipRole:
            return as_tip(self._spoken(row, column))
        if role == Role.FontRole:
            return self._font(row, column)
        if role == Role.TextAlignmentRole:
            return side_of(column)
        return row if role == ROW else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        return self._small if role == Role.FontRole else head_of(self._columns[section], role)
