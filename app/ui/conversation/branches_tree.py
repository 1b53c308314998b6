"""The tree of a conversation: a row for each turn, further right where it parted; what is in sight is bold."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from app.i18n import tr
from app.ui.conversation.branches_values import BranchRow, Node, arranged
from app.ui.look import Size, Theme
from app.ui.widgets import as_tip, named
from app.ui.widgets.text_direction import OwnDirection

NUMBER = Qt.ItemDataRole.UserRole
HEADS = (tr("Turn"), tr("Forked"))
IN_SIGHT, ASIDE = "● ", "○ "
MOST_OF_IT = 0.55
"""What the words on where it forked have of the width at the most."""


class BranchTree(QTreeView):
    """`chosen` with the number of a turn that is to be shown; `turned` with the one that is selected."""

    chosen = Signal(int)
    turned = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "branches", tr("Branches"), tr("Enter or a double click shows a branch; ● is in sight now"))
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
        self.selectionModel().currentChanged.connect(self._turn)

    @property
    def current(self) -> int:
        """The number of the selected turn; 0: none."""
        return int(self.currentIndex().siblingAtColumn(0).data(NUMBER) or 0)

    def show_rows(self, rows: Sequence[BranchRow]) -> None:
        """All the turns there are; what was selected stays so, else the last one in sight is."""
        if tuple(rows) == self._rows:
            return
        current, self._rows = self.current, tuple(rows)
        self._items.removeRows(0, self._items.rowCount())
        for node in arranged(rows):
            self._add(self._items.invisibleRootItem(), node)
        self.expandAll()
        self._divide()
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
        mark = IN_SIGHT if row.shown else ASIDE
        items = [QStandardItem(f"{mark}{row.who}: {row.words}"), QStandardItem(row.parted)]
        for item in items:
            font = item.font()
            font.setBold(row.shown)
            item.setFont(font)
            item.setToolTip(as_tip(item.text()))
        items[0].setData(row.number, NUMBER)
        spoken = (f"{row.who}: {row.words}", row.parted, tr("in sight") if row.shown else "")
        items[0].setData(", ".join(filter(None, spoken)), Qt.ItemDataRole.AccessibleTextRole)
        above.appendRow(items)
        for below in node.below:
            self._add(items[0], below)

    def _divide(self) -> None:
        """Where it forked is told in full, as far as there is room."""
        wanted = max(self.sizeHintForColumn(1), self.header().sectionSizeHint(1))
        self.header().resizeSection(1, min(wanted, round(MOST_OF_IT * self.viewport().width())))

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(int(index.siblingAtColumn(0).data(NUMBER)))

    def _turn(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self.turned.emit(int(index.siblingAtColumn(0).data(NUMBER)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)
