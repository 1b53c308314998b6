"""The values of graph, figures and gauges as tables, one per tab, at the time of opening."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QStackedWidget, QTabBar, QWidget

from app.i18n import tr
from app.ui.look import MARGIN_PX, Theme
from app.ui.widgets import begin_window, button_row, in_column, named, plain_label, push_button
from app.ui.widgets.table import Numbers, NumbersTable

FIRST_PX = (480, 440)
COPY, COPIED = tr("Copy as CSV"), tr("Copied")
NOTHING = tr("No numbers yet.")


class TablesDialog(QDialog):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        begin_window(theme, self, "numbers_dialog", tr("Numbers as Tables"), FIRST_PX, spoken=tr("Numbers as tables"))
        self._all: tuple[Numbers, ...] = ()
        self._tabs = named(QTabBar(), "numbers_tabs", tr("Tables"), tr("Arrow keys switch tabs"))
        self._tabs.setDrawBase(False)
        self._tabs.currentChanged.connect(self._show_table)
        self._table = NumbersTable(theme, "numbers_table")
        self._nothing = plain_label("numbers_nothing", NOTHING, muted=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._table)
        self._copy = push_button("numbers_copy", COPY, tr("Copies the displayed table as comma-separated values"))
        self._copy.clicked.connect(self._copy_table)
        self._close = push_button("numbers_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        in_column(self._tabs, (self._pages, 1), button_row(self._copy, self._close), on=self, margins=MARGIN_PX)

    def show_numbers(self, tables: Sequence[Numbers], first: int = 0) -> None:
        """Show these tables, with this tab in front."""
        self._all = tuple(tables)
        while self._tabs.count() < len(self._all):
            self._tabs.addTab("")
        for index, numbers in enumerate(self._all):
            self._tabs.setTabText(index, numbers.title)
        self._tabs.setCurrentIndex(first)
        self._show_table()

    def _show_table(self) -> None:
        numbers = self._all[self._tabs.currentIndex()] if self._all else Numbers("", ())
        self._table.show_numbers(numbers)
        self._pages.setCurrentWidget(self._table if numbers.rows else self._nothing)
        self._copy.setText(COPY)
        self._copy.setEnabled(bool(numbers.rows))

    def _copy_table(self) -> None:
        """Copy the table. The button confirms it, since a copy has no other visible effect."""
        QGuiApplication.clipboard().setText(self._all[self._tabs.currentIndex()].csv())
        self._copy.setText(COPIED)
