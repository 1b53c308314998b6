"""What was measured, as it comes: the answer, the curves, the figures, the texts, and what else was found out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QStackedWidget, QTabWidget, QWidget

from app.definitions import meaning, of_name
from app.experiments.figure_words import told
from app.experiments.figures import Table
from app.experiments.types import DETAILS_LEAD, Conclusion, Detail, Outcome
from app.i18n import tr
from app.records.word_diff import DiffSegment
from app.ui.experiments.cells import CellsPage, Titles
from app.ui.experiments.figures import FiguresPage
from app.ui.experiments.texts import TextsPage
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets import Announcer, ChoiceBox, PlainText, SmallPrint, in_column, named, plain_label, split
from app.ui.widgets.word_table import WordTable

EMPTY = tr(
    "Each variant appears here during the experiment: its speed curve, its figures with their spread, and its text. A "
    "one-sentence result follows after the last round."
)
FIGURES, TEXTS, CELLS, DETAILS = tr("Figures"), tr("Compare texts"), tr("Texts by setting"), tr("Details")
LONG = 40
"""A cell of more characters than this is worth a pane to read it in."""
ROWS_PX = (260, 160)


CLAUSE = re.compile(r"(?<=[;.]) (?![^(]*\))")
"""Behind the first of them the question is answered; the others say what else was found, and on what it rests. One in
brackets ends nothing."""


class Results(QWidget):
    """Takes outcomes, whole or so far; `pair_picked` with two texts to be told apart.

    A page is made when somebody looks at it, and gets then what the others have.
    """

    pair_picked = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._titles: Titles | None = None
        self._outcome: Outcome | None = None
        self._table: Table | None = None
        self._details: tuple[Detail, ...] = ()
        self._over = False
        self._conclusion = _sentence("experiment_conclusion", theme.font(Size.PROSE, bold=True))
        self._further = _sentence("experiment_further", theme.font(Size.NORMAL))
        self._announcer = Announcer(self._conclusion)
        self._caution = SmallPrint(theme, "experiment_caution", "warning")
        self._pages = QStackedWidget(self)
        self._tabs = QTabWidget(self._pages)
        self._figures = FiguresPage(theme)
        self._cells = CellsPage(theme)
        self._texts = TextsPage(theme)
        self._detail_page = DetailsPage(theme)
        self._lay_out()
        self._texts.diff.pair_picked.connect(self.pair_picked)

    def clear(self, titles: Titles | None = None) -> None:
        """Another experiment; one of a grid of two settings has their values as titles."""
        self._titles, self._outcome, self._table, self._over = titles, None, None, False
        self._say("")
        self._caution.say("")
        self._figures.clear()
        self._texts.clear()
        self._cells.begin(titles or Titles((), ()))
        self._tabs.setTabVisible(self._tabs.indexOf(self._cells), titles is not None)
        self._show_details(())
        # Of a grid the texts answer the question, and what was measured of them.
        self._tabs.setCurrentWidget(self._figures if titles is None else self._cells)
        self._pages.setCurrentIndex(0)

    def show_outcome(self, outcome: Outcome, table: Table) -> None:
        """What there is so far, or in the end."""
        self._outcome, self._table = outcome, table
        self._figures.show_outcome(outcome, table)
        self._texts.show_runs(outcome)
        if self._titles is not None:
            self._cells.show_runs(outcome, table.columns)
        self._pages.setCurrentIndex(1)

    def show_conclusion(self, conclusion: Conclusion, caution: str, outcome: Outcome) -> None:
        """The answer when it is over; `caution` says where it rests on less than was planned."""
        self._say(conclusion.sentence)
        self._caution.say(caution)
        self._announcer.say(" ".join(part for part in (conclusion.sentence, caution) if part))
        self._outcome, self._over = outcome, True
        self._figures.show_warm_ups(outcome)
        self._show_details(conclusion.details)
        if outcome.plan.lead == DETAILS_LEAD and self._details and self._tabs.currentWidget() is self._figures:
            self._tabs.setCurrentWidget(self._detail_page)
        self._pages.setCurrentIndex(1)

    def show_diff(self, pair: tuple[str, str], stretches: Sequence[DiffSegment]) -> None:
        self._texts.diff.show_diff(pair, stretches)

    def leave(self) -> None:
        """The window goes."""
        self._figures.leave()

    def _say(self, sentence: str) -> None:
        answer, _, further = CLAUSE.sub("\n", sentence, count=1).partition("\n")
        self._conclusion.setText(f"{answer[:-1]}." if answer.endswith(";") else answer)
        self._further.setText(f"{further[:1].upper()}{further[1:]}")
        self._further.setVisible(bool(further))
        spoken = tr("Conclusion: {sentence}").format(sentence=sentence) if sentence else tr("Conclusion: none yet")
        self._conclusion.setAccessibleName(spoken)
        self._conclusion.setVisible(bool(sentence))

    def _show_details(self, details: Sequence[Detail]) -> None:
        self._details = tuple(each for each in details if each.rows)
        self._detail_page.show_details(self._details)
        self._tabs.setTabVisible(self._tabs.indexOf(self._detail_page), bool(self._details))

    def _lay_out(self) -> None:
        empty = plain_label("experiment_empty", EMPTY, muted=True, wraps=True)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages.addWidget(empty)
        self._pages.addWidget(self._tabs)
        named(self._tabs, "experiment_tabs", tr("Results"))
        self._tabs.setDocumentMode(True)
        self._tabs.addTab(self._cells, CELLS)
        self._tabs.addTab(self._figures, FIGURES)
        self._tabs.addTab(self._texts, TEXTS)
        self._tabs.addTab(self._detail_page, DETAILS)
        said = in_column(self._conclusion, self._further, self._caution, gap=GRID_PX)
        in_column(said, (self._pages, 1), on=self)
        self.clear()


def _sentence(name: str, font: QFont) -> QLabel:
    label = plain_label(name, tip=meaning("conclusion"), font=font, wraps=True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


class DetailsPage(QWidget):
    """What was found out beside the figures: a list of the tables, the one that is chosen, and below it the whole text
    of the cell that is chosen in it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._details: tuple[Detail, ...] = ()
        self._which = ChoiceBox("experiment_which_detail", tr("Which detail"), tr("What else was found out"))
        self._which.currentIndexChanged.connect(self._show)
        self._grid = WordTable(theme, "experiment_detail", tr("Detail"))
        self._grid.selectionModel().currentChanged.connect(self._choose)
        self._text = named(
            PlainText(readOnly=True, tabChangesFocus=True),
            "experiment_detail_text",
            tr("Text of the chosen cell"),
            tr("The whole text of the cell that is chosen"),
            font=theme.font(Size.NORMAL),
        )
        self._text.setPlaceholderText(tr("Choose a cell to read its whole text."))
        rows = split(Qt.Orientation.Vertical, self._grid, self._text, ROWS_PX)
        in_column(self._which, (rows, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0))

    def show_details(self, details: Sequence[Detail]) -> None:
        """All there are; the first is shown."""
        self._details = tuple(details)
        self._which.clear()
        self._which.addItems([each.title for each in self._details])

    @Slot(int)
    def _show(self, number: int) -> None:
        if 0 <= number < len(self._details):
            detail = self._details[number]
            self._grid.setAccessibleName(detail.title)
            tips = [of_name(name) or of_name(detail.title) for name in detail.head]
            self._grid.show_rows(detail.head, [list(map(told, row)) for row in detail.rows], tips)
            self._text.clear()
            self._text.setVisible(
                any(isinstance(cell, str) and len(cell) > LONG for row in detail.rows for cell in row)
            )

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        self._text.setPlainText(str(index.data(Qt.ItemDataRole.EditRole)) if index.isValid() else "")
