"""The ways to the window of experiments: the menu, the last run, rows of the table of runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.actions import ACTIONS, Intent
from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.records.types import RunRow
from app.ui.document.turns import TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme

if TYPE_CHECKING:
    from app.ui.experiments.controller_form import ExperimentFormController

PREFIX = "experiment_"
SHARED = ("comparing", "figures", "drafted_text", "significance", "pace", "settings", "conclusion_text")
"""Modules that the questions share: their package comes in one piece, so these come before it."""
REUSE = "reuse"
"""The experiment that asks what the cache is worth."""


class ExperimentsController(Feature):
    """Makes the laboratory when somebody first wants it: what it imports would keep the first paint waiting."""

    ahead = (
        *(f"app.experiments.{name}" for name in SHARED),
        "app.ui.experiments.controller_form",
    )

    measured = Signal(object)
    """What the device's Memory holds while a run goes on."""
    progressed = Signal(str, int, int)
    """In words, and how many runs of how many are done."""
    loading = Signal(str, object)
    """What is opened for the next run, and the Loading."""

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
        self._known = playground, theme, bundled, folders, servers, parent
        self._made: ExperimentFormController | None = None

    def actions(self) -> dict[str, Intent]:
        names = [action.name for action in ACTIONS if action.name.startswith(PREFIX)]
        return {name: self._way(name.removeprefix(PREFIX)) for name in names}

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    @property
    def _laboratory(self) -> ExperimentFormController:
        if self._made is None:
            from app.ui.experiments.controller_form import ExperimentFormController

            self._made = ExperimentFormController(*self._known)
            self._made.feed.measured.connect(self.measured)
            self._made.feed.progressed.connect(self.progressed)
            self._made.feed.loading.connect(self.loading)
        return self._made

    @Slot(object, bool)
    def begin_from(self, rows: tuple[RunRow, ...], swept: bool) -> None:
        """From rows of the table of runs; for a sweep, of what they differ in."""
        self._laboratory.begin_from(rows, swept)

    @Slot(object, int)
    def take_wish(self, wish: TurnAction, index: int) -> None:
        """From the menu of a turn."""
        if wish == TurnAction.TRY:
            self._laboratory.try_turn(index)

    @Slot()
    def try_last(self) -> None:
        """From the run that the page ends with."""
        self._laboratory.try_last()

    @Slot()
    def measure_reuse(self) -> None:
        """What the cache is worth to the run that the page ends with."""
        self._laboratory.try_last(REUSE)

    def _way(self, name: str) -> Intent:
        """To one question."""
        return lambda: self._laboratory.open(name)
