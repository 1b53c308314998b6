"""The window of keyboard shortcuts: those of actions can be changed, those of widgets are listed."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShowEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QDialog, QHeaderView, QKeySequenceEdit, QLineEdit, QTreeView, QWidget

from app.actions import BY_NAME, shown
from app.actions.keys import portable
from app.i18n import tr
from app.ui.commands.ranking import KeyRow
from app.ui.look import MARGIN_PX, Color, Size, Theme, scaled
from app.ui.widgets import SmallPrint, in_column, in_row, layout_widget, named, plain_label, push_button
from app.ui.widgets.find_bar import SearchField

ROW = Qt.ItemDataRole.UserRole
HEADS = (tr("Action"), tr("Keys"), tr("State"))
KEYS, STATE = 1, 2
KEYS_PX, STATE_PX = 210, 100
KEYS_SHARE, STATE_SHARE = 0.4, 0.16
"""The largest shares of the width."""
CHANGED, FIXED = tr("changed"), tr("fixed")


class KeysTree(QTreeView):
    """All keys, grouped by menu. `show_current` is called when another row is current, or none."""

    def __init__(self, theme: Theme, show_current: Callable[[], object]) -> None:
        super().__init__()
        self._show_current = show_current
        tip = tr("All keyboard shortcuts; those of menu entries can be changed below")
        named(self, "shortcuts", tr("Keyboard shortcuts"), tip)
        self._theme = theme
        self._rows: tuple[KeyRow, ...] = ()
        self._filter = ""
        self._filling = False
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
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        theme.changed.connect(self._on_theme_changed)
        self._divide()

    @property
    def current(self) -> KeyRow | None:
        """The current row; None for a group."""
        row: KeyRow | None = self.currentIndex().siblingAtColumn(0).data(ROW)
        return row

    def show_rows(self, rows: Sequence[KeyRow]) -> None:
        """Replace the rows; the current one stays current."""
        self._rows = tuple(rows)
        self._fill()

    def seek(self, typed: str) -> None:
        """Show only rows with these words or keys."""
        self._filter = typed.strip()
        self._fill()

    def select(self, row: KeyRow | None) -> None:
        """Make a row current, else the first one."""
        groups = [self._items.item(number) for number in range(self._items.rowCount())]
        items = [group.child(number) for group in groups for number in range(group.rowCount())]
        names = (row.group, row.text) if row is not None else None
        alike = [item for item in items if (item.data(ROW).group, item.data(ROW).text) == names]
        for item in (alike or items)[:1]:
            self.setCurrentIndex(item.index())
            self.scrollTo(item.index())

    def _on_theme_changed(self) -> None:
        self._divide()
        self._fill()

    def _divide(self) -> None:
        """Set the widths; the column for the state is hidden where space is short: bold and muted text show it, too."""
        room, state = self.viewport().width(), self._theme.scaled(STATE_PX)
        self.header().resizeSection(KEYS, min(self._theme.scaled(KEYS_PX), round(KEYS_SHARE * room)))
        self.header().resizeSection(STATE, state)
        self.setColumnHidden(STATE, state > STATE_SHARE * room)

    def _fill(self) -> None:
        before, self._filling = self.current, True
        self._items.removeRows(0, self._items.rowCount())
        groups: dict[str, QStandardItem] = {}
        for row in self._rows:
            if _fits(row, self._filter):
                group = groups.get(row.group) or groups.setdefault(row.group, self._add_group(row.group))
                group.appendRow(self._items_of(row))
        self.expandAll()
        self.select(before)
        self._filling = False
        self._show_current()

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
            item.setForeground(self._theme.color(Color.MUTED))
        if row.changed:
            items[1].setFont(self._theme.font(Size.NORMAL, bold=True))
        return items

    def _on_current_changed(self) -> None:
        if not self._filling:
            self._show_current()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()


def _fits(row: KeyRow, typed: str) -> bool:
    text = "\n".join((row.text, row.group, *row.keys, shown(row.keys))).casefold()
    return all(word in text for word in typed.casefold().split())


FIELD_PX = (100, 150)
"""Minimum and maximum."""
FIRST, SECOND = tr("Shortcut"), tr("Second shortcut")
MAX_PX = (760, 760)
SHARE = 0.9
"""Share of the main window's size."""
NOT_CHANGEABLE = tr("This key belongs to a part of the window and can't be changed.")
NOTHING = tr("No action has these words or this key.")


def _field(theme: Theme, name: str, spoken: str) -> QKeySequenceEdit:
    field = named(QKeySequenceEdit(), name, spoken, tr("Press the keys; Tab moves to the next field"))
    field.setMaximumSequenceLength(1)
    scaled(theme, field, QWidget.setMinimumWidth, FIELD_PX[0])
    scaled(theme, field, QWidget.setMaximumWidth, FIELD_PX[1])
    for line in field.findChildren(QLineEdit):
        named(line, f"{name}_line", spoken)
    return field


class KeysSheet(QDialog):
    """The window of keyboard shortcuts. `change` sets those of an action; it returns why it refused them, or empty."""

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        change: Callable[[str, tuple[str, ...]], str],
        reset_all: Callable[[], object],
    ) -> None:
        super().__init__(parent)
        named(self, "shortcuts_sheet", tr("Keyboard shortcuts"))
        self.setWindowTitle(tr("Keyboard Shortcuts"))
        self._theme = theme
        self._behind = parent
        self._change = change
        tip = tr("Letters of an action, or a key")
        self._search = SearchField("shortcuts_search", tr("Search the shortcuts"), tr("Search actions and keys"), tip)
        self.tree = KeysTree(theme, self._show_current)
        self._words = SmallPrint(theme, "shortcut_words")
        self._fields = (_field(theme, "shortcut_first", FIRST), _field(theme, "shortcut_second", SECOND))
        tip = tr("Remove the shortcuts of this action")
        self._remove = push_button("shortcut_remove", tr("Remove"), tip, press=lambda: self._set_keys(()))
        tip = tr("Reset this action to its default shortcut")
        self._reset = push_button("shortcut_reset", tr("Reset"), tip, press=self._reset_current)
        tip = tr("Reset all actions to their default shortcuts")
        self._all = push_button("shortcuts_reset_all", tr("Reset All"), tip, press=reset_all)
        close = push_button("shortcuts_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        first, second = self._fields
        fields = plain_label("", FIRST), (first, 1), plain_label("", tr("or")), (second, 1)
        self._editor = layout_widget(in_row(*fields, self._remove, self._reset, ...))
        in_column(
            self._search,
            (self.tree, 1),
            self._words,
            self._editor,
            in_row(self._all, ..., close),
            on=self,
            margins=MARGIN_PX,
        )
        self._search.textChanged.connect(self.tree.seek)
        for field in self._fields:
            field.editingFinished.connect(self._set_pressed)

    def show_rows(self, rows: Sequence[KeyRow]) -> None:
        self.tree.show_rows(rows)
        self._all.setEnabled(any(row.changed for row in rows))

    def open_fitted(self) -> None:
        """Open, at most as large as the main window."""
        behind = (self._behind.width(), self._behind.height())
        most = map(self._theme.scaled, MAX_PX)
        self.resize(*(min(side, int(SHARE * room)) for side, room in zip(most, behind, strict=True)))
        self.open()

    def _show_current(self) -> None:
        row = self.tree.current
        self._words.say(NOTHING if row is None else row.tip or NOT_CHANGEABLE, "muted")
        self._show_keys(row)

    def _show_keys(self, row: KeyRow | None) -> None:
        """Show the shortcuts of a row; None or a fixed row disables the editor."""
        keys = row.keys if row is not None and row.name else ()
        for number, field in enumerate(self._fields):
            field.setKeySequence(QKeySequence(keys[number]) if number < len(keys) else QKeySequence())
        self._editor.setEnabled(row is not None and bool(row.name))
        self._remove.setEnabled(bool(keys))
        self._reset.setEnabled(row is not None and row.changed)

    def _set_pressed(self) -> None:
        """Set both shortcuts; equal ones count once."""
        self._set_keys(tuple(dict.fromkeys(filter(None, (portable(field.keySequence()) for field in self._fields)))))

    def _reset_current(self) -> None:
        if (row := self.tree.current) is not None:
            self._set_keys(BY_NAME[row.name].shortcuts)

    def _set_keys(self, keys: tuple[str, ...]) -> None:
        """Set the shortcuts of the current row; if they are refused, show why, and restore the previous ones."""
        row = self.tree.current
        if row is not None and (refusal := self._change(row.name, keys)):
            self._show_keys(row)
            self._words.say(refusal, "error")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._search.setFocus()
        self._search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the rows on Down; press no button on Enter."""
        if event.key() == Qt.Key.Key_Down and self._search.hasFocus():
            self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
