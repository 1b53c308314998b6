"""The table of the logit lens: a darker background is a higher probability."""

from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from app.i18n import tr
from app.ui.interpretability.lens_cells import LensCell, LensGrid
from app.ui.look import GRID_PX, UNLIMITED_PX, Color, Size, Theme, scaled
from app.ui.tokens.colors import likely_ground
from app.ui.widgets import Column, TableModel, named
from app.ui.widgets.table_model import ROW, Index, Role

Line = tuple[LensCell, ...]
MIN_ROWS = 6
ROW_PX = 5 * GRID_PX + 2
MAX_CELL_PX, MIN_CELL_PX = 88, 32
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class LensGridModel(TableModel[Line]):
    """The table model of the lens: a row for each layer, counted from 0."""

    def show_grid(self, grid: LensGrid) -> None:
        columns: list[Column[Line]] = [
            Column(str(at), head, partial(_shown, at), number=False) for at, head in enumerate(grid.heads)
        ]
        self.show_rows(grid.lines, columns)

    def spoken(self, position: int, column: Column[Line]) -> str:
        return self.rows[position][int(column.name)].spoken

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation is Qt.Orientation.Horizontal:
            return super().headerData(section, orientation, role)
        layer = {Role.DisplayRole: str(section), Role.AccessibleTextRole: tr("Layer {layer}").format(layer=section)}
        return layer.get(Role(role))


def _shown(at: int, line: Line) -> str:
    return line[at].shown


class CellDelegate(QStyledItemDelegate):
    """A delegate that shows the sampled token in bold."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._theme = theme

    def font(self, cell: LensCell) -> QFont:
        return self._theme.font(Size.SMALL, bold=cell.is_sampled)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell: LensCell = index.data(ROW)[index.column()]
        painter.save()
        rect: QRect = option.rect
        painter.fillRect(rect.adjusted(0, 0, -1, -1), likely_ground(cell.probability, self._theme))
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(self._theme.color(Color.TEXT), 2))
            painter.drawRect(rect.adjusted(1, 1, -2, -2))
        painter.setFont(self.font(cell))
        painter.setPen(self._theme.color(Color.TEXT))
        inside = rect.adjusted(GRID_PX // 2, 0, -GRID_PX // 2, 0)
        words = painter.fontMetrics().elidedText(cell.shown, Qt.TextElideMode.ElideMiddle, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.restore()


class LayerGrid(QTableView):
    stepped_to = Signal(object)
    """The current LensCell; None for none."""
    fork_wanted = Signal()
    """The user wants to fork with the current cell."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        tip = tr("Enter or a double click forks the answer here with this token")
        named(self, "inside_grid", tr("Logit lens by layer"), tip)
        self._theme, self._model, self._delegate = theme, LensGridModel(parent=self), CellDelegate(theme, self)
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self.setFont(theme.font(Size.SMALL))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        for head in (self.horizontalHeader(), self.verticalHeader()):
            head.setSectionResizeMode(head.ResizeMode.Fixed)
            head.setHighlightSections(False)
        scaled(theme, self.verticalHeader(), type(self.verticalHeader()).setDefaultSectionSize, ROW_PX)
        self.selectionModel().currentChanged.connect(self._emit_current)
        self.doubleClicked.connect(self.fork_wanted)
        theme.changed.connect(self.viewport().update)
        theme.resized.connect(self._fit)

    @property
    def current(self) -> LensCell | None:
        index = self.currentIndex()
        return self._model.rows[index.row()][index.column()] if index.isValid() else None

    def show_grid(self, grid: LensGrid, column: int = 0, layer: int | None = None) -> None:
        """Show a grid, and select the cell of `layer`; None for the last layer."""
        self._model.show_grid(grid)
        self._fit()
        row = len(grid.lines) - 1 if layer is None else layer
        self.go_to(row, column)

    def go_to(self, row: int, column: int) -> None:
        self.setCurrentIndex(self._model.index(row, column))
        self.scrollTo(self.currentIndex(), self.ScrollHint.PositionAtCenter)

    def _fit(self) -> None:
        most, least = self._theme.scaled(MAX_CELL_PX), self._theme.scaled(MIN_CELL_PX)
        metrics = QFontMetricsF(self._theme.font(Size.SMALL, bold=True))
        for at in range(len(self._model.columns)):
            shown = max(metrics.horizontalAdvance(line[at].shown) for line in self._model.rows)
            head = self.horizontalHeader().sectionSizeHint(at)
            self.setColumnWidth(at, max(least, min(most, max(round(shown) + 2 * GRID_PX, head))))
        beside = self.horizontalHeader().sizeHint().height() + self.horizontalScrollBar().sizeHint().height()
        for count, bound in ((MIN_ROWS, self.setMinimumHeight), (UNLIMITED_PX, self.setMaximumHeight)):
            rows = min(count, len(self._model.rows)) * self.verticalHeader().defaultSectionSize()
            bound(rows + beside + 2 * self.frameWidth())

    def _emit_current(self) -> None:
        self.stepped_to.emit(self.current)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current cell visible when a scroll bar appears."""
        super().resizeEvent(event)
        self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.current is not None:
            self.fork_wanted.emit()
        else:
            super().keyPressEvent(event)
