"""What came of it: the verdict, the rates with their intervals, the rows in which arms differ, votes without names."""

from itertools import zip_longest

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from app.definitions import of_name
from app.evaluation.export import tables
from app.i18n import tr
from app.number_format import percent
from app.ui.evaluation.answers_page import AnswersPage
from app.ui.evaluation.blind_page import BlindPage
from app.ui.evaluation.values import EvaluationResult
from app.ui.evaluation.words import dots
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.widgets import Announcer, SmallPrint, held, in_column, named, plain_label
from app.ui.widgets.plots.dots import DotPlot
from app.ui.widgets.rows import scrolling
from app.ui.widgets.word_table import WordTable

EMPTY = tr("Start, and the rates of the variants appear here as rows are answered, each with its uncertainty.")
MOST_ROWS = 12


class ResultsPage(QWidget):
    """The sentences above, and three ways to look at what they rest on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._sentence = plain_label(
            "sets_verdict", font=theme.font(Size.PROSE, bold=True), wraps=True, selectable=True
        )
        self._rest = SmallPrint(theme, "sets_verdict_rest", "text")
        self._announcer = Announcer(self._sentence)
        self._dots = DotPlot(theme, "sets_dots", 1.0)
        self._rates = WordTable(theme, "sets_rates", tr("Rates of the variants"), most_rows=MOST_ROWS)
        self._pairs = WordTable(theme, "sets_pairs", tr("Pairs of variants"), most_rows=MOST_ROWS)
        self.answers = AnswersPage(theme)
        self.blind = BlindPage(theme)
        self._tabs = named(QTabWidget(), "sets_result_tabs", tr("Results"))
        self._pages = QStackedWidget()
        self._lay_out(theme)

    def show_found(self, found: EvaluationResult, over: bool) -> None:
        """So far, or in the end."""
        verdict, study = found.verdict, found.outcome.study
        first, *rest = (*verdict.sentences, "")
        told = first if over or not first else tr("So far: {sentence}").format(sentence=first)
        self._sentence.setText(told)
        self._sentence.setVisible(bool(first))
        self._rest.say("\n".join(each for each in rest if each))
        names = [each.name for each in study.arms]
        self._dots.setVisible(bool(verdict.rates))
        self._dots.show_rows(tr("Rate"), dots(verdict, names), lambda share: percent(share, 1))
        numbers = tuple(tables(verdict, names))
        for table, each in zip_longest((self._rates, self._pairs), numbers):
            table.setVisible(each is not None)
            if each is not None:
                table.show_rows(each.head, each.rows, [of_name(title) for title in each.head])
        self.answers.show_found(found, over)
        self._tabs.setTabVisible(self._tabs.indexOf(self.blind), len(study.arms) > 1)
        self._pages.setCurrentIndex(1)
        if over:
            self._announcer.say(first)

    def begin(self, by_hand: bool) -> None:
        """Another study: nothing is known of it yet."""
        self._sentence.setText("")
        self._sentence.hide()
        self._rest.say("")
        self.answers.clear()
        self._tabs.setCurrentIndex(2 if by_hand else 0)
        self._pages.setCurrentIndex(0)

    def _lay_out(self, theme: Theme) -> None:
        empty = plain_label("sets_results_empty", EMPTY, muted=True, wraps=True)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        told = tr("A point for the rate of each variant, a line for its 95 % confidence interval")
        parts = in_column(self._dots, self._rates, self._pairs, self._rest, ..., gap=GAP_PX)
        figures = scrolling("sets_figures", tr("Rates of the variants"), held(parts), told=told)
        for title, page in ((tr("Rates"), figures), (tr("Answers"), self.answers), (tr("Blind A/B"), self.blind)):
            self._tabs.addTab(page, title)
        self._tabs.setDocumentMode(True)
        for each in (empty, self._tabs):
            self._pages.addWidget(each)
        in_column(self._sentence, (self._pages, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0))
        self.begin(by_hand=False)
