"""Opens the tables behind the graph, the gauges and the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import BY_NAME
from app.ui.look import Theme
from app.ui.widgets import LazyWindow
from app.ui.widgets.numbers_table import Numbers

if TYPE_CHECKING:
    from app.ui.instruments.tables_dialog import TablesDialog


class Counted(Protocol):
    """An instrument that has its numbers as a table."""

    def numbers(self) -> Numbers: ...


class TablesController(QObject):
    """The gauges have the tables in their own menus."""

    def __init__(self, told_by: Sequence[Counted], gauges: Sequence[QWidget], theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._told_by = told_by
        self._theme = theme
        self._window = parent
        self._dialog = LazyWindow(self._make)
        for gauge in gauges:
            act = QAction(BY_NAME["show_tables"].text, gauge)
            act.setObjectName(f"{gauge.objectName()}_as_table")
            act.triggered.connect(self.show_gauges)
            gauge.addAction(act)
            gauge.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    @Slot()
    def show(self) -> None:
        """As things stand now."""
        self._open(0)

    @Slot()
    def show_gauges(self) -> None:
        """With the gauges in front."""
        self._open(2)

    def _make(self) -> TablesDialog:
        from app.ui.instruments.tables_dialog import TablesDialog

        return TablesDialog(self._theme, self._window)

    def _open(self, first: int) -> None:
        self._dialog.window.show_numbers([each.numbers() for each in self._told_by], first)
        self._dialog.window.open()
