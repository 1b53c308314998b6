"""The texts of two runs side by side, and below them what tells them apart."""

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from app.experiments.types import Outcome, Result
from app.i18n import tr
from app.ui.experiments.drafted_pane import DraftedPane, has_drafts
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets import ChoiceBox, held, in_column, in_row, named, split
from app.ui.widgets.diff_view import DiffPane

EACH_ROUND = 60
"""Where there are more runs than these, only the first round can be chosen."""
ROWS_PX = (260, 140)
BOXES = (tr("The first run"), tr("The second run"))
PANES = (tr("Text of the first run"), tr("Text of the second run"))
ALONE = tr("What tells two texts apart will stand here when there are two.")


class TextsPage(QWidget):
    """`diff` wants two texts told apart."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_texts")
        self._runs: tuple[Result, ...] = ()
        self._boxes = [_Box(theme, number) for number in range(2)]
        self._texts = [DraftedPane(theme, f"experiment_text_{number}", PANES[number]) for number in range(2)]
        self._drafts = named(
            QCheckBox(tr("Show drafts")),
            "experiment_drafts",
            tr("Show drafts"),
            tr("Underlined: proposed by the draft model, and taken. Struck through: proposed in vain"),
            font=theme.font(Size.SMALL),
        )
        self._drafts.toggled.connect(self._show)
        self.diff = DiffPane(theme, "experiment_diff")
        for box in self._boxes:
            box.currentIndexChanged.connect(self._show)
        pairs = (in_column(*pair, gap=GRID_PX) for pair in zip(self._boxes, self._texts, strict=True))
        texts = in_row(*((pair, 1) for pair in pairs), gap=GRID_PX)
        above = in_column((texts, 1), self._drafts, gap=GRID_PX, margins=(0, 0, 0, GRID_PX))
        rows = split(Qt.Orientation.Vertical, held(above), self.diff, ROWS_PX)
        in_column(rows, on=self, margins=(0, GAP_PX, 0, 0))

    def show_runs(self, outcome: Outcome) -> None:
        """The runs so far; what is chosen stays chosen."""
        every = outcome.results
        self._runs = every if len(every) <= EACH_ROUND else tuple(run for run in every if run.round == 1)
        names = [_named(run, outcome) for run in self._runs]
        other = next((place for place, run in enumerate(self._runs) if run.arm != self._runs[0].arm), 0)
        for box, first in zip(self._boxes, (0, other), strict=True):
            chosen = box.currentText()
            with QSignalBlocker(box):
                box.clear()
                box.addItems(names)
                touched = box.property("touched")
                box.setCurrentIndex(names.index(chosen) if touched and chosen in names else first if names else -1)
        self._show()

    def clear(self) -> None:
        """Another experiment begins."""
        for box in self._boxes:
            box.setProperty("touched", False)
            box.show_entries({})
        self._runs = ()
        self._show()

    @Slot()
    def _show(self) -> None:
        places = [box.currentIndex() for box in self._boxes]
        runs = [self._runs[place] if 0 <= place < len(self._runs) else None for place in places]
        self._drafts.setVisible(any(run is not None and has_drafts(run) for run in runs))
        for pane, run in zip(self._texts, runs, strict=True):
            pane.show_run(run, self._drafts.isChecked())
        self._compare()

    def _compare(self) -> None:
        """Only for somebody who looks: it takes time that the model wants."""
        places = {box.currentIndex() for box in self._boxes}
        if len(places) < 2 or len(self._runs) < 2:
            self.diff.wait(ALONE)
        elif self.isVisible():
            self.diff.compare(*(pane.words for pane in self._texts))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compare()


def _named(run: Result, outcome: Outcome) -> str:
    name = outcome.plan.arms[run.arm].name
    if outcome.plan.repeats == 1:
        return name
    return tr("{name} · round {round}").format(name=name, round=run.round)


class _Box(ChoiceBox):
    """Remembers that somebody has chosen: until then it follows what comes."""

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__(f"experiment_run_{number}", BOXES[number], BOXES[number], narrow=True)
        self.setFont(theme.font(Size.SMALL))
        self.activated.connect(lambda: self.setProperty("touched", True))
