"""The gallery: cards in two columns with things to try."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QDialog, QWidget

from app.i18n import tr
from app.ui.guide.gallery_items import Item
from app.ui.look import GAP_PX, MARGIN_PX, Colour, Size, Theme
from app.ui.widgets import RoundedFrame, ScrollColumn, begin_window, button_row, plain_label, push_button
from app.ui.widgets.rows import in_column, in_grid, in_row

FIRST_PX = (860, 640)
SMALLEST_PX = (560, 360)
COLUMNS = 2
Exhibit = tuple[Item, str]
"""An item, and the description of its settings."""


class Gallery(QDialog):
    used = Signal(int)
    """Number of the card."""

    def __init__(self, theme: Theme, exhibits: Sequence[Exhibit], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        begin_window(theme, self, "gallery", tr("Gallery"), FIRST_PX, SMALLEST_PX)
        self._buttons = QButtonGroup(self)
        self._buttons.idClicked.connect(self._use)
        self._words = plain_label("gallery_words", muted=True, wraps=True)
        self._close = push_button("gallery_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        self._lay_out(theme, exhibits)
        self.allow(False)

    def allow(self, allowed: bool) -> None:
        for button in self._buttons.buttons():
            button.setEnabled(allowed)
        self._words.setText(
            tr(
                "“Use” fills in the prompt and the named settings, and resets other sampling settings. It sends "
                "nothing. “Put back” restores yours."
            )
            if allowed
            else tr("Open a model, or wait until the run has ended.")
        )

    def _lay_out(self, theme: Theme, exhibits: Sequence[Exhibit]) -> None:
        # Containers get their parent before their children: Qt polishes all children of a reparented widget again.
        description = tr("Prompts and experiments; the Tab key moves between them")
        area = ScrollColumn("gallery_cards", tr("Things to try"), description, self)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # all of its buttons may be disabled
        inside = QWidget()
        area.setWidget(inside)
        wide = dict.fromkeys(range(COLUMNS), 1)
        grid = in_grid(on=inside, gap=MARGIN_PX, margins=GAP_PX, wide=wide)
        for number, (item, sets) in enumerate(exhibits):
            box = RoundedFrame(theme, Colour.SURFACE, Colour.LINE)
            grid.addWidget(box, number // COLUMNS, number % COLUMNS)
            self._fill(box, theme, item, sets, number)
        in_column(self._words, (area, 1), button_row(self._close), on=self, margins=MARGIN_PX)

    def _fill(self, box: RoundedFrame, theme: Theme, item: Item, sets: str, number: int) -> None:
        words = tr("Use") if item.prompt else tr("Open")
        spoken = tr("{verb}: {title}").format(verb=words, title=item.title)
        button = push_button(f"use_{item.name}", words, item.then, spoken)
        self._buttons.addButton(button, number)
        small, normal, bold = theme.font(Size.SMALL), theme.font(Size.NORMAL), theme.font(Size.NORMAL, bold=True)
        prompt = [plain_label("", f"“{item.prompt}”", font=normal, wraps=True)] if item.prompt else []
        in_column(
            plain_label("", item.title, font=bold, wraps=True),
            *prompt,
            plain_label("", item.then, font=normal, muted=True, wraps=True),
            ...,
            in_row(
                (plain_label("", sets, font=small, muted=True, wraps=True), 1),
                (button, 0, Qt.AlignmentFlag.AlignBottom),
            ),
            on=box,
            margins=MARGIN_PX,
        )

    def _use(self, number: int) -> None:
        self.close()
        self.used.emit(number)
