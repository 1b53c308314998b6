"""Opens the window of experiments from the menu, from the last run, or from rows of the table of runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.actions import ACTIONS, Intent
from app.bridge.model_sources import ModelFolders, Servers
from app.bridge.playground import Playground
from app.records.types import RunRow
from app.ui.document.turns import TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.experiments.questions import QuestionsWindow
    from app.ui.experiments.window import ExperimentWindow

PREFIX = "experiment_"
SHARED = ("metrics", "significance", "pace", "requests", "conclusion_text")
"""Modules that all experiments import. Importing them one by one blocks the window for less time."""
LAST_RUN = "show_runs"
REUSE = "reuse"
"""The experiment that measures the prompt cache."""


class ExperimentsController(Feature):
    """Creates the window at first use: its imports would delay the first paint."""

    ahead = (*(f"app.experiments.{name}" for name in SHARED), "app.ui.experiments.window")

    measured = Signal(object)
    """MemoryUse of the device during a run."""
    progressed = Signal(str, int, int)
    """Progress in words, finished runs, all runs."""
    comparison_wanted = Signal(object)
    """The ExperimentOutcome whose variants to compare."""
    last_run_wanted = Signal()
    """The table of runs with the last run."""
    loading = Signal(str, object)
    """What the next run loads, and the Loading."""

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        bundled: Path,
        folders: ModelFolders,
        servers: Servers,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._parts = playground, theme, bundled, folders, servers, parent, self
        self._theme, self._parent = theme, parent
        self._window = LazyWindow(self._make)
        self._questions = LazyWindow(self._make_questions)

    def actions(self) -> dict[str, Intent]:
        names = [action.name for action in ACTIONS if action.name.startswith(PREFIX)]
        experiments = {name: partial(self._open, name.removeprefix(PREFIX)) for name in names}
        return {"questions": self._questions.bring_up, **experiments}

    def close(self) -> None:
        self._questions.close()
        if self._window.made is not None:
            self._window.made.leave()

    def begin_from(self, rows: tuple[RunRow, ...], is_sweep: bool) -> None:
        """Open the window with the first run; for a sweep, over the settings in which the runs differ."""
        self._window.window.begin_from(rows, is_sweep)

    def run_turn_action(self, wish: TurnAction, index: int) -> None:
        """Follow the menu of a turn."""
        if wish == TurnAction.TRY:
            self._window.window.try_turn(index)

    def try_last(self) -> None:
        self._window.window.try_last()

    def measure_reuse(self) -> None:
        self._window.window.try_last(REUSE)

    def _open(self, name: str) -> None:
        self._window.window.open_experiment(name)

    def _make(self) -> ExperimentWindow:
        from app.ui.experiments.window import ExperimentWindow

        return ExperimentWindow(*self._parts)

    def _make_questions(self) -> QuestionsWindow:
        from app.ui.experiments.questions import QuestionsWindow

        return QuestionsWindow(self._theme, self._answer, self._parent)

    def _answer(self, action: str) -> None:
        """Open the tool for a question; that of a run, with the last run."""
        if action == LAST_RUN:
            self.last_run_wanted.emit()
        else:
            self._actions[action].trigger()
