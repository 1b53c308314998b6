"""What else is known of how a run ended: its story in sentences, its figures, and the ways to all the rest."""

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
"""What the pairs of a row have of it: the first ones are longer."""
PAIRS_IN_A_ROW = len(ROOM)
SEPARATOR = " · "
CODE_TIP = tr("The Python script or the command that does this run again")
RECEIPT_TIP = tr("Everything that decided this run, to be copied; there it can be replayed, too")
TOKENS_TIP = tr("The tokens of this run, each with its time, probability and alternatives, as JSON or CSV")
TRY_TIP = tr("Measure what changes if this run has another setting: its prompt and settings begin an experiment")
RECORD_TIP = tr("Keep the likeliest alternatives of each token of the next runs, so that their ends tell more")


class RunDetails(QWidget):
    """Takes words; asks for the run as code, as a receipt, as a file of tokens, or for an experiment with it."""

    code_wanted = Signal()
    receipt_wanted = Signal()
    """The whole receipt of the run, where it can also be replayed."""
    tokens_wanted = Signal()
    """The run's tokens in a file."""
    trying_wanted = Signal()
    """An experiment is to begin from the run."""
    recording_wanted = Signal()
    """Candidates are wanted from the next run on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("run_details")
        small, spoken = partial(push_button, kind="small"), tr("Receipt of the run")
        code = tr("Code of the run")
        self._record = small("record_from_now", tr("Record alternatives"), RECORD_TIP, press=self._ask_recording)
        self._of_last = (
            small("code_of_run", tr("View Code…"), CODE_TIP, code, press=self.code_wanted),
            small("try_run_with", tr("Try this with…"), TRY_TIP, press=self.trying_wanted),
            small("export_last_tokens", tr("Export tokens…"), TOKENS_TIP, press=self.tokens_wanted),
            small("receipt_of_run", tr("Receipt…"), RECEIPT_TIP, spoken, press=self.receipt_wanted),
        )
        self._beside = QWidget(self)
        in_column(self._record, *self._of_last, ..., on=self._beside, gap=GRID_PX)
        wide = {2 * pair + 1: room for pair, room in enumerate(ROOM)}
        margins = (MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        self._rows = in_grid(on=self, gap=(MARGIN_PX, GRID_PX), wide=wide, margins=margins)
        self.hide()

    def show_details(
        self, story: Sequence[Detail], figures: Sequence[Detail], unrecorded: bool = False, last: bool = True
    ) -> None:
        """Figures in pairs, below the story. What leads on from here is about the `last` run of the page."""
        self._rows.removeWidget(self._beside)
        emptied(self._rows)
        for row, (name, words) in enumerate(story):
            self._pair(name, words, row, 0, span=2 * PAIRS_IN_A_ROW)
        for number, (name, value) in enumerate(figures):
            row, pair = divmod(number, PAIRS_IN_A_ROW)
            told = self._pair(name, value, len(story) + row, 2 * pair)
            told.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        below = max(1, -(-len(figures) // PAIRS_IN_A_ROW))
        self._rows.addWidget(self._beside, len(story), 2 * PAIRS_IN_A_ROW, below, 1)
        for button in self._of_last:
            button.setVisible(last)
        self._record.setVisible(unrecorded)
        self._record.setEnabled(True)

    def clear(self) -> None:
        """There is no run to tell of."""
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
    """Lines end between figures, not between a figure and its unit."""
    whole = words.replace("< ", f"<{UNBROKEN}").replace("> ", f">{UNBROKEN}")
    if SEPARATOR not in words:
        return whole
    return SEPARATOR.join(part.replace(" ", UNBROKEN) for part in whole.split(SEPARATOR))
