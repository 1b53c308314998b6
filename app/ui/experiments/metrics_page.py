"""A plot of one metric or of the speed curves of all variants, and a table of all metrics."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from app.definitions import meaning
from app.engine.meter.speeds import Point
from app.experiments.metrics import COLUMNS, MetricsTable, cell, endings, heading, number, spread, usual, values
from app.experiments.pace import NEAR, curve, middle
from app.experiments.types import ExperimentOutcome, MetricColumn, RunResult
from app.i18n import tr
from app.number_format import speed
from app.ui.look import GAP_PX, GRID_PX, Theme, scaled
from app.ui.widgets import ChoiceBox, SmallPrint, in_column, in_row, layout_widget, named, scrolling
from app.ui.widgets.plots.dots import DotPlot, DotRow
from app.ui.widgets.plots.overlay import SpeedOverlay
from app.ui.widgets.plots.speed_curve import CURVES, CurveAxis, PlottedRun
from app.ui.widgets.word_table import WordTable

CURVE_TIP = tr(
    "Speed at each token, as the mean over the {count} tokens before and after it. One curve per variant: its "
    "run of median speed"
).format(count=NEAR)
CURVES_PX, TABLE_PX, LEAST_PX = 270, 220, 300
MOST_CURVES = 4
MOST_LISTED = 3


class MetricsPage(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._curves: dict[tuple[int, int], tuple[Point, ...]] = {}
        self._outcome: ExperimentOutcome | None = None
        self._columns: tuple[MetricColumn, ...] = ()
        self._wanted: str | None = None
        """The key of the metric that the user chose for the plot; None: the one that answers the question."""
        whole = in_column(on=self, margins=(0, GAP_PX, 0, 0))
        rows = named(QSplitter(Qt.Orientation.Vertical, self, childrenCollapsible=False), "experiment_rows")
        scaled(theme, rows, QSplitter.setMinimumHeight, LEAST_PX)
        whole.addWidget(scrolling("experiment_figures_room", tr("Figures"), rows, tr("Metrics of the variants")))
        self.overlay = SpeedOverlay(theme, name="experiment_overlay", axis=CurveAxis.TOKENS)
        self.overlay.setToolTip(CURVE_TIP)
        self._dots = DotPlot(theme, "experiment_dots")
        drawn, described = tr("Plot"), tr("The plotted metric or curves")
        self._drawn = ChoiceBox("experiment_drawn", drawn, described)
        self._drawn.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self._drawn.activated.connect(self._choose)
        self._above = QStackedWidget()
        for page in (self.overlay, scrolling("experiment_dots_room", drawn, self._dots, description=described)):
            self._above.addWidget(page)
        rows.addWidget(layout_widget(in_column(in_row(self._drawn, ...), (self._above, 1), gap=GRID_PX)))
        below = QWidget(rows)
        self._more = SmallPrint(theme, "experiment_more_curves")
        self._table = WordTable(theme, "experiment_figures", tr("Metrics of the variants"), folds=True)
        self._warm_ups = SmallPrint(theme, "experiment_warm_ups")
        in_column(self._more, (self._table, 1), self._warm_ups, on=below, gap=GRID_PX, margins=(0, GRID_PX, 0, 0))
        rows.setSizes([CURVES_PX, TABLE_PX])

    def clear(self) -> None:
        self._curves.clear()
        self._wanted = None
        self._more.say("")
        self._warm_ups.say("")

    def show_outcome(self, outcome: ExperimentOutcome, table: MetricsTable) -> None:
        self._outcome, self._columns = outcome, _ordered(table.columns, outcome.plan.lead)
        head = (tr("Variant"), tr("Runs", "Number of runs of the variant"), *map(heading, self._columns), tr("Ending"))
        tips = ("", meaning("repeats"), *(column.definition for column in self._columns))
        self._table.show_rows(head, _rows(table, self._columns), tips)
        self._list_columns()
        self._draw()

    def _list_columns(self) -> None:
        entries = {each.key: heading(each) for each in self._columns} | {"": tr("Speed over the text")}
        shown = [(self._drawn.itemData(at), self._drawn.itemText(at)) for at in range(self._drawn.count())]
        if list(entries.items()) != shown:
            self._drawn.show_entries(entries)
        self._drawn.show_value(self._lead() if self._wanted is None else self._wanted)

    def _lead(self) -> str:
        """Return the key of the plotted metric. Curves of many variants would cover each other."""
        assert self._outcome is not None
        many = len(self._outcome.plan.arms) > MOST_CURVES
        return self._outcome.plan.lead or ("speed_mean" if many else "")

    def _choose(self) -> None:
        self._wanted = self._drawn.currentData()
        self._draw()

    def _draw(self) -> None:
        outcome = self._outcome
        if outcome is None:
            return
        column = next((each for each in self._columns if each.key == self._drawn.currentData()), None)
        self._above.setCurrentIndex(int(column is not None))
        variants = outcome.measured()
        if column is not None:
            self._dots.show_rows(heading(column), _dots(outcome, column), partial(number, column))
            self._more.say("")
            return
        drawn = variants[: len(CURVES)]
        self.overlay.show_runs(
            [self._compared(variant, outcome.of(variant)) for variant in drawn],
            [outcome.plan.arms[variant].name for variant in drawn],
        )
        more = (
            tr("Curves of the first {drawn} of {all} variants; the table has all.")
            if len(variants) > len(CURVES)
            else ""
        )
        self._more.say(more.format(drawn=len(CURVES), all=len(variants)))

    def show_warm_ups(self, outcome: ExperimentOutcome) -> None:
        words, each = _warm_up_words(outcome)
        self._warm_ups.say(words)
        self._warm_ups.setToolTip(f"{each}\n{meaning('speed_mean')}")

    def _compared(self, variant: int, runs: Sequence[RunResult]) -> PlottedRun:
        """Return the curve of the run of median speed, labeled with the same median as in the table."""
        run = middle(runs)
        points = self._curves.get((variant, run.round))
        if points is None:
            points = self._curves[variant, run.round] = curve(run)
        mean = spread(values(runs, usual("speed_mean")))
        return PlottedRun(variant, points, mean.middle if mean else None)


def _ordered(columns: Sequence[MetricColumn], lead: str) -> tuple[MetricColumn, ...]:
    """Put the metric that answers the question first, then those of this experiment alone."""
    usual_keys = {each.key for each in COLUMNS}
    return tuple(sorted(columns, key=lambda column: (column.key != lead, column.key in usual_keys)))


def _rows(table: MetricsTable, columns: Sequence[MetricColumn]) -> list[tuple[str, ...]]:
    positions = [table.columns.index(column) for column in columns]
    letters = CURVES if len(table.rows) <= len(CURVES) else " " * len(table.rows)
    return [
        (
            f"{letter}  {row.arm}".strip(),
            str(row.runs),
            *(cell(table.columns[at], row.spreads[at]) for at in positions),
            endings(row),
        )
        for row, letter in zip(table.rows, letters, strict=False)
    ]


def _dots(outcome: ExperimentOutcome, column: MetricColumn) -> list[DotRow]:
    rows = []
    for variant in outcome.measured():
        found = values(outcome.of(variant), column)
        if (each := spread(found)) is not None:
            rows.append(DotRow(outcome.plan.arms[variant].name, tuple(found), each.middle, cell(column, each)))
    return rows


def _warm_up_words(outcome: ExperimentOutcome) -> tuple[str, str]:
    """Return a line about all warm-up runs, and the speed of each for the tooltip."""
    runs = [(outcome.plan.arms[run.arm].name, run.summary.figures.speed_mean) for run in outcome.warm_ups]
    known = [(name, mean) for name, mean in runs if mean is not None]
    each = [tr("{name} {speed} tok/s").format(name=name, speed=speed(mean)) for name, mean in known]
    if not known:
        return "", ""
    if len(known) <= MOST_LISTED:
        return tr("Warm-up runs (excluded): {runs}").format(runs="; ".join(each)), ""
    means = sorted(mean for _, mean in known)
    words = tr("Warm-up (excluded): %n runs at {least}–{most} tok/s", "", len(known))
    return words.format(least=speed(means[0]), most=speed(means[-1])), "\n".join(each)
