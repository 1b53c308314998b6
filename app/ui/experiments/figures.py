"""The curves of the arms over each other, and the table of their figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from app.definitions import meaning
from app.engine.frame import Point
from app.experiments.figure_words import cell, endings, heading
from app.experiments.figures import Table, spread, usual, values
from app.experiments.pace import NEAR, curve
from app.experiments.types import Outcome, Result
from app.figures import speed
from app.ui.look.theme import GAP_PX, GRID_PX, Theme
from app.ui.widgets.plots.compared import CURVES, Compared
from app.ui.widgets.plots.overlay import SpeedOverlay
from app.ui.widgets.plots.speed_curve import Axis
from app.ui.widgets.rows import in_column
from app.ui.widgets.small_print import SmallPrint
from app.ui.widgets.word_table import WordTable
from app.words import tr

CURVE_TIP = tr(
    "The speed around each token, over the {count} before and after it, of each arm's run of median speed"
).format(count=NEAR)
CURVES_PX, TABLE_PX = 300, 190
WARM_UPS_TOLD = 3


class FiguresPage(QWidget):
    """Takes outcomes, whole or so far."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: dict[tuple[int, int], tuple[Point, ...]] = {}
        whole = in_column(on=self, margins=(0, GAP_PX, 0, 0))
        rows = QSplitter(Qt.Orientation.Vertical, self)
        rows.setObjectName("experiment_rows")
        rows.setChildrenCollapsible(False)
        whole.addWidget(rows)
        self._overlay = SpeedOverlay(theme, rows, name="experiment_overlay", axis=Axis.TOKENS)
        self._overlay.setToolTip(CURVE_TIP)
        below = QWidget(rows)
        self._more = SmallPrint(theme, "experiment_more_curves")
        self._table = WordTable(theme, "experiment_figures", tr("Figures of the arms"), folds=True)
        self._warm_ups = SmallPrint(theme, "experiment_warm_ups")
        in_column(self._more, (self._table, 1), self._warm_ups, on=below, gap=GRID_PX, margins=(0, GRID_PX, 0, 0))
        rows.setSizes([CURVES_PX, TABLE_PX])

    def clear(self) -> None:
        """Another experiment."""
        self._curves.clear()
        self._more.say("")
        self._warm_ups.say("")

    def show_outcome(self, outcome: Outcome, table: Table) -> None:
        """What there is so far, or in the end."""
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

    def show_warm_ups(self, outcome: Outcome) -> None:
        """They are in none of the figures; told when it is over."""
        said, each = _warmed(outcome)
        self._warm_ups.say(said)
        self._warm_ups.setToolTip(f"{each}\n{meaning('speed_mean')}")

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
