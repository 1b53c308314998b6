"""The machines that share a model: how ssh calls each, and the addresses by which they reach each other."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from app.i18n import tr
from app.serving.types import Host
from app.ui.look import Size, Theme, scaled
from app.ui.widgets import in_column, in_row, named, push_button

TITLES = (tr("Name for ssh"), tr("IP addresses"))
TIPS = (
    tr("As in “ssh NAME”; 127.0.0.1 is this machine, and may stand here more than once"),
    tr("By which the others reach it, several with commas between them"),
)
HEIGHT_PX, ROW_PX = 132, 26
ADDRESS = re.compile(r"[^\s,;]+")


class HostsTable(QWidget):
    """`edited` whenever one of the hosts has changed."""

    edited = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        told = tr("One line for each process; F2 edits, the first is this machine")
        self._table = named(QTableWidget(0, len(TITLES)), "hosts", tr("Hosts"), told=told, font=theme.font(Size.NORMAL))
        self._table.setTabKeyNavigation(False)
        self._table.setShowGrid(False)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._table.verticalHeader().hide()
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._table.horizontalHeader().setHighlightSections(False)
        for column, (title, tip) in enumerate(zip(TITLES, TIPS, strict=True)):
            item = QTableWidgetItem(title)
            item.setToolTip(tip)
            item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            self._table.setHorizontalHeaderItem(column, item)
        scaled(theme, self._table, QWidget.setFixedHeight, HEIGHT_PX)
        scaled(theme, self._table.verticalHeader(), QHeaderView.setDefaultSectionSize, ROW_PX)
        self._table.itemChanged.connect(self.edited)
        tip = tr("One more process, at first on this machine")
        add = push_button("add_host", tr("Add host"), tip, press=self._add_one)
        tip = tr("Take the chosen line out")
        self._remove = push_button("remove_host", tr("Remove host"), tip, press=self._remove_one)
        self._table.itemSelectionChanged.connect(self._offer)
        in_row((self._table, 1), in_column(add, self._remove, ...), on=self)
        self._offer()

    @property
    def hosts(self) -> tuple[Host, ...]:
        """As they are typed."""
        rows = range(self._table.rowCount())
        return tuple(Host(self._cell(row, 0).strip(), tuple(ADDRESS.findall(self._cell(row, 1)))) for row in rows)

    def show_hosts(self, hosts: Sequence[Host]) -> None:
        """These in place of what was there; nobody is told."""
        self._table.blockSignals(True)
        self._table.setRowCount(len(hosts))
        for row, host in enumerate(hosts):
            self._table.setItem(row, 0, QTableWidgetItem(host.ssh))
            self._table.setItem(row, 1, QTableWidgetItem(", ".join(host.ips)))
        self._table.blockSignals(False)
        self._offer()

    def _cell(self, row: int, column: int) -> str:
        item = self._table.item(row, column)
        return item.text() if item is not None else ""

    @Slot()
    def _add_one(self) -> None:
        self.show_hosts((*self.hosts, Host()))
        self.edited.emit()
        self._table.setCurrentCell(self._table.rowCount() - 1, 0)

    @Slot()
    def _remove_one(self) -> None:
        chosen = self._table.currentRow()
        self.show_hosts([host for row, host in enumerate(self.hosts) if row != chosen])
        self.edited.emit()

    @Slot()
    def _offer(self) -> None:
        self._remove.setEnabled(self._table.currentRow() >= 0 and self._table.rowCount() > 1)
