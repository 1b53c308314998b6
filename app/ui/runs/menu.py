"""What can be done with the table of runs, and with the rows that are selected in it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.ui.runs.columns import COLUMNS
from app.ui.widgets.buttons import opening, tool_button
from app.words import tr


class RunsMenu(QMenu):
    """Tells what is wanted; of which rows is known to the table."""

    sort_wanted = Signal(str)
    """The name of a column."""
    trying_wanted = Signal()
    sweep_wanted = Signal()
    tokens_wanted = Signal()
    rows_wanted = Signal()
    """Those that are selected, on the clipboard."""
    saving_wanted = Signal()
    """Those that are selected, in a file."""
    copy_wanted = Signal()
    save_wanted = Signal()
    removal_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        sorts = self.addMenu(tr("Sort by"))
        sorts.setObjectName("runs_sort")
        for column in COLUMNS:
            action = sorts.addAction(column.title)
            action.setData(column.name)
        sorts.triggered.connect(self._sort)
        self.addSeparator()
        self._try = self._add("try_run", tr("Try This With…"), self.trying_wanted)
        self._sweep = self._add("sweep_runs", tr("Sweep…"), self.sweep_wanted)
        self.addSeparator()
        self._tokens = self._add("export_run_tokens", tr("Export Tokens of the Run…"), self.tokens_wanted)
        self._add("copy_rows", tr("Copy Selected Rows as CSV"), self.rows_wanted)
        self._add("save_rows", tr("Save Selected Rows as CSV…"), self.saving_wanted)
        self._add("copy_table", tr("Copy Table as CSV"), self.copy_wanted)
        self._add("save_table", tr("Save Table as CSV…"), self.save_wanted)
        self.addSeparator()
        self._remove = self._add("remove_runs", tr("Remove from the Table"), self.removal_wanted)
        self._remove.setShortcut(QKeySequence(Qt.Key.Key_Delete))
        self._remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.offer(0)

    def offer(self, selected: int) -> None:
        """What is possible with so many rows."""
        for action in (self._try, self._tokens):
            action.setEnabled(selected == 1)
        for action in (self._sweep, self._remove):
            action.setEnabled(selected > 0)

    def _add(self, name: str, text: str, wanted: SignalInstance) -> QAction:
        action = self.addAction(text)
        action.setObjectName(name)
        action.triggered.connect(wanted)
        return action

    @Slot(QAction)
    def _sort(self, action: QAction) -> None:
        self.sort_wanted.emit(action.data())


def menu_button(menu: RunsMenu) -> QToolButton:
    """Opens it."""
    return opening(tool_button("runs_more", "⋯", tr("Sort, copy and save the table"), tr("More")), menu)
