"""The table of alternatives, as high as its rows: its surroundings scroll instead of it."""

import math
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.definitions import meaning
from app.i18n import tr
from app.number_format import chance
from app.ui.inspector.facts import logit, logprob
from app.ui.inspector.rows import REST, AlternativeRow, Distribution
from app.ui.look import GRID_PX, Color, Size, Theme
from app.ui.widgets import Column, Table, TableModel
from app.ui.widgets.table_model import ROW, Index

BAR_PX = 8
WIDEST_FIGURE = "> 99.99 %"
CROSS_PX = 3
ROW_PX = 5 * GRID_PX + 2
TOKEN_PX = 100
WORDS_PX, FIGURES_PX = 110, 190
"""Minimum widths of the bars next to a column of words and next to one of figures."""
PADDING_PX = 3 * GRID_PX
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


CHOSEN, OTHER = "● ", "  "
"""Before the sampled token, before others."""
TOKEN, SHARE = 0, 1
TOKEN_TIP = tr("Token; ● marks the sampled one. ⟨E2 80⟩: bytes of an incomplete character.")
INVALID_EXPECTED = tr("{column}: {text}, ruled out by the output format, which expected {expected}")


def _known(value: float | None, say: Callable[[float], str]) -> str:
    return "" if value is None or math.isnan(value) else say(value)


def _figure(
    title: str, tip: str, text: Callable[[AlternativeRow], str], sample: str = "", *, number: bool = True
) -> Column[AlternativeRow]:
    return Column(title, title, text, tip, number=number, sample=sample)


NAMES = _figure(tr("Token"), TOKEN_TIP, lambda row: row.name, number=False)
IDS = _figure(tr("Id"), meaning("id"), lambda row: "" if row.id is None or row.id < 0 else f"{row.id}", "222222")
COLUMNS = {
    Distribution.BEFORE: (
        NAMES,
        _figure(tr("Probability"), meaning("probability"), lambda row: chance(row.before)),
        _figure(tr("Log-prob."), meaning("logprob"), lambda row: _known(row.logprob, logprob), "−22.222"),
        _figure(tr("Logit"), meaning("raw_logit"), lambda row: _known(row.raw_logit, logit), "−22.22"),
        IDS,
    ),
    Distribution.AFTER: (
        NAMES,
        _figure(tr("After filters"), meaning("left_over"), lambda row: chance(row.share)),
        _figure(
            tr("Ruled out by"), tr("Filter or output format that ruled it out"), lambda row: row.fate, number=False
        ),
        _figure(tr("Before"), meaning("probability"), lambda row: chance(row.before), "> 99.99 %"),
        IDS,
    ),
}


class AlternativesModel(TableModel[AlternativeRow]):
    """The table model for one of the two distributions."""

    steady = True
    nothing = tr("none")

    def __init__(self, theme: Theme) -> None:
        super().__init__(COLUMNS[Distribution.BEFORE])
        self._theme = theme
        self.expected = ""
        """Description of the valid continuations in the output format."""
        self.take_fonts()

    def take_fonts(self) -> None:
        theme = self._theme
        self._header_font, self._rest_font = theme.font(Size.SMALL), theme.font(Size.SMALL)
        self._rest_font.setItalic(True)
        self._token_font = theme.font(Size.SMALL, mono=True)
        self._ruled_out_font = theme.font(Size.SMALL, mono=True)
        self._ruled_out_font.setStrikeOut(True)
        self._sampled_font = theme.font(Size.SMALL, mono=True, bold=True)

    def width_of(self, row: AlternativeRow) -> int:
        return QFontMetrics(self._sampled_font).horizontalAdvance(f"{CHOSEN}{REST if row.id is None else row.name}")

    def row_of(self, token: int | None) -> int | None:
        return next((position for position, row in enumerate(self.rows) if row.id == token and token is not None), None)

    def shown(self, position: int, column: Column[AlternativeRow]) -> str:
        row = self.rows[position]
        if column is not NAMES:
            return column.text(row)
        return f"{CHOSEN if row.chosen else OTHER}{REST if row.id is None else row.name}"

    def spoken(self, position: int, column: Column[AlternativeRow]) -> str | None:
        row, words = self.rows[position], ""
        if column is NAMES and row.chosen and row.id is None:
            words = tr("{column}: {text}, including the sampled token")
        elif column is NAMES and row.chosen:
            words = tr("{column}: {text}, sampled")
        elif column is NAMES and row.forbidden:
            words = INVALID_EXPECTED if self.expected else tr("{column}: {text}, ruled out by the output format")
        if not words:
            return super().spoken(position, column)
        return words.format(column=column.title, text=column.text(row) or self.nothing, expected=self.expected)

    def font(self, position: int, column: Column[AlternativeRow]) -> QFont | None:
        row = self.rows[position]
        if column is not NAMES:
            return None
        if row.forbidden:
            return self._ruled_out_font
        return self._rest_font if row.id is None else self._sampled_font if row.chosen else self._token_font

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self._header_font if role == Qt.ItemDataRole.FontRole else super().headerData(section, orientation, role)


class BarDelegate(QStyledItemDelegate):
    """A delegate that paints bars in proportion to `most`; those of ruled-out tokens are dashed, with a cross."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.most = 1.0

    def _paint_bar(self, painter: QPainter, position: QRect, row: AlternativeRow) -> None:
        top = position.center().y() - BAR_PX // 2
        if not row.out:
            width = max(1, round(position.width() * row.share / self.most))
            role = Color.OTHER if row.id is None else Color.DECODE
            painter.fillRect(QRect(position.left(), top, width, BAR_PX), self._theme.color(role))
            return
        width = max(2 * CROSS_PX + 4, round(position.width() * min(1.0, row.before / self.most)))
        painter.setPen(QPen(self._theme.color(Color.OUTLINE), 1, Qt.PenStyle.DashLine))
        painter.drawRect(QRect(position.left(), top, width - 1, BAR_PX - 1))
        painter.setPen(QPen(self._theme.color(Color.MUTED), 1.5))
        middle = QPoint(position.left() + CROSS_PX + 2, position.center().y())
        for across in (QPoint(CROSS_PX, CROSS_PX), QPoint(CROSS_PX, -CROSS_PX)):
            painter.drawLine(middle - across, middle + across)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        if not isinstance(row, AlternativeRow):
            return
        painter.save()
        rect: QRect = option.rect
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme.color(Color.USER))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(Size.SMALL))
        inside = rect.adjusted(GRID_PX, 0, -GRID_PX, 0)
        figure_px = painter.fontMetrics().horizontalAdvance(WIDEST_FIGURE)
        self._paint_bar(painter, inside.adjusted(0, 0, -figure_px - GRID_PX, 0), row)
        painter.setPen(self._theme.color(Color.TEXT))
        painter.drawText(inside, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(index.data()))
        painter.restore()


class AlternativesTable(Table[AlternativesModel]):
    stepped_to = Signal(object)
    """The current AlternativeRow; None for none."""
    fork_wanted = Signal(int)
    """The token id."""

    def __init__(self, theme: Theme) -> None:
        tip = tr("Enter or a double click forks the answer here with that token")
        spoken = tr("Alternatives")
        super().__init__(theme, AlternativesModel(theme), "candidates", spoken, tip, row_px=ROW_PX)
        self._bars = BarDelegate(theme, self)
        self.setItemDelegateForColumn(SHARE, self._bars)
        self.setFont(theme.font(Size.SMALL))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.horizontalHeader().setMinimumSectionSize(TOKEN_PX // 2)
        self.selectionModel().currentRowChanged.connect(self._emit_current)
        self.doubleClicked.connect(self._ask_fork)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)
        theme.resized.connect(self._resize)

    @property
    def current(self) -> AlternativeRow | None:
        index = self.currentIndex()
        return self._rows.rows[index.row()] if index.isValid() else None

    def show_rows(
        self, rows: tuple[AlternativeRow, ...], distribution: Distribution, at: int | None, expected: str = ""
    ) -> None:
        """Show these rows, and select the token with the id `at`."""
        self._rows.expected = expected
        self._bars.most = max((max(row.share, row.before * row.out) for row in rows), default=1.0)
        columns = COLUMNS[distribution]
        self._rows.show_rows(rows, columns)
        self.fit()
        self.updateGeometry()
        self._select(self._rows.row_of(at))

    def _select(self, position: int | None) -> None:
        if position is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            self.selectRow(position)
        self._emit_current()

    def fit(self) -> None:
        """Hide columns that leave too little width for the bars; names get their width before bars grow."""
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

    def _emit_current(self) -> None:
        self.stepped_to.emit(self.current)

    def _ask_fork(self, index: Index) -> None:
        token = self._rows.rows[index.row()].id if index.isValid() else None
        if token is not None:
            self.fork_wanted.emit(token)

    def sizeHint(self) -> QSize:
        rows = self._rows.rowCount() * self.verticalHeader().defaultSectionSize()
        return QSize(0, self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentIndex().isValid():
            self._ask_fork(self.currentIndex())
        else:
            super().keyPressEvent(event)
