"""Details of a finished run: explanation, figures, and buttons to its code, receipt and tokens."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.definitions import meanings, of_name
from app.i18n import tr
from app.number_format import UNBROKEN
from app.ui.look import GRID_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import emptied, in_column, in_grid, plain_label, push_button

Detail = tuple[str, str]
ROOM = (3, 2)
"""Width ratio of the pairs in a row, since the first values are longer."""
PAIRS_IN_A_ROW = len(ROOM)
SEPARATOR = " · "
CODE_TIP = tr("Python script or command that repeats this run")
RECEIPT_TIP = tr("All inputs of this run: copy them, or rerun and compare")
TOKENS_TIP = tr("Export the tokens with their times, probabilities and alternatives as JSON or CSV")
TRY_TIP = tr("Start an experiment with this prompt and these settings, and change one of them")
RECORD_TIP = tr("Record the most probable alternatives of each token from the next run on")


class RunDetails(QWidget):
    """The details of a run. Each button has a signal."""

    code_wanted = Signal()
    receipt_wanted = Signal()
    tokens_wanted = Signal()
    experiment_wanted = Signal()
    recording_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("run_details")
        small = partial(push_button, kind="small")
        code, receipt = tr("Code of the run"), tr("Receipt of the run")
        self._record = small("record_from_now", tr("Record alternatives"), RECORD_TIP, press=self._ask_recording)
        self._last_run_buttons = (
            small("code_of_run", tr("View Code…"), CODE_TIP, code, press=self.code_wanted),
            small("try_run_with", tr("Try this with…"), TRY_TIP, press=self.experiment_wanted),
            small("export_last_tokens", tr("Export tokens…"), TOKENS_TIP, press=self.tokens_wanted),
            small("receipt_of_run", tr("Receipt…"), RECEIPT_TIP, receipt, press=self.receipt_wanted),
        )
        self._buttons = QWidget(self)
        in_column(self._record, *self._last_run_buttons, ..., on=self._buttons, gap=GRID_PX)
        wide = {2 * pair + 1: room for pair, room in enumerate(ROOM)}
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        self._rows = in_grid(on=self, gap=(MARGIN_PX, GRID_PX), wide=wide, margins=margins)
        self.hide()

    def show_details(
        self, explanation: Sequence[Detail], figures: Sequence[Detail], can_record: bool = False, last: bool = True
    ) -> None:
        """Show an explanation and figures. The buttons are for the `last` run of the page only."""
        self._rows.removeWidget(self._buttons)
        emptied(self._rows)
        for row, (name, words) in enumerate(explanation):
            self._pair(name, words, row, 0, span=2 * PAIRS_IN_A_ROW)
        for number, (name, value) in enumerate(figures):
            row, pair = divmod(number, PAIRS_IN_A_ROW)
            label = self._pair(name, value, len(explanation) + row, 2 * pair)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        below = max(1, -(-len(figures) // PAIRS_IN_A_ROW))
        self._rows.addWidget(self._buttons, len(explanation), 2 * PAIRS_IN_A_ROW, below, 1)
        for button in self._last_run_buttons:
            button.setVisible(last)
        self._record.setVisible(can_record)
        self._record.setEnabled(True)

    def clear(self) -> None:
        self.hide()
        self.show_details((), ())

    def _pair(self, name: str, value: str, row: int, column: int, span: int = 1) -> QLabel:
        font = self._theme.font(Size.SMALL)
        heading = plain_label("", name, font=font, muted=True, selectable=True)
        tip = of_name(name) or meanings("end", "id")
        words, spoken = _unbroken(value), f"{name}: {value}"
        label = plain_label("", words, spoken=spoken, tip=tip, font=font, wraps=True, selectable=True)
        self._rows.addWidget(heading, row, column, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(label, row, column + 1, 1, span)
        return label

    def _ask_recording(self) -> None:
        self._record.setEnabled(False)
        self.recording_wanted.emit()


def _unbroken(words: str) -> str:
    """Return a text whose lines break between values, but not between a value and its unit."""
    words = words.replace("< ", f"<{UNBROKEN}").replace("> ", f">{UNBROKEN}")
    parts = words.split(SEPARATOR)
    return words if len(parts) == 1 else SEPARATOR.join(part.replace(" ", UNBROKEN) for part in parts)
