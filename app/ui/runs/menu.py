"""What can be done with the table of runs, and with the rows that are selected in it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from app.ui.runs.columns import COLUMNS
from app.ui.widgets import tool_button
from app.words import tr


class RunsMenu(QMenu):
    """`acts` by their names; which rows they are about is known to the table."""

    sort_wanted = Signal(str)
    """The name of a column."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.acts: dict[str, QAction] = {}
        sorts = self.addMenu(tr("Sort by"))
        sorts.setObjectName("runs_sort")
        for column in COLUMNS:
            sorts.addAction(column.title).setData(column.name)
        sorts.triggered.connect(lambda action: self.sort_wanted.emit(action.data()))
        self.addSeparator()
        self._add("try_run", tr("Try This With…"))
        self._add("sweep_runs", tr("Sweep…"))
        self.addSeparator()
        self._add("export_run_tokens", tr("Export Tokens of the Run…"))
        self._add("copy_rows", tr("Copy Selected Rows as CSV"))
        self._add("save_rows", tr("Save Selected Rows as CSV…"))
        self._add("copy_table", tr("Copy Table as CSV"))
        self._add("save_table", tr("Save Table as CSV…"))
        self.offer(0)

    def offer(self, selected: int) -> None:
        """What is possible with so many rows."""
        for name in ("try_run", "export_run_tokens"):
            self.acts[name].setEnabled(selected == 1)
        self.acts["sweep_runs"].setEnabled(selected > 0)

    def _add(self, name: str, text: str) -> None:
        self.acts[name] = self.addAction(text)
        self.acts[name].setObjectName(name)


def menu_button(menu: RunsMenu) -> QToolButton:
    """Opens it."""
    button = tool_button("runs_more", "⋯", tr("Sort, copy and save the table"), tr("More"))
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return button
