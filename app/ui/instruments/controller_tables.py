"""Opens the tables behind the graph, the gauges and the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.actions import BY_NAME
from app.ui.instruments.cards import Cards
from app.ui.instruments.context_gauge import ContextGauge
from app.ui.instruments.memory_gauge import MemoryGauge
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look.theme import Theme

if TYPE_CHECKING:
    from app.ui.instruments.tables_dialog import TablesDialog


class TablesController(QObject):
    """Makes the dialog when it is first wanted; the gauges have it in their own menus."""

    def __init__(
        self,
        graph: SpeedGraph,
        cards: Cards,
        memory: MemoryGauge,
        context: ContextGauge,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._shown = (graph, cards, memory, context)
        self._theme = theme
        self._window = parent
        self._dialog: TablesDialog | None = None
        for gauge in (memory, context):
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

    def _open(self, first: int) -> None:
        if self._dialog is None:
            from app.ui.instruments.tables_dialog import TablesDialog

            self._dialog = TablesDialog(self._theme, self._window)
        self._dialog.show_numbers(tuple(each.numbers() for each in self._shown), first)
        self._dialog.open()
