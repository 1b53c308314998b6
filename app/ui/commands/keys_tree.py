"""All keys as a table, grouped as the menus are; what was typed in the search leaves only what fits."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeView

from app.actions import shown
from app.i18n import tr
from app.ui.commands.values import KeyRow
from app.ui.look import Colour, Size, Theme
from app.ui.widgets import named

ROW = Qt.ItemDataRole.UserRole
HEADS = (tr("Action"), tr("Keys"), tr("State"))
KEYS, STATE = 1, 2
KEYS_PX, STATE_PX = 210, 100
KEYS_SHARE, STATE_SHARE = 0.4, 0.16
"""Of the whole width: so much the keys and their state take at most, and the words have the rest."""
CHANGED, FIXED = tr("changed"), tr("fixed")


class KeysTree(QTreeView):
    """`turned` when another row, or none, is the current one."""

    turned = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        tip = tr("Every key that does something; those in the menus can be changed below")
        named(self, "shortcuts", tr("Keyboard shortcuts"), tip)
        self._theme = theme
        self._rows: tuple[KeyRow, ...] = ()
        self._sought = ""
        self._filling = False
        self._worn = True
        self._items = QStandardItemModel(0, len(HEADS), self)
        self._items.setHorizontalHeaderLabels(list(HEADS))
        self.setModel(self._items)
        self.setFont(theme.font(Size.NORMAL))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.header().setStretchLastSection(False)
        self.header().setSectionsMovable(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.selectionModel().currentChanged.connect(self._tell)
        theme.changed.connect(self._wear)
        self._divide()

    @property
    def current(self) -> KeyRow | None:
        """The row that the keyboard is on, unless that is a group."""
        row: KeyRow | None = self.currentIndex().siblingAtColumn(0).data(ROW)
        return row

    def show_rows(self, rows: Sequence[KeyRow]) -> None:
        """All there are, as they stand now; the current one stays so."""
        self._rows = tuple(rows)
        self._fill()

    def seek(self, typed: str) -> None:
        """Only what fits these words, or has such a key."""
        self._sought = typed.strip()
        self._fill()

    def select(self, row: KeyRow | None) -> None:
        """Go to the row with this text in this group; to the first there is, if it is not in sight."""
        groups = [self._items.item(number) for number in range(self._items.rowCount())]
        items = [group.child(number) for group in groups for number in range(group.rowCount())]
        names = (row.group, row.text) if row is not None else None
        alike = [item for item in items if (item.data(ROW).group, item.data(ROW).text) == names]
        for item in (alike or items)[:1]:
            self.setCurrentIndex(item.index())
            self.scrollTo(item.index())

    @Slot()
    def _wear(self) -> None:
        """Other colours, or text of another size; put in when it is next seen."""
        self._worn = self.isVisible()
        if self._worn:
            self._divide()
            self._fill()

    def _divide(self) -> None:
        """A state that would take more than its share steps aside: what is changed is bold, what is fixed is grey."""
        room, state = self.viewport().width(), self._theme.scaled(STATE_PX)
        self.header().resizeSection(KEYS, min(self._theme.scaled(KEYS_PX), round(KEYS_SHARE * room)))
        self.header().resizeSection(STATE, state)
        self.setColumnHidden(STATE, state > STATE_SHARE * room)

    def _fill(self) -> None:
        before, self._filling = self.current, True
        self._items.removeRows(0, self._items.rowCount())
        groups: dict[str, QStandardItem] = {}
        for row in self._rows:
            if _fits(row, self._sought):
                group = groups.get(row.group) or groups.setdefault(row.group, self._add_group(row.group))
                group.appendRow(self._items_of(row))
        self.expandAll()
        self.select(before)
        self._filling = False
        self.turned.emit()

    def _add_group(self, name: str) -> QStandardItem:
        group = QStandardItem(name)
        group.setFont(self._theme.font(Size.NORMAL, bold=True))
        group.setSelectable(False)
        self._items.appendRow(group)
        self.setFirstColumnSpanned(group.row(), QModelIndex(), True)
        return group

    def _items_of(self, row: KeyRow) -> list[QStandardItem]:
        state = "" if row.name and not row.changed else CHANGED if row.name else FIXED
        texts = (row.text, shown(row.keys), state)
        items = [QStandardItem(text) for text in texts]
        for item in items:
            item.setToolTip(row.tip or row.text)
        items[0].setData(row, ROW)
        items[0].setData(", ".join(filter(None, texts)), Qt.ItemDataRole.AccessibleTextRole)
        for item in items[1:] if row.name else items:
            item.setForeground(self._theme.colour(Colour.MUTED))
        if row.changed:
            items[1].setFont(self._theme.font(Size.NORMAL, bold=True))
        return items

    @Slot(QModelIndex, QModelIndex)
    def _tell(self) -> None:
        """While the rows are put in, no row is worth telling."""
        if not self._filling:
            self.turned.emit()

    def showEvent(self, event: QShowEvent) -> None:
        if not self._worn:
            self._wear()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()


def _fits(row: KeyRow, typed: str) -> bool:
    told = "\n".join((row.text, row.group, *row.keys, shown(row.keys))).casefold()
    return all(word in told for word in typed.casefold().split())
