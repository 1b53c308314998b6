"""What was measured, as it comes: the answer, the curves, the figures, the texts, and what else was found out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QTabWidget, QWidget

from app.definitions import meaning
from app.experiments.figures import Table
from app.experiments.types import Conclusion, Detail, Outcome
from app.records.word_diff import Stretch
from app.ui.experiments.cells import CellsPage, Titles
from app.ui.experiments.details import DetailsPage
from app.ui.experiments.figures import FiguresPage
from app.ui.experiments.texts import TextsPage
from app.ui.look import Size, Theme
from app.ui.widgets import Announcer, LazyPage, SmallPrint, in_column, named, plain_label
from app.words import tr

EMPTY = tr(
    "Start, and each arm appears here as it is measured: its speed curve, its figures with their spread, its text. "
    "When all rounds are done, one sentence says what was found."
)
FIGURES, TEXTS, CELLS, DETAILS = tr("Figures"), tr("Compare texts"), tr("Texts by setting"), tr("Details")


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
        self._conclusion = _conclusion(theme)
        self._announcer = Announcer(self._conclusion)
        self._caution = SmallPrint(theme, "experiment_caution", "warning")
        self._pages = QStackedWidget(self)
        self._tabs = QTabWidget(self._pages)
        self._figures = LazyPage(partial(FiguresPage, theme))
        self._cells = LazyPage(partial(CellsPage, theme))
        self._texts = LazyPage(partial(TextsPage, theme))
        self._detail_page = LazyPage(partial(DetailsPage, theme))
        self._lay_out()
        self._figures.then(self._fill_figures)
        self._cells.then(self._fill_cells)
        self._texts.then(self._take_texts)
        self._detail_page.then(self._fill_details)

    def clear(self, titles: Titles | None = None) -> None:
        """Another experiment; one of a grid of two settings has their values as titles."""
        self._titles, self._outcome, self._table, self._over = titles, None, None, False
        self._say("")
        self._caution.say("")
        self._figures.if_made(FiguresPage.clear)
        self._texts.if_made(TextsPage.clear)
        self._cells.if_made(lambda page: page.begin(titles or Titles((), ())))
        self._tabs.setTabVisible(self._tabs.indexOf(self._cells), titles is not None)
        self._show_details(())
        # Of a grid the texts answer the question, and what was measured of them.
        self._tabs.setCurrentWidget(self._figures if titles is None else self._cells)
        self._pages.setCurrentIndex(0)

    def show_outcome(self, outcome: Outcome, table: Table) -> None:
        """What there is so far, or in the end."""
        self._outcome, self._table = outcome, table
        self._figures.if_made(self._fill_figures)
        self._texts.if_made(lambda page: page.show_runs(outcome))
        self._cells.if_made(self._fill_cells)
        self._pages.setCurrentIndex(1)

    def show_conclusion(self, conclusion: Conclusion, caution: str, outcome: Outcome) -> None:
        """The answer when it is over; `caution` says where it rests on less than was planned."""
        self._say(conclusion.sentence)
        self._caution.say(caution)
        self._announcer.say(" ".join(part for part in (conclusion.sentence, caution) if part))
        self._outcome, self._over = outcome, True
        self._figures.if_made(lambda page: page.show_warm_ups(outcome))
        self._show_details(conclusion.details)
        self._pages.setCurrentIndex(1)

    def show_diff(self, pair: tuple[str, str], stretches: Sequence[Stretch]) -> None:
        self._texts.if_made(lambda page: page.show_diff(pair, stretches))

    def leave(self) -> None:
        """The window goes."""
        self._figures.if_made(FiguresPage.leave)

    def _fill_figures(self, page: FiguresPage) -> None:
        if self._outcome is not None and self._table is not None:
            page.show_outcome(self._outcome, self._table)
        if self._outcome is not None and self._over:
            page.show_warm_ups(self._outcome)

    def _fill_cells(self, page: CellsPage) -> None:
        if self._titles is None:
            return
        if page.titles != self._titles:
            page.begin(self._titles)
        if self._outcome is not None and self._table is not None:
            page.show_runs(self._outcome, self._table.columns)

    def _take_texts(self, page: TextsPage) -> None:
        page.pair_picked.connect(self.pair_picked)
        if self._outcome is not None:
            page.show_runs(self._outcome)

    def _fill_details(self, page: DetailsPage) -> None:
        page.show_details(self._details)

    def _say(self, sentence: str) -> None:
        self._conclusion.setText(sentence)
        spoken = tr("Conclusion: {sentence}").format(sentence=sentence) if sentence else tr("Conclusion: none yet")
        self._conclusion.setAccessibleName(spoken)
        self._conclusion.setVisible(bool(sentence))

    def _show_details(self, details: Sequence[Detail]) -> None:
        self._details = tuple(each for each in details if each.rows)
        self._detail_page.if_made(self._fill_details)
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
        in_column(self._conclusion, self._caution, (self._pages, 1), on=self)
        self.clear()


def _conclusion(theme: Theme) -> QLabel:
    tip = meaning("conclusion")
    label = plain_label("experiment_conclusion", tip=tip, font=theme.font(Size.PROSE, bold=True), wraps=True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label
