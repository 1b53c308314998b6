"""The table of candidates: as high as its rows, so that what is around it scrolls and not the table itself."""

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.i18n import tr
from app.ui.inspector.alternatives_model import COLUMNS, SHARE, TOKEN, CandidatesModel
from app.ui.inspector.rows import AlternativeRow, Distribution
from app.ui.look import GRID_PX, Colour, Size, Theme
from app.ui.widgets import Table
from app.ui.widgets.table_model import ROW, Index

BAR_PX = 8
FIGURE = "> 99.99 %"
"""No figure is wider than this."""
CROSS_PX = 3
ROW_PX = 5 * GRID_PX + 2
TOKEN_PX = 100
WORDS_PX, FIGURES_PX = 110, 190
"""So wide the bars have to stay beside a column of words, and beside one of more figures."""
PADDING_PX = 3 * GRID_PX
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class BarDelegate(QStyledItemDelegate):
    """The longest bar is that of `most`; one that was taken out is hollow and dashed, with a cross."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.most = 1.0

    def _paint_bar(self, painter: QPainter, place: QRect, row: AlternativeRow) -> None:
        top = place.center().y() - BAR_PX // 2
        if not row.out:
            width = max(1, round(place.width() * row.share / self.most))
            role = Colour.OTHER if row.id is None else Colour.DECODE
            painter.fillRect(QRect(place.left(), top, width, BAR_PX), self._theme.colour(role))
            return
        width = max(2 * CROSS_PX + 4, round(place.width() * min(1.0, row.before / self.most)))
        painter.setPen(QPen(self._theme.colour(Colour.OUTLINE), 1, Qt.PenStyle.DashLine))
        painter.drawRect(QRect(place.left(), top, width - 1, BAR_PX - 1))
        painter.setPen(QPen(self._theme.colour(Colour.MUTED), 1.5))
        middle = QPoint(place.left() + CROSS_PX + 2, place.center().y())
        for across in (QPoint(CROSS_PX, CROSS_PX), QPoint(CROSS_PX, -CROSS_PX)):
            painter.drawLine(middle - across, middle + across)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        if not isinstance(row, AlternativeRow):
            return
        painter.save()
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.colour(Colour.USER))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(Size.SMALL))
        inside = rect.adjusted(GRID_PX, 0, -GRID_PX, 0)
        figure_px = painter.fontMetrics().horizontalAdvance(FIGURE)
        self._paint_bar(painter, inside.adjusted(0, 0, -figure_px - GRID_PX, 0), row)
        painter.setPen(self._theme.colour(Colour.TEXT))
        painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        painter.restore()


class CandidatesTable(Table[CandidatesModel]):
    """`stepped_to` tells which candidate the user is at, `taken` which one is to be gone on with."""

    stepped_to = Signal(object)
    """The Row, or None."""
    taken = Signal(int)
    """The token's id."""

    def __init__(self, theme: Theme) -> None:
        tip = tr("Enter, or a double click, goes on from here with another token")
        spoken = tr("Alternatives")
        super().__init__(theme, CandidatesModel(theme), "candidates", spoken, tip, row_px=ROW_PX)
        self._bars = BarDelegate(theme, self)
        self.setItemDelegateForColumn(SHARE, self._bars)
        self.setFont(theme.font(Size.SMALL))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.horizontalHeader().setMinimumSectionSize(TOKEN_PX // 2)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self.doubleClicked.connect(self._take)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)
        theme.resized.connect(self._resize)

    @property
    def current(self) -> AlternativeRow | None:
        """The candidate that the user is at."""
        index = self.currentIndex()
        return self._rows.rows[index.row()] if index.isValid() else None

    def show_rows(
        self, rows: tuple[AlternativeRow, ...], distribution: Distribution, at: int | None, expected: str = ""
    ) -> None:
        """These candidates, with the user at the token `at`."""
        self._rows.expected = expected
        self._bars.most = max((max(row.share, row.before * row.out) for row in rows), default=1.0)
        columns = COLUMNS[distribution]
        self._rows.show_rows(rows, columns)
        self.fit()
        self.updateGeometry()
        self._stand_at(self._rows.row_of(at))

    def _stand_at(self, place: int | None) -> None:
        if place is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            self.selectRow(place)
        self._tell()

    def fit(self) -> None:
        """Columns that would leave the bars too little are away; names have what they need before bars grow."""
        columns, header, scaled = self._rows.columns, self.horizontalHeader(), self._theme.scaled
        room, token = self.viewport().width(), scaled(TOKEN_PX)
        for section, column in enumerate(columns[SHARE + 1 :], SHARE + 1):
            width = max(map(self.fontMetrics().horizontalAdvance, (column.sample, column.title))) + PADDING_PX
            fits = room - token - width >= scaled(FIGURES_PX if column.number else WORDS_PX)
            fits = self._chosen.get(column.name, fits)
            header.setSectionHidden(section, not fits)
            if fits:
                header.resizeSection(section, width)
                room -= width
        longest = max((self._rows.width_of(row) for row in self._rows.rows), default=0) + PADDING_PX
        token = max(min(token, room // 2), min(longest, room - scaled(WORDS_PX)))
        header.resizeSection(TOKEN, token)
        header.resizeSection(SHARE, room - token)

    def _resize(self) -> None:
        self._rows.take_fonts()
        self.fit()
        self.updateGeometry()

    def _tell(self) -> None:
        self.stepped_to.emit(self.current)

    def _take(self, index: Index) -> None:
        token = self._rows.rows[index.row()].id if index.isValid() else None
        if token is not None:
            self.taken.emit(token)

    def sizeHint(self) -> QSize:
        rows = self._rows.rowCount() * self.verticalHeader().defaultSectionSize()
        return QSize(0, self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentIndex().isValid():
            self._take(self.currentIndex())
        else:
            super().keyPressEvent(event)
