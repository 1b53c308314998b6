"""A table of texts whose cells can be selected and copied."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from operator import itemgetter

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate

from app.actions import shown
from app.i18n import tr
from app.number_format import UNIT, unbroken
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets.naming import as_tip
from app.ui.widgets.table import ROW_PX, Table
from app.ui.widgets.table_model import Column, Index, Role, TableModel

Words = tuple[str, ...]
PADDING_PX = 4 * GRID_PX
WIDEST_PX = 360
ROWS_MEASURED = 50
LONG_TITLE, LONG_LINE = 10, 12
FOLDED_PX = 10 * GRID_PX
BREAK, SPACE = "⏎", "␣"
LINE = "\u2028"
"""Qt's line separator within a cell."""
HYPHENED = re.compile(r"(.{1,11}-)(?=.)")
"""The part of a model's name that fits in a line of a heading."""
PREFIX, PLAIN = re.compile(r"[\d–−]"), re.compile(r"−?\d+(\.\d+)?")


class GridModel(TableModel[Words]):
    """Rows of texts. Columns of numbers are aligned to the right."""

    steady = True

    def show_words(self, head: Sequence[str], rows: Sequence[Sequence[str]], tips: Sequence[str]) -> None:
        """`tips` explain the headings."""
        columns: list[Column[Words]] = []
        for position, (title, tip) in enumerate(zip_longest(head, tips[: len(head)], fillvalue="")):
            number = _are_numbers([row[position] for row in rows], named=position == 0)
            columns.append(Column(title, title, itemgetter(position), tip, number=number))
        self.show_rows([tuple(row) for row in rows], columns)

    def shown(self, position: int, column: Column[Words]) -> str:
        return _seen(column.text(self.rows[position]))

    def spoken(self, position: int, column: Column[Words]) -> str:
        return f"{self.rows[position][0]}, {super().spoken(position, column)}"

    def tip(self, position: int, column: Column[Words]) -> str:
        return column.text(self.rows[position])

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        return self.rows[index.row()][index.column()] if role == Role.EditRole else super().data(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        content = super().headerData(section, orientation, role)
        if role == Role.DisplayRole and isinstance(content, str):
            return wrapped(content)
        if role == Role.AccessibleTextRole:
            return super().headerData(section, orientation)
        if role not in (Role.ToolTipRole, Role.WhatsThisRole):
            return content
        title = super().headerData(section, orientation)
        return as_tip(f"{title}: {content}") if content else title if role == Role.ToolTipRole else None


class WordTable(Table[GridModel]):
    """Copies the selected cells with their headings, separated by tabs."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        spoken: str,
        *,
        folds: bool = False,
        most_rows: int = 0,
        widest_px: int = WIDEST_PX,
    ) -> None:
        """`folds`: text in brackets has a line of its own, so that more columns fit.

        With `most_rows` the table is as high as its rows, up to this number. No column is wider than `widest_px`.
        """
        tip = tr("{table}: select cells and copy them ({key})").format(table=spoken, key=shown(("Ctrl+C",)))
        super().__init__(theme, GridModel(), name, spoken, tip, row_px=FOLDED_PX if folds else ROW_PX)
        self._folds, self._most_rows, self._widest_px = folds, most_rows, widest_px
        self.setWordWrap(folds)
        if folds:
            self.setItemDelegate(TwoLineDelegate(self))
        self.setFont(theme.font(Size.NORMAL))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        theme.resized.connect(self._give_room)
        copy = QAction(tr("Copy"), self)
        copy.setObjectName(f"{name}_copy")
        copy.triggered.connect(self.copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def show_rows(self, head: Sequence[str], rows: Sequence[Sequence[str]], tips: Sequence[str] = ()) -> None:
        """`tips` explain the headings. Columns are as wide as their texts, up to a limit."""
        self._rows.show_words(head, rows, tips)
        self.aside = tuple(column.name for column in reversed(self._rows.columns) if self._is_uniform(column))
        self._give_room()

    def _is_uniform(self, column: Column[Words]) -> bool:
        """Return whether all rows have the same text; such columns are hidden first."""
        return len({column.text(row) for row in self._rows.rows}) == 1

    def _give_room(self) -> None:
        metrics, widest = self.fontMetrics(), self._theme.scaled(self._widest_px)
        widths = {}
        for position, column in enumerate(self._rows.columns):
            cells = [row[position] for row in self._rows.rows[:ROWS_MEASURED]]
            lines = [line for cell in cells for line in (folded(cell).split("\n") if self._folds else [cell])]
            words = [*wrapped(column.title).split("\n"), *lines]
            width = max(metrics.horizontalAdvance(each[:WIDEST_PX]) for each in words) + PADDING_PX
            widths[column.name] = min(width, widest)
        self.set_widths(widths)
        if self._most_rows:
            rows = min(self._most_rows, self._rows.rowCount()) * self.verticalHeader().defaultSectionSize()
            self.setFixedHeight(self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth())

    def copied(self) -> str:
        """Return the selected cells, or all, as text."""
        chosen = self.selectionModel().selectedIndexes()
        rows = sorted({index.row() for index in chosen}) or range(self._rows.rowCount())
        positions = sorted({index.column() for index in chosen}) or range(self._rows.columnCount())
        lines = [[column.title for column in self._rows.columns], *(self._rows.rows[row] for row in rows)]
        return "".join("\t".join(_flat(line[position]) for position in positions) + "\n" for line in lines)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.copied())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)


class TwoLineDelegate(QStyledItemDelegate):
    """Draws texts in two lines."""

    def displayText(self, value: object, locale: QLocale | QLocale.Language) -> str:
        return unbroken(folded(str(value)).replace("\n", LINE))


def _are_numbers(words: Sequence[str], named: bool) -> bool:
    """Return whether a column has numbers; `named`: it has names, which may begin with a digit."""
    is_number = PLAIN.fullmatch if named else PREFIX.match
    return any(words) and all(not each or is_number(each) for each in words)


def _seen(words: str) -> str:
    """Make line ends visible, and spaces where there is nothing else."""
    return (words if words.strip(" ") else words.replace(" ", SPACE)).replace("\n", BREAK)


def folded(words: str) -> str:
    """Break a long text into two lines, before a bracket or in the middle."""
    at = words.rfind(" (")
    if at < 0 and len(words) > LONG_TITLE:
        # Never between a letter and a name, which two spaces separate, nor between a number and its unit.
        spaces = [position for position, each in enumerate(words) if each == " " and not UNIT.match(words, position)]
        single = [
            position for position in spaces if " " not in (words[position - 1], words[position + 1 : position + 2])
        ]
        at = min(single, key=lambda position: max(position, len(words) - position), default=at)
    return words if at < 0 else f"{words[:at].rstrip()}\n{words[at + 1 :]}"


def wrapped(title: str) -> str:
    """Break a long heading: the unit gets the last line, and a model's name breaks at hyphens."""
    first, line, last = folded(title).partition("\n")
    if len(title) <= LONG_TITLE or not line:
        return title if len(title) <= LONG_TITLE else HYPHENED.sub(r"\1\n", title)
    return f"{wrapped(first) if len(first) > LONG_LINE else first}\n{last}"


def _flat(words: str) -> str:
    return words.replace("\t", " ").replace("\n", BREAK)
