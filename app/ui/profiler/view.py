"""The window of speed: what was found in a sentence and as a table, and what can be measured."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QDialog, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.i18n import tr
from app.ui.look import GAP_PX, MARGIN_PX, Colour, Size, Theme
from app.ui.widgets import begin_window, in_column, in_grid, plain_label, push_button
from app.ui.widgets.numbers_table import Numbers, NumbersTable
from app.ui.widgets.rows import in_row
from app.ui.widgets.table_model import Index

FIRST_PX, SMALLEST_PX = (720, 560), (560, 320)
TITLE = tr("Why This Fast?")
QUESTION = tr("Where does a token's time go, and what could this machine do?")
MEASURING = {
    "run": tr("The last request runs three times: as it is, part by part, and layer by layer…"),
    "machine": tr("Some tokens are written, and matrices of the model's shapes are read as fast as can be…"),
}
"""What goes on."""
BAR_PX, ASIDE_PX = 3, 6
WAYS = {
    "run": (tr("&Last Run Closely"), tr("The last request again, each part and each layer of it measured")),
    "machine": (tr("This &Machine"), tr("The fastest that this machine could write with the open model")),
}
"""What can be measured, and what that is."""
Rows = Sequence[tuple[str, str, float]]
"""Names, values, and which share of the whole that is."""


class BarDelegate(QStyledItemDelegate):
    """Below a value a bar, as long as its share."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.shares: list[float] = []

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if (share := self.shares[index.row()]) > 0:
            cell: QRect = option.rect
            wide = max(1, round((cell.width() - 2 * ASIDE_PX) * min(1.0, share)))
            bar = QRect(cell.left() + ASIDE_PX, cell.bottom() - BAR_PX, wide, BAR_PX)
            painter.fillRect(bar, self._theme.colour(Colour.DECODE))


class SpeedView(QDialog):
    """Stays open beside the window; `wanted` tells which of the ways."""

    wanted = Signal(str)
    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        begin_window(theme, self, "speed_window", TITLE, FIRST_PX, SMALLEST_PX)
        self._rows: Rows = ()
        question = plain_label("speed_question", QUESTION, font=theme.font(Size.PROSE, bold=True), wraps=True)
        self._said = plain_label("speed_said", wraps=True, selectable=True)
        self._aside = plain_label("speed_aside", muted=True, wraps=True, selectable=True, font=theme.font(Size.SMALL))
        self._table = NumbersTable(theme, "speed_table", wide=1)
        self._bars = BarDelegate(theme, self._table)
        self._table.setItemDelegateForColumn(1, self._bars)
        room = self._table.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self._table.setSizePolicy(room)
        self._ways = {
            way: push_button(f"speed_{way}", words, what, press=lambda _=False, way=way: self.wanted.emit(way))
            for way, (words, what) in WAYS.items()
        }
        told = [plain_label(f"speed_{way}_told", what, muted=True, wraps=True) for way, (_, what) in WAYS.items()]
        self._run_told = told[0]
        self._stop = push_button("speed_stop", tr("&Stop"), tr("What was measured by then is let go"))
        self._stop.clicked.connect(self.stop_wanted)
        self._copy = push_button("speed_copy", tr("&Copy"), tr("Copy it as a Markdown table"), press=self._copy_rows)
        in_column(
            question,
            in_grid(*zip(self._ways.values(), told, strict=True), gap=(MARGIN_PX, GAP_PX), wide={1: 1}),
            self._said,
            (self._table, 1),
            self._aside,
            in_row(..., self._stop, self._copy),
            on=self,
            margins=MARGIN_PX,
        )
        self.show_found("", ())

    def allow(self, run: bool, model: bool, going: bool, unlike: str = "") -> None:
        """What can be measured now, and why the last run can't be."""
        self._run_told.setText(unlike or WAYS["run"][1])
        for way, button in self._ways.items():
            button.setEnabled(run if way == "run" else model)
        self._stop.setEnabled(going)

    def show_found(self, said: str, rows: Rows, aside: str = "") -> None:
        """In place of what was there; no rows: nothing is known yet. `aside` is how it was measured."""
        self._rows = rows
        self._said.setText(said)
        self._aside.setText(aside)
        self._aside.setVisible(bool(aside))
        self._bars.shares = [share for *_, share in rows]
        told = tuple((name, value) for name, value, _ in rows)
        self._table.show_numbers(Numbers(TITLE, (tr("What"), tr("How much")), told))
        self._table.setVisible(bool(rows))
        self._copy.setEnabled(bool(rows))

    def _copy_rows(self) -> None:
        from app.roofline.report import markdown

        said = " ".join(filter(None, (self._said.text(), self._aside.text())))
        QGuiApplication.clipboard().setText(f"{markdown(row[:2] for row in self._rows)}\n{said}\n")
