"""The ways to the window of experiments: the menu, the last run, rows of the table of runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from app.actions import ACTIONS, Intent
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.records.types import RunRow
from app.ui.document.turns import TurnAction
from app.ui.look.theme import Theme
from app.ui.shell.layout import Layout
from app.ui.shell.places import Places

if TYPE_CHECKING:
    from app.ui.experiments.controller_form import ExperimentFormController

PREFIX = "experiment_"
REUSE = "reuse"
"""The experiment that asks what the cache is worth."""


class ExperimentsController(QObject):
    """Makes the laboratory when somebody first wants it: what it imports would keep the first paint waiting."""

    def __init__(
        self,
        playground: Playground,
        parts: Layout,
        theme: Theme,
        places: Places,
        folders: Callable[[], Sequence[str]],
        servers: Servers,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._folders, self._servers = folders, servers
        self._playground = playground
        self._parts = parts
        self._theme = theme
        self._places = places
        self._window = parent
        self._made: ExperimentFormController | None = None
        names = [action.name for action in ACTIONS if action.name.startswith(PREFIX)]
        self.intents: dict[str, Intent] = {name: _Way(self, name.removeprefix(PREFIX)).go for name in names}
        parts.ending.trying_wanted.connect(self._try_last)
        parts.transcript.wanted.connect(self._try_turn)
        parts.exact_prompt.measure_wanted.connect(self._measure_reuse)

    @property
    def laboratory(self) -> ExperimentFormController:
        if self._made is None:
            from app.ui.experiments.controller_form import ExperimentFormController

            known = self._playground, self._parts, self._theme, self._places
            self._made = ExperimentFormController(*known, self._folders, self._servers, self._window)
        return self._made

    @Slot(object, bool)
    def begin_from(self, rows: tuple[RunRow, ...], swept: bool) -> None:
        """From rows of the table of runs; for a sweep, of what they differ in."""
        self.laboratory.begin_from(rows, swept)

    def close(self) -> None:
        """The window goes."""
        if self._made is not None:
            self._made.close()

    @Slot(object, int)
    def _try_turn(self, wish: TurnAction, index: int) -> None:
        if wish == TurnAction.TRY:
            self.laboratory.try_turn(index)

    @Slot()
    def _try_last(self) -> None:
        self.laboratory.try_last()

    @Slot()
    def _measure_reuse(self) -> None:
        self.laboratory.try_last(REUSE)


class _Way:
    """To one question."""

    def __init__(self, experiments: ExperimentsController, name: str) -> None:
        self._experiments, self._name = experiments, name

    def go(self) -> None:
        self._experiments.laboratory.open(self._name)
