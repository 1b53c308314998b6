"""The picker's tables of models and servers: columns, rows and the filter field."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent
from PySide6.QtWidgets import QHeaderView

from app.definitions import of_name
from app.engine.types import Server
from app.i18n import tr
from app.library.types import HubModel, LocalModel
from app.number_format import DASH, parameters, size
from app.ui.look import Color, Size, TextSizeFollower, Theme
from app.ui.widgets import Column, Table, TableModel
from app.ui.widgets.find_bar import SearchField

Text = Callable[[Any], str]
Value = Callable[[Any], str | float]
UNKNOWN = -1.0
"""Sorts below every known value."""
ROW_PX = 28
NAME_PX = 140
MOVE_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(frozen=True, slots=True)
class LocalRow:
    """A model on this computer. `why_not`: the reason why it can't be opened or used as a draft model."""

    model: LocalModel
    why_not: str = ""
    is_open: bool = False


def day(moment: float | None, today: date | None = None) -> str:
    """Format a moment as a day: today, yesterday, or a date."""
    if moment is None:
        return DASH
    try:
        then, today = date.fromtimestamp(moment), today or date.today()
    except (ValueError, OverflowError, OSError):  # out of range
        return DASH
    ago = (today - then).days
    if ago in (0, 1):
        return tr("yesterday") if ago else tr("today")
    #: As Qt writes dates: a day of this year, or of another one.
    form = tr("d MMM") if then.year == today.year else tr("d MMM yyyy")
    return QLocale().toString(QDate(then.year, then.month, then.day), form)


def rough(number: int) -> str:
    """Format a count with two digits: 934, 12 k, 3.4 M."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.1f} {sign}" if number < 10 * unit else f"{number / unit:,.0f} {sign}"
    return str(number)


def bits_text(bits: int | None) -> str:
    return tr("{bits}-bit").format(bits=bits) if bits else DASH


def size_text(count: int | None) -> str:
    return size(count) if count else DASH


def _parameters(number: int | None) -> str:
    return parameters(number) if number else DASH


def _number(value: float | None) -> float:
    return UNKNOWN if value is None else float(value)


def license_text(model: HubModel) -> str:
    """Format the license, or that the model is gated."""
    return tr("gated") if model.gated else model.license or DASH


def column(title: str, width_px: int, text: Text, value: Value | None = None, *, number: bool = True) -> Column[Any]:
    """Make a column; text sorts without regard to case."""
    by = value or (lambda row: text(row).lower())
    return Column(title, title, text, of_name(title), by, number, width_px=width_px)


def _local(title: str, width_px: int, text: Text, value: Value | None = None, *, number: bool = True) -> Column[Any]:
    """Make a column for the model of a `LocalRow`."""
    by = (lambda row: value(row.model)) if value is not None else None
    return column(title, width_px, lambda row: text(row.model), by, number=number)


LOCAL = (
    _local(tr("Model"), 0, lambda model: model.name, number=False),
    _local(tr("Parameters"), 94, lambda model: _parameters(model.parameters), lambda m: _number(m.parameters)),
    _local(tr("Bits"), 50, lambda model: bits_text(model.bits), lambda model: _number(model.bits)),
    _local(tr("On disk"), 80, lambda model: size(model.size), lambda model: _number(model.size)),
    _local(tr("Type"), 112, lambda model: model.model_type or DASH, lambda m: m.model_type, number=False),
    _local(tr("Used"), 86, lambda model: day(model.last_used), lambda model: _number(model.last_used)),
)
HUB = (
    column(tr("Model"), 0, lambda model: model.id, number=False),
    column(tr("Bits"), 56, lambda model: bits_text(model.bits), lambda model: _number(model.bits)),
    column(tr("Weights"), 82, lambda model: size_text(model.weights), lambda model: _number(model.weights)),
    column(tr("License"), 92, license_text, license_text, number=False),
    column(tr("Downloads"), 94, lambda model: rough(model.downloads), lambda model: _number(model.downloads)),
    column(tr("Changed"), 92, lambda model: day(model.changed), lambda model: _number(model.changed)),
)


def display_name(server: Server) -> str:
    """Return the server's name, else its short address."""
    return server.called or short(server.address)


def short(address: str) -> str:
    """Remove the default scheme and path from an address."""
    return address.removeprefix("http://").removesuffix("/v1")


SERVERS = (
    column(tr("Server"), 0, display_name, number=False),
    column(tr("Address"), 150, lambda server: short(server.address), number=False),
)
SERVER_MODELS = (
    column(tr("Model"), 0, lambda model: model.name, number=False),
    column(
        tr("Context"),
        86,
        lambda model: f"{model.context:,}" if model.context else DASH,
        lambda model: float(model.context or UNKNOWN),
    ),
)


class ModelRows(TableModel[Any]):
    """The rows of a model table.

    The filter searches `search_text`; `why_not` is the reason why a row is muted; bold rows are `is_marked`.
    """

    def __init__(
        self,
        theme: Theme,
        columns: Sequence[Column[Any]],
        search_text: Callable[[Any], str] = lambda row: "",
        why_not: Callable[[Any], str] = lambda row: "",
        is_marked: Callable[[Any], bool] = lambda row: False,
    ) -> None:
        super().__init__(columns)
        self._theme = theme
        self._search_text = search_text
        self._why_not = why_not
        self._is_marked = is_marked

    def matches(self, row: object, text: str) -> bool:
        return text in self._search_text(row).casefold()

    def spoken(self, position: int, column: Column[Any]) -> None:
        """Let screen readers read the shown text."""

    def tip(self, position: int, column: Column[Any]) -> str:
        return self._why_not(self.rows[position]) or column.text(self.rows[position])

    def font(self, position: int, column: Column[Any]) -> QFont | None:
        return self._theme.font(Size.NORMAL, bold=True) if self._is_marked(self.rows[position]) else None

    def color(self, position: int, column: Column[Any]) -> QColor | None:
        return self._theme.color(Color.MUTED) if self._why_not(self.rows[position]) else None


class ModelTable(Table[ModelRows]):
    """`chosen` carries the current row, or None; `row_activated` is emitted on Enter and on a double click."""

    chosen = Signal(object)
    row_activated = Signal()

    def __init__(self, theme: Theme, name: str, spoken: str, rows: ModelRows) -> None:
        description = tr("Enter opens the selected model; a click on a heading sorts")
        super().__init__(theme, rows, name, spoken, description=description, row_px=ROW_PX)
        self._current: object | None = None
        self.setFont(theme.font(Size.NORMAL))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._set_columns()
        self.selectionModel().selectionChanged.connect(self._on_selected)
        rows.modelReset.connect(self._restore)
        self.doubleClicked.connect(self.row_activated)

    @property
    def current(self) -> object | None:
        indexes = self.selectionModel().selectedRows()
        return self._rows.rows[indexes[0].row()] if indexes else None

    @property
    def count(self) -> int:
        """Rows that match the filter."""
        return self._rows.rowCount()

    def show_rows(self, rows: Sequence[object], wanted: Callable[[Any], bool]) -> None:
        """Replace the rows; the first that is `wanted` becomes current, else the first row."""
        self._current = None
        self._rows.show_rows(rows)
        self._choose(next((position for position, row in enumerate(self._rows.rows) if wanted(row)), 0))
        if not self.count:
            self._set_current(None)

    def filter(self, text: str) -> None:
        """Show only rows with this text, and make one of them current."""
        self._rows.filter(text)
        if not self.selectionModel().hasSelection():
            self._choose(0)
        if not self.count:
            self._set_current(None)

    def unsort(self) -> None:
        """Restore the order of `show_rows`."""
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    def _choose(self, position: int) -> None:
        if position < self.count:
            self.setCurrentIndex(self._rows.index(position, 0))
            self.scrollTo(self.currentIndex())

    def _restore(self) -> None:
        """Keep the current row after sorting or filtering."""
        if self._current in self._rows.rows:
            self._choose(self._rows.rows.index(self._current))

    def _set_columns(self) -> None:
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        TextSizeFollower(self._theme, self, ModelTable._divide)
        self.setSortingEnabled(True)
        self.unsort()

    def _divide(self) -> None:
        columns = self._rows.columns
        self.set_widths({column.name: self._theme.scaled(column.width_px or NAME_PX) for column in columns})

    def fit(self) -> None:
        """Give the first column the remaining width."""
        super().fit()
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        others = sum(header.sectionSize(number) for number in range(1, header.count()))
        others += self._more.width() if self._more.isVisibleTo(self) else 0
        header.resizeSection(0, max(0, self.viewport().width() - others))

    def _on_selected(self) -> None:
        if self.current != self._current:
            self._set_current(self.current)

    def _set_current(self, row: object | None) -> None:
        self._current = row
        self.chosen.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER_KEYS:
            self.row_activated.emit()
        else:
            super().keyPressEvent(event)


class FilterField(SearchField):
    """The filter field. The arrow keys move in the table; `entered` is emitted on Enter."""

    entered = Signal()

    def __init__(self, theme: Theme, name: str, spoken: str, hint: str, table: ModelTable) -> None:
        tip = tr("{hint} (the arrow keys move in the table)").format(hint=hint)
        super().__init__(name, spoken, hint, tip)
        self.setFont(theme.font(Size.NORMAL))
        self._table = table

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Enter here: the dialog would press one of its buttons."""
        if event.key() in MOVE_KEYS:
            self._table.keyPressEvent(event)
        elif event.key() in ENTER_KEYS:
            self.entered.emit()
        else:
            super().keyPressEvent(event)
