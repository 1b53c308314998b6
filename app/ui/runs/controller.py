"""The feature Runs: opens its window, and exports the tokens of the last run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.types import Failure
from app.records.types import RunId
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.runs import exports
from app.ui.widgets import LazyWindow, NoticeBar

if TYPE_CHECKING:
    from app.ui.runs.window import RunsWindow


class RunsController(Feature):
    """Creates the window at first use."""

    ahead = ("app.ui.runs.window",)

    basis_picked = Signal(object, bool)
    """The RunRows for a new experiment, and whether it is a sweep."""
    comparison_wanted = Signal(object, str)
    """The Comparison to show in its own window, and what is known about its cause."""

    def __init__(self, playground: Playground, notice: NoticeBar, theme: Theme, bundled: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground, self._notice, self._theme, self._parent = playground, notice, theme, parent
        self._bundled = bundled
        self._tasks = Tasks(self)
        self._window = LazyWindow(self._make)
        playground.book.keep_open_for(self._tasks)

    def actions(self) -> dict[str, Intent]:
        return {"show_runs": self._window.bring_up, "replay": self.replay_last}

    def connect_actions(self) -> None:
        self._playground.follow(("phase", "turns"), self._enable_actions, at_once=True)

    def show_last(self) -> None:
        """Open the window and select the last run."""
        self._window.bring_up()
        self._window.window.select(self._last)

    def replay_last(self) -> None:
        """Open the window, and rerun the last run."""
        self.show_last()
        self._window.window.replays.start(self._last)

    def export_last_tokens(self) -> None:
        if self._last:
            exports.ask_file(self._playground, self._tasks, self._parent, exports.TOKENS, self._last, self._show_saved)

    @property
    def _last(self) -> RunId:
        """The last run of the session; 0: none."""
        run = self._playground.state.last_run
        return run.id if run is not None else 0

    def forget_all(self) -> None:
        if self._window.made is not None:
            self._window.made.undo.forget()

    def close(self) -> None:
        if self._window.made is not None:
            self._window.made.close()

    def _make(self) -> RunsWindow:
        from app.ui.runs.window import RunsWindow

        window = RunsWindow(self._playground, self._tasks, self._theme, self._bundled, self._parent)
        window.basis_picked.connect(self.basis_picked)
        window.comparison.window_wanted.connect(self.comparison_wanted)
        return window

    def _enable_actions(self, state: State) -> None:
        self._actions["replay"].setEnabled(state.phase is Phase.READY and state.last_run is not None)

    def _show_saved(self, outcome: Failure | str) -> None:
        if isinstance(outcome, Failure):
            self._notice.show_failure(outcome)
        else:
            self._notice.show_remark(outcome)
