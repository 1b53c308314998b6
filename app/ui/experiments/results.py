"""The results of an experiment: conclusion, figures and curves, texts, further tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHeaderView, QLabel, QTabWidget, QWidget

from app.definitions import meaning, of_name
from app.experiments.metrics import MetricsTable, format_plain
from app.experiments.metrics import number as format_number
from app.experiments.questions.draft import DraftedSpan, SpanOrigin, stretches
from app.experiments.texts import VARIETY
from app.experiments.types import DETAILS_LEAD, Conclusion, Detail, ExperimentOutcome, MetricColumn, RunResult
from app.i18n import tr
from app.ui.experiments.metrics_page import MetricsPage
from app.ui.experiments.setup import GridTitles
from app.ui.look import GAP_PX, GRID_PX, Color, Size, Theme
from app.ui.study_window import result_pages
from app.ui.widgets import (
    Announcer,
    ChoiceBox,
    SmallPrint,
    Table,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
    split,
)
from app.ui.widgets.diff_view import DiffPane, MarkedText
from app.ui.widgets.empty_page import EmptyPage, draw_dots
from app.ui.widgets.plain_text import reading_pane
from app.ui.widgets.table_model import Column, Role, TableModel
from app.ui.widgets.word_table import WordTable

EMPTY = tr(
    "The answer to the question appears here in one sentence, with its direction, size and confidence interval. Below "
    "it are the metrics, the speed curve and the text of each variant, already during the experiment."
)
RUNNING = tr("The metrics and the text of each variant appear here after its first run.")
PANE = tr("Text of the chosen cell"), tr("The full text of the chosen cell"), tr("Choose a cell to read its full text.")
LONG = 40
"""A cell with more characters than this gets a pane."""
ROWS_PX, CELL_PX, CELL_ROWS_PX, TEXT_ROWS_PX = (260, 160), 112, (280, 110), (260, 140)
CELL_LENGTH = 600
"""Characters of a text in its cell; the pane below shows the whole text."""
EACH_ROUND = 60
"""With more runs than this, only those of the first round can be chosen."""
BOXES = (tr("The first run"), tr("The second run"))
TEXT_PANES = (tr("Text of the first run"), tr("Text of the second run"))
ROLES = {SpanOrigin.DRAFT: Color.DRAFT_ACCEPTED, SpanOrigin.REJECTED: Color.DRAFT_REJECTED}


class Results(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.titles: GridTitles | None = None
        self._details: tuple[Detail, ...] = ()
        self._conclusion = _sentence("experiment_conclusion", theme.font(Size.PROSE, bold=True))
        self._further = _sentence("experiment_further", theme.font(Size.NORMAL))
        self._announcer = Announcer(self._conclusion)
        self._caution = SmallPrint(theme, "experiment_caution", "warning")
        self._tabs = named(QTabWidget(), "experiment_tabs", tr("Results"))
        tip = tr("Run this experiment with few and short rounds")
        self.empty = EmptyPage(theme, "experiment_empty", EMPTY, draw_dots, tip)
        self._pages = result_pages(self.empty, self._tabs)
        self.metrics = MetricsPage(theme)
        self._cells = CellsPage(theme)
        self.texts = TextsPage(theme)
        self._detail_page = DetailsPage(theme)
        self._lay_out()

    def clear(self, titles: GridTitles | None = None) -> None:
        """Prepare for another experiment. `titles`: the titles of a grid of two settings; None: it has no grid."""
        self.titles = titles
        self._say(Conclusion(""))
        self._caution.say("")
        self.metrics.clear()
        self.texts.clear()
        self._cells.begin(titles or GridTitles((), ()))
        self._tabs.setTabVisible(self._tabs.indexOf(self._cells), titles is not None)
        self._show_details(())
        # The texts are the result of a grid.
        self._tabs.setCurrentWidget(self.metrics if titles is None else self._cells)
        self._pages.setCurrentIndex(0)

    def show_running(self, is_running: bool, sample: str) -> None:
        """Say on the empty page that results will come, or what the sample runs."""
        self.empty.say(RUNNING if is_running else f"{EMPTY}\n\n{sample}")
        self.empty.offer_sample(not is_running)

    def show_outcome(self, outcome: ExperimentOutcome, table: MetricsTable) -> None:
        self.metrics.show_outcome(outcome, table)
        self.texts.show_runs(outcome)
        if self.titles is not None:
            self._cells.show_runs(outcome, table.columns)
        self._pages.setCurrentIndex(1)

    def show_conclusion(self, conclusion: Conclusion, caution: str, outcome: ExperimentOutcome) -> None:
        """Show the conclusion; `caution` says what was not measured as planned."""
        self._say(conclusion)
        self._caution.say(caution)
        self._announcer.say(" ".join(part for part in (conclusion.sentence, caution) if part))
        self.metrics.show_warm_ups(outcome)
        self._show_details(conclusion.details)
        if outcome.plan.lead == DETAILS_LEAD and self._details and self._tabs.currentWidget() is self.metrics:
            self._tabs.setCurrentWidget(self._detail_page)
        self._pages.setCurrentIndex(1)

    def _say(self, conclusion: Conclusion) -> None:
        self._conclusion.setText(conclusion.headline)
        self._further.setText(conclusion.further)
        self._further.setVisible(bool(conclusion.further))
        sentence = conclusion.sentence
        spoken = tr("Conclusion: {sentence}").format(sentence=sentence) if sentence else tr("Conclusion: none yet")
        self._conclusion.setAccessibleName(spoken)
        self._conclusion.setVisible(bool(sentence))

    def _show_details(self, details: Sequence[Detail]) -> None:
        self._details = tuple(each for each in details if each.rows)
        self._detail_page.show_details(self._details)
        self._tabs.setTabVisible(self._tabs.indexOf(self._detail_page), bool(self._details))

    def _lay_out(self) -> None:
        self._tabs.setDocumentMode(True)
        self._tabs.addTab(self._cells, tr("Texts by settings"))
        self._tabs.addTab(self.metrics, tr("Figures"))
        self._tabs.addTab(self.texts, tr("Compare texts"))
        self._tabs.addTab(self._detail_page, tr("Details"))
        sentences = in_column(self._conclusion, self._further, self._caution, gap=GRID_PX)
        in_column(sentences, (self._pages, 1), on=self)
        self.clear()


def _sentence(name: str, font: QFont) -> QLabel:
    label = plain_label(name, tip=meaning("conclusion"), font=font, wraps=True)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label


class DetailsPage(QWidget):
    """Further tables: a choice of them, the chosen one, and the full text of its chosen cell."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._details: tuple[Detail, ...] = ()
        self._which = ChoiceBox("experiment_which_detail", tr("Detail"), tr("Further tables of this experiment"))
        self._which.currentIndexChanged.connect(self._show)
        self._grid = WordTable(theme, "experiment_detail", tr("Detail"))
        self._grid.selectionModel().currentChanged.connect(self._choose)
        self._text = reading_pane(theme, "experiment_detail_text", *PANE)
        rows = split(Qt.Orientation.Vertical, self._grid, self._text, ROWS_PX)
        in_column(self._which, (rows, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0))

    def show_details(self, details: Sequence[Detail]) -> None:
        self._details = tuple(details)
        self._which.clear()
        self._which.addItems([each.title for each in self._details])

    def _show(self, number: int) -> None:
        if 0 <= number < len(self._details):
            detail = self._details[number]
            self._grid.setAccessibleName(detail.title)
            tips = [of_name(name) or of_name(detail.title) for name in detail.head]
            self._grid.show_rows(detail.head, [list(map(format_plain, row)) for row in detail.rows], tips)
            self._text.clear()
            self._text.setVisible(
                any(isinstance(cell, str) and len(cell) > LONG for row in detail.rows for cell in row)
            )

    def _choose(self, index: QModelIndex) -> None:
        self._text.setPlainText(str(index.data(Qt.ItemDataRole.EditRole)) if index.isValid() else "")


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of the grid: a value of the first setting, and its runs by column."""

    title: str
    runs: tuple[RunResult | None, ...] = ()


class CellsModel(TableModel[GridRow]):
    """The runs of a grid of two settings, for one seed."""

    nothing = tr("not run yet")

    def show_runs(self, titles: GridTitles, runs: dict[int, RunResult], variety: MetricColumn | None) -> None:
        """Show `runs` by the number of their variant."""
        across = len(titles.columns)
        lines = [
            GridRow(title, tuple(runs.get(row * across + position) for position in range(across)))
            for row, title in enumerate(titles.rows)
        ]
        columns = [
            Column(title, title, lambda line, position=position: _cell_text(line.runs[position], variety))  # type: ignore[misc]
            for position, title in enumerate(titles.columns)
        ]
        self.show_rows(lines, columns)

    def run(self, index: QModelIndex) -> RunResult | None:
        return self.rows[index.row()].runs[index.column()] if index.isValid() else None

    def spoken(self, position: int, column: Column[GridRow]) -> str:
        return f"{self.rows[position].title}, {super().spoken(position, column)}"

    def tip(self, position: int, column: Column[GridRow]) -> str:
        return column.text(self.rows[position])

    def side(self, column: Column[GridRow]) -> Qt.AlignmentFlag:
        return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if role != Role.DisplayRole:
            return None
        down = orientation is Qt.Orientation.Vertical and section < len(self.rows)
        return self.rows[section].title if down else super().headerData(section, orientation, role)


def _cell_text(run: RunResult | None, variety: MetricColumn | None) -> str:
    if run is None:
        return ""
    varied = variety.of(run) if variety else None
    parts = [tr("%n tokens", "%n token", len(run.tokens)), run.finish.reason.plain_words]
    if variety is not None and varied is not None:
        parts.append(f"{variety.title.lower()} {format_number(variety, varied)}")
    return f"{' · '.join(parts)}\n{run.text[:CELL_LENGTH].strip()}"


class CellsPage(QWidget):
    """The texts of a grid in its cells, and the full text of the chosen cell."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("experiment_cells_page")
        self.titles = GridTitles((), ())
        self._outcome: ExperimentOutcome | None = None
        self._columns: Sequence[MetricColumn] = ()
        tip = tr("Each round has its own seed, which is the same in every cell")
        self._seed = ChoiceBox("experiment_seed", tr("Seed"), tip)
        self._seed.currentIndexChanged.connect(self._fill)
        self._cells = CellsModel()
        self._table = _table(theme, self._cells)
        self._text = reading_pane(theme, "experiment_cell_text", *PANE)
        self._table.selectionModel().currentChanged.connect(self._choose)
        label = plain_label("", tr("Seed"), font=theme.font(Size.SMALL))
        rows = split(Qt.Orientation.Vertical, self._table, self._text, CELL_ROWS_PX)
        above = in_row(label, self._seed, ..., gap=GRID_PX)
        in_column(above, (rows, 1), on=self, gap=GRID_PX, margins=(0, GAP_PX, 0, 0))

    def begin(self, titles: GridTitles) -> None:
        self.titles, self._outcome = titles, None
        self._seed.show_entries({})
        self._text.clear()
        self._fill()

    def show_runs(self, outcome: ExperimentOutcome, columns: Sequence[MetricColumn]) -> None:
        self._outcome, self._columns = outcome, columns
        seeds = {run.round: run.request.sampling.seed for run in outcome.results}
        for at in sorted(seeds):
            if self._seed.findData(at) < 0:
                with QSignalBlocker(self._seed):
                    self._seed.addItem(str(seeds[at]), at)
        self._fill()

    def _fill(self) -> None:
        at = self._seed.currentData()
        results = self._outcome.results if self._outcome else ()
        runs = {run.arm: run for run in results if run.round == at}
        variety = next((column for column in self._columns if column.key == VARIETY), None)
        chosen = self._table.currentIndex()
        row, column = chosen.row(), chosen.column()
        self._cells.show_runs(self.titles, runs, variety)
        if row >= 0:
            self._table.setCurrentIndex(self._cells.index(row, column))

    def _choose(self, index: QModelIndex) -> None:
        run = self._cells.run(index)
        if run is not None:
            self._text.setPlainText(run.text)


def _table(theme: Theme, cells: CellsModel) -> Table[CellsModel]:
    tip = tr("The text for each pair of settings")
    table = Table(theme, cells, "experiment_cells", tr("Texts of the grid"), tip, row_px=CELL_PX)
    table.setFont(theme.font(Size.SMALL))
    table.setWordWrap(True)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
    table.setShowGrid(True)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    table.verticalHeader().setHighlightSections(False)
    table.verticalHeader().show()
    return table


class TextsPage(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("experiment_texts")
        self._runs: tuple[RunResult, ...] = ()
        self._boxes = [_Box(theme, number) for number in range(2)]
        self._texts = [DraftedPane(theme, f"experiment_text_{number}", TEXT_PANES[number]) for number in range(2)]
        self._drafts = named(
            QCheckBox(tr("Show drafts")),
            "experiment_drafts",
            tr("Show drafts"),
            tr("Underlined: draft tokens that were accepted. Struck through: draft tokens that were rejected"),
            font=theme.font(Size.SMALL),
        )
        self._drafts.toggled.connect(self._show)
        tip = tr("Compare settings, speed, tokens and curves of all variants in a window of its own")
        self.compare = push_button("experiment_compare", tr("Compare variants…"), tip, kind="small")
        self.diff = DiffPane(theme, "experiment_diff")
        for box in self._boxes:
            box.currentIndexChanged.connect(self._show)
        pairs = (in_column(*pair, gap=GRID_PX) for pair in zip(self._boxes, self._texts, strict=True))
        texts = in_row(*((pair, 1) for pair in pairs), gap=GRID_PX)
        buttons = in_row(self._drafts, ..., self.compare)
        above = in_column((texts, 1), buttons, gap=GRID_PX, margins=(0, 0, 0, GRID_PX))
        rows = split(Qt.Orientation.Vertical, layout_widget(above), self.diff, TEXT_ROWS_PX)
        in_column(rows, on=self, margins=(0, GAP_PX, 0, 0))

    def show_runs(self, outcome: ExperimentOutcome) -> None:
        """Show the runs; the chosen ones stay chosen."""
        every = outcome.results
        self.compare.setEnabled(len(outcome.measured()) > 1)
        self._runs = every if len(every) <= EACH_ROUND else tuple(run for run in every if run.round == 1)
        names = [_run_name(run, outcome) for run in self._runs]
        other = next((position for position, run in enumerate(self._runs) if run.arm != self._runs[0].arm), 0)
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
        self.compare.setEnabled(False)
        self._show()

    def _show(self) -> None:
        positions = [box.currentIndex() for box in self._boxes]
        runs = [self._runs[position] if 0 <= position < len(self._runs) else None for position in positions]
        self._drafts.setVisible(any(run is not None and has_drafts(run) for run in runs))
        for pane, run in zip(self._texts, runs, strict=True):
            pane.show_run(run, self._drafts.isChecked())
        self._compare()

    def _compare(self) -> None:
        """Request the diff only while the page is visible, since it takes CPU time from the model."""
        positions = {box.currentIndex() for box in self._boxes}
        if len(positions) < 2 or len(self._runs) < 2:
            self.diff.wait(tr("The diff appears here once two runs are finished."))
        elif self.isVisible():
            self.diff.compare(*(pane.words for pane in self._texts))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compare()


def _run_name(run: RunResult, outcome: ExperimentOutcome) -> str:
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
        self.write((each.text, ROLES.get(each.whose), each.whose is SpanOrigin.REJECTED) for each in pieces)
        accepted, rejected = (sum(len(each.text.split()) for each in pieces if each.whose is whose) for whose in ROLES)
        words = tr("{accepted} draft words accepted, {rejected} rejected.")
        self.setAccessibleDescription(words.format(accepted=f"{accepted:,}", rejected=f"{rejected:,}"))

    def _restyle(self) -> None:
        self._shown = None
        self.show_run(self._run, self._drafts)


def has_drafts(run: RunResult) -> bool:
    return bool(run.rejected) or any(token.from_draft for token in run.tokens)


def _words(run: RunResult) -> str:
    """Return reasoning and text, and the error of a run that failed."""
    failure = run.finish.failure
    parts = (run.reasoning, run.text, failure.sentence if failure else "")
    return "\n\n".join(part for part in parts if part)
