"""The table of runs; the selection survives sorting and filtering."""

from collections.abc import Mapping

from PySide6.QtCore import QDateTime, QItemSelection, QItemSelectionModel, QLocale, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu

from app.engine.types import Reason
from app.i18n import tr
from app.number_format import duration
from app.records.types import RunRow
from app.ui.look import GRID_PX, Measured, Theme
from app.ui.runs.columns import COLUMNS, DRAFT, OTHERS, SESSION, STARTED, THIS_YEAR
from app.ui.runs.table_model import RunsModel
from app.ui.widgets import Table
from app.ui.widgets.table_model import OwnDirection

PADDING_PX = 5 * GRID_PX
NAMES = [column.name for column in COLUMNS]
SAMPLES = {
    "started": QLocale().toString(QDateTime(2022, 11, 22, 22, 22, 22), THIS_YEAR),
    "session": "Some words of a",
    "model": "◆ demo-nam",
    "draft": "◆ demo-nam",
    "temperature": "◆ 0.70",
    "seed": "◆ 21474836470",
    "prompt": tr("Prompt"),
    "reused": tr("Reused"),
    "tokens": tr("Tokens"),
    "first": duration(0.222),
    "speed": tr("Tok/s"),
    "ending": Reason.STOP.plain_words,
    OTHERS: tr("Other settings"),
}
"""Texts that set the widths: measuring ten thousand rows would take longer than drawing them."""
IN_PIECES = {"tokens": tr("%n pieces", "%n piece", 2222)}
"""Texts for servers that count no tokens."""
MAX_RANGES = 500


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
        Measured(theme, self, RunsTable.divide)
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
        told = {SESSION: of_all, DRAFT: any(row.draft for row in rows)}
        self._absent = {name for name, there in told.items() if not there}
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
        where = {row.id: place for place, row in enumerate(self._rows.rows)} if runs else {}
        places = [where[run] for run in runs if run in where]
        selection = QItemSelection()
        for first, last in _ranges(places):
            selection.select(self._rows.index(first, 0), self._rows.index(last, len(COLUMNS) - 1))
        model = self.selectionModel()
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if places:
            model.setCurrentIndex(self._rows.index(places[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(self._rows.index(places[0], 0))

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
        held = event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.matches(QKeySequence.StandardKey.Undo):
            self.undo_wanted.emit()
        elif event.key() == Qt.Key.Key_Delete or (event.key() == Qt.Key.Key_Backspace and held):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu.popup(event.globalPos())


def _ranges(places: list[int]) -> list[tuple[int, int]]:
    """Group adjacent rows. Qt takes seconds for thousands of ranges, so those select nothing."""
    found: list[tuple[int, int]] = []
    for place in sorted(places):
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found if len(found) <= MAX_RANGES else []
