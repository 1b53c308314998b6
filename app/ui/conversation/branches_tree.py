"""The tree of a conversation's branches: a row for each turn, indented where it forked; shown turns are bold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from app.i18n import tr
from app.ui.look import Size, Theme
from app.ui.widgets import as_tip, named
from app.ui.widgets.table_model import OwnDirection

NUMBER = Qt.ItemDataRole.UserRole
HEADS = (tr("Turn"), tr("Forked"))
SHOWN, HIDDEN = "● ", "○ "
MAX_FORK_SHARE = 0.55
"""Maximum share of the width for the column “Forked”."""


@dataclass(frozen=True, slots=True)
class BranchRow:
    """The row of a turn. `follows` is the number of its parent, 0 for a first turn."""

    number: int
    follows: int
    who: str
    words: str
    fork: str = ""
    """Description of the token where it forked from another answer."""
    shown: bool = False


@dataclass(slots=True)
class Node:
    """A row with its children."""

    row: BranchRow
    below: list[Node]


def arrange(rows: Sequence[BranchRow]) -> list[Node]:
    """Build a tree from the rows, indented only where the conversation forks."""
    following: dict[int, list[BranchRow]] = {}
    for row in sorted(rows, key=lambda row: row.number):
        following.setdefault(row.follows, []).append(row)
    top: list[Node] = []
    waiting = [(0, top)]
    while waiting:
        number, siblings = waiting.pop()
        here = following.pop(number, [])
        for row in here:
            node = Node(row, [])
            siblings.append(node)
            forks = len(here) > 1 or len(following.get(row.number, ())) > 1
            waiting.append((row.number, node.below if forks else siblings))
    return top


class BranchTree(QTreeView):
    """The tree. Emits `chosen` with the number of a turn to show, and `selection_changed` with the selected one."""

    chosen = Signal(int)
    selection_changed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "branches", tr("Branches"), tr("Enter or a double click shows a branch; ● marks the shown one"))
        self._rows: tuple[BranchRow, ...] = ()
        self._items = QStandardItemModel(0, len(HEADS), self)
        self._items.setHorizontalHeaderLabels(list(HEADS))
        self.setModel(self._items)
        self.setFont(theme.font(Size.NORMAL))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setItemDelegate(OwnDirection(self))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.doubleClicked.connect(self._choose)
        self.selectionModel().currentChanged.connect(self._on_current_changed)

    @property
    def current(self) -> int:
        """Number of the selected turn; 0 for none."""
        return int(self.currentIndex().siblingAtColumn(0).data(NUMBER) or 0)

    def show_rows(self, rows: Sequence[BranchRow]) -> None:
        """Show all turns. Keep the selection, or else select the last shown turn."""
        if tuple(rows) == self._rows:
            return
        current, self._rows = self.current, tuple(rows)
        self._items.removeRows(0, self._items.rowCount())
        for node in arrange(rows):
            self._add(self._items.invisibleRootItem(), node)
        self.expandAll()
        self._fit_columns()
        shown = [row.number for row in rows if row.shown]
        numbers = {row.number for row in rows}
        self.select(current if current in numbers else shown[-1] if shown else 0)

    def select(self, number: int) -> None:
        flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
        found = self._items.match(self._items.index(0, 0), NUMBER, number, 1, flags)
        if found:
            self.setCurrentIndex(found[0])
            self.scrollTo(found[0])

    def _add(self, above: QStandardItem, node: Node) -> None:
        row = node.row
        mark = SHOWN if row.shown else HIDDEN
        items = [QStandardItem(f"{mark}{row.who}: {row.words}"), QStandardItem(row.fork)]
        for item in items:
            font = item.font()
            font.setBold(row.shown)
            item.setFont(font)
            item.setToolTip(as_tip(item.text()))
        items[0].setData(row.number, NUMBER)
        spoken = (f"{row.who}: {row.words}", row.fork, tr("shown") if row.shown else "")
        items[0].setData(", ".join(filter(None, spoken)), Qt.ItemDataRole.AccessibleTextRole)
        above.appendRow(items)
        for below in node.below:
            self._add(items[0], below)

    def _fit_columns(self) -> None:
        wanted = max(self.sizeHintForColumn(1), self.header().sectionSizeHint(1))
        self.header().resizeSection(1, min(wanted, round(MAX_FORK_SHARE * self.viewport().width())))

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(int(index.siblingAtColumn(0).data(NUMBER)))

    def _on_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self.selection_changed.emit(int(index.siblingAtColumn(0).data(NUMBER)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)
