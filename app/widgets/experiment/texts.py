"""The texts of two runs side by side, and below them what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from app.experiments.types import Outcome, Result
from app.records.word_diff import Stretch
from app.widgets.diff_view import DiffView, described
from app.widgets.theme import GAP_PX, GRID_PX, Size, Theme
from app.widgets.words import Words

EACH_ROUND = 60
"""Where there are more runs than these, only the first round can be chosen."""
ROWS_PX = (260, 140)
COMPARING = "Comparing…"
ALONE = "What tells two texts apart will stand here when there are two."


class TextsPage(QWidget):
    """`pair_picked` with two texts whose difference is wanted."""

    pair_picked = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("experiment_texts")
        self._runs: tuple[Result, ...] = ()
        self._boxes = [_box(theme, number) for number in range(2)]
        self._texts = [_pane(theme, number) for number in range(2)]
        self._diff = DiffView(theme, "experiment_diff")
        self._told = Words(theme, "experiment_diff_told")
        self._compared: tuple[str, str] | None = None
        for box in self._boxes:
            box.currentIndexChanged.connect(self._show)
        above = QWidget()
        grid = QGridLayout(above)
        grid.setContentsMargins(0, 0, 0, GRID_PX)
        grid.setSpacing(GRID_PX)
        for number, (box, text) in enumerate(zip(self._boxes, self._texts, strict=True)):
            grid.addWidget(box, 0, number)
            grid.addWidget(text, 1, number)
            grid.setColumnStretch(number, 1)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, GRID_PX, 0, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._told)
        column.addWidget(self._diff, 1)
        rows = QSplitter(Qt.Orientation.Vertical)
        rows.setChildrenCollapsible(False)
        rows.addWidget(above)
        rows.addWidget(below)
        rows.setSizes(list(ROWS_PX))
        whole = QGridLayout(self)
        whole.setContentsMargins(0, GAP_PX, 0, 0)
        whole.addWidget(rows)

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
            with QSignalBlocker(box):
                box.clear()
        self._runs = ()
        self._show()

    def show_diff(self, pair: tuple[str, str], stretches: Sequence[Stretch]) -> None:
        if pair == self._compared:
            self._diff.show_stretches(stretches)
            self._told.say(described(stretches))

    @Slot()
    def _show(self) -> None:
        places = [box.currentIndex() for box in self._boxes]
        words = [_words(self._runs[place]) if 0 <= place < len(self._runs) else "" for place in places]
        for pane, text in zip(self._texts, words, strict=True):
            if pane.toPlainText() != text:
                pane.setPlainText(text)
        self._compare()

    def _compare(self) -> None:
        """Only for somebody who looks: it takes time that the model wants."""
        places = {box.currentIndex() for box in self._boxes}
        if len(places) < 2 or len(self._runs) < 2:
            self._compared = None
            self._told.say("")
            self._diff.wait(ALONE)
        elif self.isVisible():
            pair = (self._texts[0].toPlainText(), self._texts[1].toPlainText())
            if pair != self._compared:
                self._compared = pair
                self._diff.wait(COMPARING)
                self.pair_picked.emit(*pair)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compare()


def _named(run: Result, outcome: Outcome) -> str:
    name = outcome.plan.arms[run.arm].name
    return f"{name} · round {run.round}" if outcome.plan.repeats > 1 else name


def _words(run: Result) -> str:
    """A run that failed has its sentence in place of a text."""
    failure = run.finish.failure
    parts = (run.reasoning, run.text, f"{failure.what} {failure.todo}" if failure else "")
    return "\n\n".join(part for part in parts if part)


class _Box(QComboBox):
    """Remembers that somebody has chosen: until then it follows what comes."""

    def __init__(self) -> None:
        super().__init__()
        self.activated.connect(self._touch)

    @Slot()
    def _touch(self) -> None:
        self.setProperty("touched", True)


def _box(theme: Theme, number: int) -> QComboBox:
    box = _Box()
    spoken = f"The {('first', 'second')[number]} run"
    box.setObjectName(f"experiment_run_{number}")
    box.setAccessibleName(spoken)
    box.setToolTip(spoken)
    box.setFont(theme.font(Size.SMALL))
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box


def _pane(theme: Theme, number: int) -> QPlainTextEdit:
    pane = QPlainTextEdit()
    spoken = f"Text of the {('first', 'second')[number]} run"
    pane.setObjectName(f"experiment_text_{number}")
    pane.setAccessibleName(spoken)
    pane.setToolTip(spoken)
    pane.setReadOnly(True)
    pane.setTabChangesFocus(True)
    pane.setFont(theme.font(Size.NORMAL))
    return pane
