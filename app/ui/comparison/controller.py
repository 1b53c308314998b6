"""The window of comparisons: opened by the table of runs, the menu of an answer, and experiments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.i18n import tr
from app.records.types import RunId
from app.ui.document.turns import TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.comparison.comparison import Comparison
    from app.experiments.types import ExperimentOutcome
    from app.ui.comparison.window import ComparisonWindow


class ComparisonController(Feature):
    """Creates the window at first use."""

    ahead = ("app.ui.comparison.window",)

    refused = Signal(str)
    """The branches of an answer can't be compared, with the reason."""

    def __init__(self, playground: Playground, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground, self._theme, self._parent = playground, theme, parent
        self._tasks = Tasks(self)
        self._window = LazyWindow(self._make)
        playground.book.keep_open_for(self._tasks)

    def show_comparison(self, found: Comparison, known: str) -> None:
        """Open the window with a comparison that another window has made."""
        self._window.window.view.show_comparison(found, known)
        self._window.bring_up()

    def run_turn_action(self, wish: TurnAction, index: int) -> None:
        """Follow the menu of an answer: compare the runs of its branches, the shown one first."""
        if wish == TurnAction.COMPARE:
            state = self._playground.state
            turn = state.turns[index]
            others = [each for each in state.others if each.id in turn.siblings]
            runs = [each.runs[-1].id for each in (turn, *others) if each.runs]
            if len(runs) > 1:
                self._compare(runs)
            else:
                self.refused.emit(
                    tr("Only answers of a model can be compared. The other branches were edited by hand.")
                )

    def compare_variants(self, outcome: ExperimentOutcome) -> None:
        """Compare the variants of an experiment."""
        self._tasks.start(self._show_variants(outcome), "variants")

    def forget_all(self) -> None:
        if self._window.made is not None:
            self._window.made.close()
            self._window.made.view.show_comparison(None)

    def close(self) -> None:
        self._window.close()

    def _compare(self, runs: Sequence[RunId]) -> None:
        if (journal := self._playground.book.journal) is not None:
            view = self._window.window.view
            self._tasks.start(view.show_runs(journal, self._playground.state.model, runs), "runs")
            self._window.bring_up()

    async def _show_variants(self, outcome: ExperimentOutcome) -> None:
        from app.comparison.columns import columns_of_experiment
        from app.comparison.comparison import compare

        self.show_comparison(await self._tasks.in_thread(lambda: compare(columns_of_experiment(outcome))), "")

    def _make(self) -> ComparisonWindow:
        from app.ui.comparison.window import ComparisonWindow

        return ComparisonWindow(self._theme, self._tasks, self._parent)
