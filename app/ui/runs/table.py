"""The table of runs: rows are picked with mouse or keys, and stay picked whatever is sorted or filtered."""

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
from app.ui.widgets.text_direction import OwnDirection

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
"""Columns are as wide as these: to measure ten thousand rows would take longer than to draw them."""
IN_PIECES = {"tokens": tr("%n pieces", "%n piece", 2222)}
"""And as these where a server counted no tokens."""
MOST_STRETCHES = 500


class RunsTable(Table[RunsModel]):
    """`picked` with the runs that are selected, from the top."""

    picked = Signal(object)
    """tuple[int, ...]"""
    copied = Signal()
    """The selected rows are wanted on the clipboard."""
    removed = Signal()
    """They are not wanted in the table."""
    undo_wanted = Signal()
    undoable = False
    """Whether something that was removed can be brought back."""
    aside = ("reused", "prompt", "first", "seed", SESSION)

    def __init__(self, theme: Theme, menu: QMenu) -> None:
        tip = tr("Enter, or a double click, opens the session of a run")
        super().__init__(theme, RunsModel(theme), "runs", tr("Runs"), tip)
        self._menu = menu
        self._picked: tuple[int, ...] = ()
        self._restoring = False
        self.samples: Mapping[str, str] = SAMPLES
        """What its columns are as wide as."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setItemDelegate(OwnDirection(self))
        self.setSortingEnabled(True)
        Measured(theme, self, RunsTable.divide)
        self.sort_by(STARTED, Qt.SortOrder.DescendingOrder)
        self.selectionModel().selectionChanged.connect(self._tell)
        self._rows.modelReset.connect(self._restore)

    @property
    def rows(self) -> tuple[RunRow, ...]:
        """What is shown, from the top."""
        return self._rows.rows

    @property
    def picked_rows(self) -> tuple[RunRow, ...]:
        """What is selected, from the top."""
        chosen = set(self._picked)
        return tuple(row for row in self._rows.rows if row.id in chosen)

    def show_rows(self, rows: tuple[RunRow, ...], of_all: bool) -> None:
        """The session's name is worth a column only where there are several, and so is a draft model."""
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
        """As wide as the samples."""
        advance = self.horizontalHeader().fontMetrics().horizontalAdvance
        self.set_widths({name: advance(sample) + PADDING_PX for name, sample in self.samples.items()})

    def sort_by(self, name: str, order: Qt.SortOrder | None = None) -> None:
        """By this column, or the other way round where it is sorted by it already."""
        section, head = NAMES.index(name), self.horizontalHeader()
        if order is None:
            again = head.sortIndicatorSection() == section and head.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
            order = Qt.SortOrder.DescendingOrder if again else Qt.SortOrder.AscendingOrder
        self.sortByColumn(section, order)

    def pick(self, runs: tuple[int, ...]) -> None:
        """Select these, as far as they are shown."""
        where = {row.id: place for place, row in enumerate(self._rows.rows)} if runs else {}
        places = [where[run] for run in runs if run in where]
        selection = QItemSelection()
        for first, last in _stretches(places):
            selection.select(self._rows.index(first, 0), self._rows.index(last, len(COLUMNS) - 1))
        model = self.selectionModel()
        model.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if places:
            model.setCurrentIndex(self._rows.index(places[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(self._rows.index(places[0], 0))

    def _tell(self) -> None:
        if self._restoring:
            return
        chosen = self.selectionModel().selection()
        # Columns that were moved cut a row into several ranges.
        stretches = {(chosen.at(at).top(), chosen.at(at).bottom() + 1) for at in range(chosen.count())}
        rows = self._rows.rows
        picked = tuple(row.id for first, end in sorted(stretches) for row in rows[first:end])
        if picked != self._picked:
            self._picked = picked
            self.picked.emit(picked)

    def _restore(self) -> None:
        """After the rows were arranged anew; what the filter hides is no longer picked."""
        self._restoring = True
        self.pick(self._picked)
        self._restoring = False
        self._tell()

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


def _stretches(places: list[int]) -> list[tuple[int, int]]:
    """Neighbours together. Qt takes seconds over thousands of stretches, so those are given up."""
    found: list[tuple[int, int]] = []
    for place in sorted(places):
        if found and found[-1][1] == place - 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found if len(found) <= MOST_STRETCHES else []
