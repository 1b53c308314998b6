"""A read-only table in which rows are selected, and which the Tab key leaves.

Columns are never hidden behind a scroll bar. Without room for all, names are elided first, then less important columns
are hidden. A button at the end of the header shows how many are hidden; its menu, or a right click on the header,
chooses the shown ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QEvent, QItemSelection, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyle, QTableView

from app.definitions import of_name
from app.i18n import tr
from app.ui.look import GRID_PX, Color, Size, Theme, scaled
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.naming import named
from app.ui.widgets.table_model import LEFT, Column, TableModel

ROW_PX = 6 * GRID_PX
PLACE, SHOWN, HIDDEN = "=+-"
"""Prefix of a column's name in the settings: the user has moved, shown or hidden it."""
MOST_KEPT = 200
LEAST_OF_NAMES = 0.5
"""Share of the width that the first column keeps when it is elided."""
FEW = 2
"""With this many visible columns or fewer, the button in the header has a short text."""
Model = TypeVar("Model", bound=TableModel[Any])


class Table(QTableView, Generic[Model]):
    """A table of `rows` with one current row. The first column is always visible."""

    aside: tuple[str, ...] = ()
    """Columns in the order in which they are hidden; after them, the others from the last one on."""

    def __init__(
        self,
        theme: Theme,
        rows: Model,
        name: str,
        spoken: str = "",
        tip: str = "",
        *,
        description: str = "",
        row_px: int = ROW_PX,
    ) -> None:
        super().__init__()
        named(self, name, spoken, tip, description=description)
        self._theme = theme
        self._rows = rows
        self._widths: dict[str, int] = {}
        self._chosen: dict[str, bool] = {}
        """Columns that the user has shown or hidden."""
        self._absent: set[str] = set()
        """Columns that are empty now."""
        self._cut: set[str] = set()
        """Columns that are narrower than their text."""
        self._recalled: list[str] = []
        """The columns whose position was restored from the settings."""
        rows.setParent(self)
        self.setModel(rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        scaled(theme, self.verticalHeader(), QHeaderView.setDefaultSectionSize, row_px)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsMovable(True)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._ask_for_columns)
        tip = tr("Choose the columns")
        self._more = tool_button(f"{name}_columns", "", tip, tip, kind="small", press=self._ask_below)
        self._more.setParent(self)
        self._more.hide()
        head.sectionMoved.connect(self._keep_order)

    def set_widths(self, widths: Mapping[str, int]) -> None:
        """Set the minimum widths of these columns."""
        self._widths |= widths
        for section, column in enumerate(self._rows.columns):
            if column.name in widths:
                self.horizontalHeader().resizeSection(section, widths[column.name])
        self._recall()
        self.fit()

    def _recall(self) -> None:
        """Restore the user's order; columns that didn't exist then come after the first column."""
        names = [column.name for column in self._rows.columns]
        if names == self._recalled:
            return
        self._recalled = []
        kept = self._theme.tables.get(self.objectName(), ())
        self._chosen = {each[1:]: each[0] == SHOWN for each in kept if each[:1] in (SHOWN, HIDDEN)}
        known = [each[1:] for each in kept if each[:1] == PLACE and each[1:] in names]
        new = [each for each in names if each not in known]
        head = self.horizontalHeader()
        for position, name in enumerate([*known[:1], *new, *known[1:]]):
            head.moveSection(head.visualIndex(names.index(name)), position)
        self._recalled = names

    def _keep_order(self) -> None:
        """Save the order of the columns; saved columns that aren't in this table now are preserved."""
        if self._recalled:
            self._keep([PLACE + name for name in self._order()])
        self.fit()

    def _order(self) -> list[str]:
        head = self.horizontalHeader()
        return [self._rows.columns[head.logicalIndex(position)].name for position in range(head.count())]

    def _keep(self, entries: Sequence[str]) -> None:
        """Save entries for columns, replacing their earlier ones."""
        kinds = {(each[0] == PLACE, each[1:]) for each in entries}
        before = self._theme.tables.get(self.objectName(), ())
        old = [each for each in before if (each[:1] == PLACE, each[1:]) not in kinds]
        self._theme.tables[self.objectName()] = (*entries, *old)[:MOST_KEPT]

    def fit(self) -> None:
        """Show as many columns as there is room for."""
        if not self._widths or not self._rows.columns:
            return
        columns = [each for each in self._rows.columns if each.name not in self._absent]
        shown = [each.name for each in columns if self._chosen.get(each.name, True) or each is columns[0]]
        self._step_aside(columns, shown)
        head = self.horizontalHeader()
        # Qt would still count the width of a stretched column that is hidden.
        head.setStretchLastSection(False)
        for section, column in enumerate(self._rows.columns):
            self.setColumnHidden(section, column.name not in shown)
        self._count_hidden(len(columns) - len(shown), short=len(shown) <= FEW)
        self._cut_names(shown)
        # A stretched column of numbers would be far from the others.
        in_sight = [
            position for position in range(head.count()) if not self.isColumnHidden(head.logicalIndex(position))
        ]
        head.setStretchLastSection(not self._rows.columns[head.logicalIndex(in_sight[-1])].number)

    def _step_aside(self, columns: list[Column[Any]], shown: list[str]) -> None:
        """Hide columns until the rest fits, but at least the first and one more remain; then show narrow ones again
        that still fit.
        """
        room = self.viewport().width()
        least = self._least_of_names(shown, room)
        self._count_hidden(len(columns))  # the long text, for its width

        def left() -> int:
            button = self._more.sizeHint().width() if len(shown) < len(columns) else 0
            return room - button - least - sum(self._widths.get(each, 0) for each in shown[1:])

        hidden: list[str] = []
        for name in self._least_wanted(shown)[:-1]:
            if left() >= 0:
                break
            shown.remove(name)
            hidden.append(name)
        for name in reversed(hidden):
            if self._widths.get(name, 0) <= left():
                shown.append(name)  # noqa: PERF401  # each leaves less room

    def _cut_names(self, shown: list[str]) -> None:
        """Elide the first column to make room for the others; if that isn't enough, elide the last column."""
        room = self.viewport().width() - (self._more.width() if self._more.isVisibleTo(self) else 0)
        names, *others = (self._widths.get(each, 0) for each in shown)
        least = self._least_of_names(shown, room)
        widths = [max(least, min(names, room - sum(others))), *(min(each, room - least) for each in others)]
        cut = {name: width for name, width in zip(shown, widths, strict=True) if width < self._widths.get(name, 0)}
        for section, column in enumerate(self._rows.columns):
            if column.name in cut or column.name in self._cut:
                self.horizontalHeader().resizeSection(section, cut.get(column.name, self._widths[column.name]))
        self._cut = set(cut)

    def _least_wanted(self, shown: list[str]) -> list[str]:
        """Return the columns in the order of hiding, without the first; those that the user has shown or moved to the
        front come last.
        """
        kept = self._theme.tables.get(self.objectName(), ())
        aside = () if any(each[:1] == PLACE for each in kept) else self.aside
        order = [*aside, *(name for name in reversed(self._order()) if name not in aside)]
        known = [name for name in order if name in shown and name != shown[0]]
        return sorted(known, key=lambda name: self._chosen.get(name, False))

    def _least_of_names(self, shown: list[str], room: int) -> int:
        return min(self._widths.get(shown[0], 0), round(room * LEAST_OF_NAMES))

    def _count_hidden(self, count: int, short: bool = False) -> None:
        self._more.setText(f"+{count}" if short else tr("%n more", "%n more", count))
        self._more.setAccessibleName(tr("%n more columns", "%n more column", count))
        self._more.setVisible(bool(count))
        self._place_more()

    def _place_more(self) -> None:
        self._more.adjustSize()
        head, rect = self.horizontalHeader().geometry(), self._more.rect()
        rect.moveCenter(head.center())
        rect.moveRight(head.right() - 1)
        self._more.setGeometry(QStyle.visualRect(self.layoutDirection(), head, rect))

    def _ask_below(self) -> None:
        self._show_menu(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _ask_for_columns(self, position: QPoint) -> None:
        self._show_menu(self.horizontalHeader().mapToGlobal(position))

    def _show_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for section, column in enumerate(self._rows.columns):
            if section and column.name not in self._absent:
                action = menu.addAction(column.title)
                action.setCheckable(True)
                action.setChecked(not self.isColumnHidden(section))
                action.setData(column.name)
        menu.triggered.connect(self._choose_column)
        menu.popup(position)

    def _choose_column(self, action: QAction) -> None:
        self._chosen[action.data()] = action.isChecked()
        self._keep([(SHOWN if action.isChecked() else HIDDEN) + action.data()])
        self.fit()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background of a selected row up to the edge; Qt's ends with the last column."""
        end, chosen = self.horizontalHeader().length(), self.selectionModel().selection()
        area, ground = self.viewport().rect(), self._theme.color(Color.USER)
        with QPainter(self.viewport()) as painter:
            for rows in map(chosen.at, range(chosen.count())):
                if rows.width() == self._rows.columnCount():
                    top, last = self.rowViewportPosition(rows.top()), rows.bottom()
                    below = self.rowViewportPosition(last) + self.rowHeight(last)
                    beside = QRect(end, top, area.width() - end, below - top)
                    painter.fillRect(QStyle.visualRect(self.layoutDirection(), area, beside), ground)
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()


@dataclass(frozen=True, slots=True)
class Numbers:
    """A table's title, the headings of its columns, and its rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()

    def csv(self) -> str:
        """Return the table as CSV, without thousands separators."""
        lines = (self.columns, *self.rows)
        return "".join(",".join(cell.replace(",", "") for cell in line) + "\n" for line in lines)


class NumbersModel(TableModel[tuple[str, ...]]):
    nothing = ""

    def show_numbers(self, numbers: Numbers) -> None:
        columns: list[Column[tuple[str, ...]]] = []
        for position, title in enumerate(numbers.columns):
            columns.append(Column(title, title, itemgetter(position), of_name(title), number=False))
        self.show_rows(numbers.rows, columns)

    def tip(self, position: int, column: Column[tuple[str, ...]]) -> str:
        return of_name(self.rows[position][0]) or column.tip


class NumbersTable(Table[NumbersModel]):
    """A table view for `Numbers`."""

    def __init__(self, theme: Theme, name: str, wide: int | None = None) -> None:
        """`wide`: the column that gets the remaining width and wraps its text."""
        super().__init__(theme, NumbersModel(), name, description=tr("The arrow keys move between the numbers"))
        self._wide = wide
        if wide is not None:
            self.setWordWrap(True)
            later = Qt.ConnectionType.QueuedConnection
            self.horizontalHeader().sectionResized.connect(self.resizeRowsToContents, later)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setFont(theme.font(Size.NORMAL))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setDefaultAlignment(LEFT)

    def show_numbers(self, numbers: Numbers) -> None:
        self.setAccessibleName(numbers.title)
        self._rows.show_numbers(numbers)
        if self._wide is not None:
            fitting = QHeaderView.ResizeMode.ResizeToContents
            for position in range(len(numbers.columns)):
                mode = QHeaderView.ResizeMode.Stretch if position == self._wide else fitting
                self.horizontalHeader().setSectionResizeMode(position, mode)
            self.resizeRowsToContents()
        self.setCurrentIndex(self._rows.index(0, 0))
