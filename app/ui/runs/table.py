"""The table of runs: filtered, sorted, each row compared with the one above."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QDateTime, QItemSelection, QItemSelectionModel, QLocale, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu

from app.engine.types import Reason
from app.i18n import tr
from app.number_format import duration
from app.records.run_settings import SettingDifference, differences
from app.records.types import RunRow
from app.ui.look import GRID_PX, Size, TextSizeFollower, Theme
from app.ui.runs.columns import (
    ANSWER,
    COLUMNS,
    DRAFT,
    MARK,
    OTHERS,
    QUESTION,
    SESSION,
    SETTINGS,
    STARTED,
    explained,
    haystack,
    setting_text,
)
from app.ui.widgets import Column, Table, TableModel
from app.ui.widgets.dates import THIS_YEAR
from app.ui.widgets.table_model import OwnDirection

PADDING_PX = 5 * GRID_PX
NAMES = [column.name for column in COLUMNS]
SAMPLES = {
    "started": QLocale().toString(QDateTime(2022, 11, 22, 22, 22, 22), THIS_YEAR),
    "session": "Some words of a",
    QUESTION: "Some words of a question",
    ANSWER: "Some words of an answer",
    "model": "◆ demo-nam",
    "draft": "◆ demo-nam",
    "temperature": "◆ 0.70",
    "seed": "◆ 21474836470",
    "prompt": tr("Prompt tokens"),
    "reused": tr("Reused"),
    "tokens": tr("Tokens"),
    "first": duration(0.222),
    "speed": tr("Tok/s"),
    "ending": Reason.LENGTH.plain_words,
    OTHERS: tr("Changed settings"),
}
"""Texts that set the widths: measuring ten thousand rows would take longer than drawing them."""
IN_PIECES = {"tokens": tr("%n pieces", "%n piece", 2222)}
"""Texts for servers that count no tokens."""
MAX_RANGES = 500


@dataclass(frozen=True, slots=True)
class RowDifferences:
    """Differences to the row above by column; `others` lists settings without a column."""

    own: dict[str, str]
    others: str = ""


class RunsModel(TableModel[RunRow]):
    """Marks the settings that differ from the row above."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(COLUMNS)
        self._theme = theme
        self._haystacks: dict[int, str] = {}
        self._seeds: Counter[int | None] = Counter()
        self._above: dict[int, RowDifferences] = {}

    def show_rows(self, rows: Sequence[RunRow], columns: Sequence[Column[RunRow]] | None = None) -> None:
        self._haystacks.clear()
        self._seeds = Counter(row.seed for row in rows)
        super().show_rows(rows, columns)

    def matches(self, row: RunRow, text: str) -> bool:
        """Whether all words occur in the row."""
        found = self._haystacks.get(row.id) or self._haystacks.setdefault(row.id, haystack(row))
        return all(word in found for word in text.split())

    def sort_key(self, column: Column[RunRow], row: RunRow) -> tuple[str, float]:
        """Sort numbers by value and text without regard to case."""
        value = column.value(row)
        return (value.casefold(), row.started) if isinstance(value, str) else ("", float(value or 0))

    def shown(self, position: int, column: Column[RunRow]) -> str:
        text = self._text(position, column)
        return f"{MARK}{text}" if self._differs(position, column) else text

    def spoken(self, position: int, column: Column[RunRow]) -> str | None:
        if not self._differs(position, column):
            return None
        words = tr("{column}: {text}, differs from the row above")
        return words.format(column=column.title, text=self._text(position, column))

    def tip(self, position: int, column: Column[RunRow]) -> str:
        return self._compare(position).own.get(column.name) or self._text(position, column)

    def font(self, position: int, column: Column[RunRow]) -> QFont | None:
        return self._theme.font(Size.NORMAL, bold=True) if self._differs(position, column) else None

    def _text(self, position: int, column: Column[RunRow]) -> str:
        return self._compare(position).others if column.name == OTHERS else column.text(self.rows[position])

    def _differs(self, position: int, column: Column[RunRow]) -> bool:
        return column.name in self._compare(position).own

    def _compare(self, position: int) -> RowDifferences:
        """Compare with the row above; cached, since Qt asks often."""
        if position not in self._above:
            found = self._changes(self.rows[position - 1], self.rows[position]) if position else ()
            own = {SETTINGS[each.name]: explained(each) for each in found if each.name in SETTINGS}
            rest = [each for each in found if each.name not in SETTINGS]
            if rest:
                own[OTHERS] = "\n".join(map(explained, rest))
            self._above[position] = RowDifferences(own, ", ".join(map(setting_text, rest)))
        return self._above[position]

    def _changes(self, before: RunRow, after: RunRow) -> list[SettingDifference]:
        """Return the differences without random seeds, which the user didn't set."""
        drawn = all(row.seed is not None and self._seeds[row.seed] == 1 for row in (before, after))
        return [each for each in differences(before, after) if not (drawn and each.name == "seed")]

    def _arrange(self, columns: tuple[Column[RunRow], ...]) -> None:
        self._above.clear()
        super()._arrange(columns)


class RunsTable(Table[RunsModel]):
    """`picked` carries the selected runs from the top."""

    picked = Signal(object)
    """tuple[int, ...]"""
    copied = Signal()
    """Copy the selected rows."""
    removed = Signal()
    """Remove the selected rows."""
    undo_wanted = Signal()
    undoable = False
    """Whether a removal can be undone."""
    aside = ("reused", "prompt", "first", "seed", SESSION)

    def __init__(self, theme: Theme, menu: QMenu) -> None:
        tip = tr("Enter, or a double click, opens the session of a run")
        super().__init__(theme, RunsModel(theme), "runs", tr("Runs"), tip)
        self._menu = menu
        self._picked: tuple[int, ...] = ()
        self._restoring = False
        self.samples: Mapping[str, str] = SAMPLES
        """Texts that set the widths."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegate(OwnDirection(self))
        self.setSortingEnabled(True)
        TextSizeFollower(theme, self, RunsTable.divide)
        self.sort_by(STARTED, Qt.SortOrder.DescendingOrder)
        self.selectionModel().selectionChanged.connect(self._emit_picked)
        self._rows.modelReset.connect(self._restore)

    @property
    def rows(self) -> tuple[RunRow, ...]:
        """The visible rows."""
        return self._rows.rows

    @property
    def picked_rows(self) -> tuple[RunRow, ...]:
        """The selected rows."""
        chosen = set(self._picked)
        return tuple(row for row in self._rows.rows if row.id in chosen)

    def show_rows(self, rows: tuple[RunRow, ...], of_all: bool) -> None:
        """Show the rows; the columns for session and draft model only where they are needed."""
        has_values = {SESSION: of_all, DRAFT: any(row.draft for row in rows)}
        self._absent = {name for name, has_value in has_values.items() if not has_value}
        if self.samples is SAMPLES and any(row.pieces for row in rows):
            self.samples = SAMPLES | IN_PIECES
            self.divide()
        self.fit()
        self._rows.show_rows(rows)

    def filter(self, text: str) -> None:
        self._rows.filter(text)

    def divide(self) -> None:
        advance = self.horizontalHeader().fontMetrics().horizontalAdvance
        self.set_widths({name: advance(sample) + PADDING_PX for name, sample in self.samples.items()})

    def sort_by(self, name: str, order: Qt.SortOrder | None = None) -> None:
        """Sort by a column, or reverse its order."""
        section, head = NAMES.index(name), self.horizontalHeader()
        if order is None:
            again = head.sortIndicatorSection() == section and head.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            order = Qt.SortOrder.DescendingOrder if again else Qt.SortOrder.AscendingOrder
        self.sortByColumn(section, order)

    def pick(self, runs: tuple[int, ...]) -> None:
        """Select the visible runs among these."""
        where = {row.id: position for position, row in enumerate(self._rows.rows)} if runs else {}
        positions = [where[run] for run in runs if run in where]
        selection = QItemSelection()
        for first, last in _ranges(positions):
            selection.select(self._rows.index(first, 0), self._rows.index(last, len(COLUMNS) - 1))
        model = self.selectionModel()
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if positions:
            model.setCurrentIndex(self._rows.index(positions[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(self._rows.index(positions[0], 0))

    def _emit_picked(self) -> None:
        if self._restoring:
            return
        chosen = self.selectionModel().selection()
        # Moved columns split a row into several ranges.
        stretches = {(chosen.at(at).top(), chosen.at(at).bottom() + 1) for at in range(chosen.count())}
        rows = self._rows.rows
        picked = tuple(row.id for first, end in sorted(stretches) for row in rows[first:end])
        if picked != self._picked:
            self._picked = picked
            self.picked.emit(picked)

    def _restore(self) -> None:
        """Select the same runs after sorting or filtering; hidden ones are dropped."""
        self._restoring = True
        self.pick(self._picked)
        self._restoring = False
        self._emit_picked()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        has_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_wanted.emit()
        elif event.key() == Qt.Key.Key_Delete or (event.key() == Qt.Key.Key_Backspace and has_control):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu.popup(event.globalPos())


def _ranges(positions: list[int]) -> list[tuple[int, int]]:
    """Group adjacent rows. Qt takes seconds for thousands of ranges, so those select nothing."""
    found: list[tuple[int, int]] = []
    for position in sorted(positions):
        if found and found[-1][1] == position - 1:
            found[-1] = (found[-1][0], position)
        else:
            found.append((position, position))
    return found if len(found) <= MAX_RANGES else []
