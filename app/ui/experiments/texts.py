"""The texts of two runs side by side, and their diff below."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from app.experiments.drafted_text import DraftedSpan, Whose, stretches
from app.experiments.types import ExperimentOutcome, RunResult
from app.i18n import tr
from app.ui.look import GAP_PX, GRID_PX, Colour, Size, Theme
from app.ui.widgets import ChoiceBox, held, in_column, in_row, named, split
from app.ui.widgets.diff_view import DiffPane, MarkedText

EACH_ROUND = 60
"""With more runs than this, only those of the first round can be chosen."""
ROWS_PX = (260, 140)
BOXES = (tr("The first run"), tr("The second run"))
PANES = (tr("Text of the first run"), tr("Text of the second run"))
ALONE = tr("The diff appears here once two runs are finished.")


class TextsPage(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_texts")
        self._runs: tuple[RunResult, ...] = ()
        self._boxes = [_Box(theme, number) for number in range(2)]
        self._texts = [DraftedPane(theme, f"experiment_text_{number}", PANES[number]) for number in range(2)]
        self._drafts = named(
            QCheckBox(tr("Show drafts")),
            "experiment_drafts",
            tr("Show drafts"),
            tr("Underlined: draft tokens that were accepted. Struck through: draft tokens that were rejected"),
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

    def show_runs(self, outcome: ExperimentOutcome) -> None:
        """Show the runs; the chosen ones stay chosen."""
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
        for box in self._boxes:
            box.setProperty("touched", False)
            box.show_entries({})
        self._runs = ()
        self._show()

    def _show(self) -> None:
        places = [box.currentIndex() for box in self._boxes]
        runs = [self._runs[place] if 0 <= place < len(self._runs) else None for place in places]
        self._drafts.setVisible(any(run is not None and has_drafts(run) for run in runs))
        for pane, run in zip(self._texts, runs, strict=True):
            pane.show_run(run, self._drafts.isChecked())
        self._compare()

    def _compare(self) -> None:
        """Request the diff only while the page is visible, since it takes CPU time from the model."""
        places = {box.currentIndex() for box in self._boxes}
        if len(places) < 2 or len(self._runs) < 2:
            self.diff.wait(ALONE)
        elif self.isVisible():
            self.diff.compare(*(pane.words for pane in self._texts))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compare()


def _named(run: RunResult, outcome: ExperimentOutcome) -> str:
    name = outcome.plan.arms[run.arm].name
    if outcome.plan.repeats == 1:
        return name
    return tr("{name} · round {round}").format(name=name, round=run.round)


class _Box(ChoiceBox):
    """A choice of runs that follows new runs until the user has chosen."""

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__(f"experiment_run_{number}", BOXES[number], BOXES[number], narrow=True)
        self.setFont(theme.font(Size.SMALL))
        self.activated.connect(lambda: self.setProperty("touched", True))


ROLES = {Whose.DRAFT: Colour.DRAFT_ACCEPTED, Whose.REJECTED: Colour.DRAFT_REJECTED}


class DraftedPane(MarkedText):
    """A pane with a run's text, optionally with its accepted and rejected draft tokens. `words` is the text alone."""

    def __init__(self, theme: Theme, name: str, spoken: str) -> None:
        super().__init__(theme, name, spoken, spoken)
        self._run: RunResult | None = None
        self._drafts = False
        self._shown: object = None
        self.words = ""
        theme.changed.connect(self._restyle)

    def show_run(self, run: RunResult | None, drafts: bool) -> None:
        """Show the run; an unchanged text keeps its scroll position."""
        self._run, self._drafts = run, drafts
        self.words = _words(run) if run is not None else ""
        shown = stretches(run) if run is not None and drafts and has_drafts(run) else self.words
        if shown != self._shown:
            self._shown = shown
            if isinstance(shown, str):
                self.setPlainText(shown)
            else:
                self._write(shown)

    def _write(self, pieces: Sequence[DraftedSpan]) -> None:
        self.write((each.text, ROLES.get(each.whose), each.whose is Whose.REJECTED) for each in pieces)
        accepted, rejected = (sum(len(each.text.split()) for each in pieces if each.whose is whose) for whose in ROLES)
        words = tr("{accepted} draft words accepted, {rejected} rejected.")
        self.setAccessibleDescription(words.format(accepted=f"{accepted:,}", rejected=f"{rejected:,}"))

    def _restyle(self) -> None:
        self._shown = None
        self.show_run(self._run, self._drafts)


def has_drafts(run: RunResult) -> bool:
    """Return whether a draft model was used."""
    return bool(run.rejected) or any(token.from_draft for token in run.tokens)


def _words(run: RunResult) -> str:
    """Return reasoning and text, and the error of a run that failed."""
    failure = run.finish.failure
    parts = (run.reasoning, run.text, failure.sentence if failure else "")
    return "\n\n".join(part for part in parts if part)
