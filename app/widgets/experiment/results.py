"""What was measured, as it comes: the answer, the curves, the figures, the texts, and what else was found out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QSplitter, QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from app.definitions import meaning
from app.engine.frame import Point
from app.experiments.figures import Table, spread, usual, values
from app.experiments.pace import NEAR, curve
from app.experiments.telling import cell, endings, heading
from app.experiments.types import Conclusion, Detail, Outcome, Result
from app.records.word_diff import Stretch
from app.widgets.announcer import Announcer
from app.widgets.experiment.cells import CellsPage, Titles
from app.widgets.experiment.details import DetailsPage
from app.widgets.experiment.grid import GridView
from app.widgets.experiment.texts import TextsPage
from app.widgets.formatting import speed
from app.widgets.runs.overlay import SpeedOverlay
from app.widgets.runs.values import CURVES, Compared
from app.widgets.speed_curve import Axis
from app.widgets.theme import GAP_PX, GRID_PX, MUTED_ROLE, Size, Theme
from app.widgets.words import Words
from app.words import tr

EMPTY = tr(
    "Start, and each arm appears here as it is measured: its speed curve, its figures with their spread, its text. "
    "When all rounds are done, one sentence says what was found."
)
CURVE_TIP = tr(
    "The speed around each token, over the {count} before and after it, of each arm's run of median speed"
).format(count=NEAR)
CURVES_PX, TABLE_PX = 300, 190
FIGURES, TEXTS, CELLS, DETAILS = tr("Figures"), tr("Texts"), tr("Cells"), tr("Details")
WARM_UPS_TOLD = 3


class Results(QWidget):
    """Takes outcomes, whole or so far; `pair_picked` with two texts to be told apart."""

    pair_picked = Signal(str, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles: Titles | None = None
        self._curves: dict[tuple[int, int], tuple[Point, ...]] = {}
        self._conclusion = _conclusion(theme)
        self._announcer = Announcer(self._conclusion)
        self._caution = Words(theme, "experiment_caution", "warning")
        self._overlay = SpeedOverlay(theme, name="experiment_overlay", axis=Axis.TOKENS)
        self._overlay.setToolTip(CURVE_TIP)
        self._more = Words(theme, "experiment_more_curves")
        self._table = GridView(theme, "experiment_figures", tr("Figures of the arms"))
        self._warm_ups = Words(theme, "experiment_warm_ups")
        self._texts = TextsPage(theme)
        self._texts.pair_picked.connect(self.pair_picked)
        self._cells = CellsPage(theme)
        self._detail_page = DetailsPage(theme)
        self._tabs = QTabWidget()
        self._pages = QStackedWidget()
        self._lay_out(theme)

    def clear(self, titles: Titles | None = None) -> None:
        """Another experiment; one of a grid of two settings has their values as titles."""
        self._titles = titles
        self._curves.clear()
        self._say("")
        self._caution.say("")
        self._warm_ups.say("")
        self._more.say("")
        self._texts.clear()
        self._cells.begin(titles or Titles((), ()))
        self._tabs.setTabVisible(self._tabs.indexOf(self._cells), titles is not None)
        self._show_details(())
        self._tabs.setCurrentIndex(0)
        self._pages.setCurrentIndex(0)

    def show_outcome(self, outcome: Outcome, table: Table) -> None:
        """What there is so far, or in the end."""
        self._pages.setCurrentIndex(1)
        head = (tr("Arm"), tr("Runs", "how many of them an arm has"), *map(heading, table.columns), tr("Ending"))
        tips = ("", meaning("repeats"), *(column.definition for column in table.columns))
        self._table.show_rows(head, _rows(table), tips)
        drawn = list(outcome.measured())[: len(CURVES)]
        self._overlay.show_runs(
            [self._compared(arm, outcome.of(arm)) for arm in drawn], [outcome.plan.arms[arm].name for arm in drawn]
        )
        arms = len(outcome.measured())
        more = tr("Curves of the first {drawn} of {all} arms; the table has all.") if arms > len(CURVES) else ""
        self._more.say(more.format(drawn=len(CURVES), all=arms))
        self._texts.show_runs(outcome)
        if self._titles is not None:
            self._cells.show_runs(outcome, table.columns)

    def show_conclusion(self, conclusion: Conclusion, caution: str, outcome: Outcome) -> None:
        """The answer when it is over; `caution` says where it rests on less than was planned."""
        self._say(conclusion.sentence)
        self._caution.say(caution)
        self._announcer.say(" ".join(part for part in (conclusion.sentence, caution) if part))
        said, each = _warmed(outcome)
        self._warm_ups.say(said)
        self._warm_ups.setToolTip(f"{each}\n{meaning('speed_mean')}")
        self._show_details(conclusion.details)
        self._pages.setCurrentIndex(1)

    def show_diff(self, pair: tuple[str, str], stretches: Sequence[Stretch]) -> None:
        self._texts.show_diff(pair, stretches)

    def leave(self) -> None:
        """The window goes."""
        self._overlay.leave()

    def _compared(self, arm: int, runs: Sequence[Result]) -> Compared:
        """The curve of one run, worked out once, with the median of all: the number that the table has too."""
        run = middle(runs)
        points = self._curves.get((arm, run.round))
        if points is None:
            points = self._curves[arm, run.round] = curve(run)
        mean = spread(values(runs, usual("speed_mean")))
        return Compared(arm, points, mean.middle if mean else None)

    def _say(self, sentence: str) -> None:
        self._conclusion.setText(sentence)
        spoken = tr("Conclusion: {sentence}").format(sentence=sentence) if sentence else tr("Conclusion: none yet")
        self._conclusion.setAccessibleName(spoken)
        self._conclusion.setVisible(bool(sentence))

    def _show_details(self, details: Sequence[Detail]) -> None:
        found = tuple(each for each in details if each.rows)
        self._detail_page.show_details(found)
        self._tabs.setTabVisible(self._tabs.indexOf(self._detail_page), bool(found))

    def _lay_out(self, theme: Theme) -> None:
        empty = QLabel(EMPTY)
        empty.setObjectName("experiment_empty")
        empty.setWordWrap(True)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setForegroundRole(MUTED_ROLE)
        self._tabs.setObjectName("experiment_tabs")
        self._tabs.setAccessibleName(tr("Results"))
        self._tabs.setDocumentMode(True)
        for page, title in (
            (self._figures(), FIGURES),
            (self._cells, CELLS),
            (self._texts, TEXTS),
            (self._detail_page, DETAILS),
        ):
            self._tabs.addTab(page, title)
        self._pages.addWidget(empty)
        self._pages.addWidget(self._tabs)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(GAP_PX)
        whole.addWidget(self._conclusion)
        whole.addWidget(self._caution)
        whole.addWidget(self._pages, 1)
        self.clear()

    def _figures(self) -> QWidget:
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, GRID_PX, 0, 0)
        column.setSpacing(GRID_PX)
        column.addWidget(self._more)
        column.addWidget(self._table, 1)
        column.addWidget(self._warm_ups)
        rows = QSplitter(Qt.Orientation.Vertical)
        rows.setObjectName("experiment_rows")
        rows.setChildrenCollapsible(False)
        rows.addWidget(self._overlay)
        rows.addWidget(below)
        rows.setSizes([CURVES_PX, TABLE_PX])
        return _page(rows)


def middle(runs: Sequence[Result]) -> Result:
    """The run whose mean speed is the median of the arm's: the one whose curve stands for it."""
    known = sorted(runs, key=lambda run: run.summary.figures.speed_mean or 0.0)
    return known[len(known) // 2]


def _rows(table: Table) -> list[tuple[str, ...]]:
    return [
        (
            row.arm,
            str(row.runs),
            *(cell(column, each) for column, each in zip(table.columns, row.spreads, strict=True)),
            endings(row),
        )
        for row in table.rows
    ]


def _warmed(outcome: Outcome) -> tuple[str, str]:
    """Told apart from what counts, in a line, and each by itself."""
    runs = [(outcome.plan.arms[run.arm].name, run.summary.figures.speed_mean) for run in outcome.warm_ups]
    known = [(name, mean) for name, mean in runs if mean is not None]
    each = [tr("{name} {speed} tok/s").format(name=name, speed=speed(mean)) for name, mean in known]
    if not known:
        return "", ""
    if len(known) <= WARM_UPS_TOLD:
        return tr("Warm-ups, in none of the figures: {runs}").format(runs="; ".join(each)), ""
    means = sorted(mean for _, mean in known)
    words = tr("Warm-ups, in none of the figures: %n runs, {least}–{most} tok/s", "", len(known))
    return words.format(least=speed(means[0]), most=speed(means[-1])), "\n".join(each)


def _page(*widgets: QWidget) -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, GAP_PX, 0, 0)
    column.setSpacing(GRID_PX)
    for widget in widgets:
        column.addWidget(widget)
    return page


def _conclusion(theme: Theme) -> QLabel:
    label = QLabel()
    label.setObjectName("experiment_conclusion")
    label.setToolTip(meaning("conclusion"))
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setFont(theme.font(Size.PROSE, bold=True))
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    return label
