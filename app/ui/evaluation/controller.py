"""Opens the window of prompt sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_sources import ModelFolders
from app.bridge.playground import Playground
from app.ui.feature import Feature
from app.ui.look.theme import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.evaluation.window import EvaluationWindow


class EvaluationController(Feature):
    """Creates the window at first use."""

    session_deleted = Signal(int)
    """A session with answers of a deleted evaluation."""
    ahead = ("app.evaluation.evaluation_run", "app.evaluation.verdict", "app.ui.evaluation.window")

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        bundled: Path,
        resources: Path | None,
        folders: ModelFolders,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._parts = playground, theme, bundled, resources, folders, self.session_deleted.emit, parent
        self._window = LazyWindow(self._make)

    def actions(self) -> dict[str, Intent]:
        return {"prompt_sets": self._window.bring_up}

    def forget_all(self) -> None:
        if self._window.made is not None:
            self._window.made.history.undo.forget()

    def close(self) -> None:
        if self._window.made is not None:
            self._window.made.leave()

    def _make(self) -> EvaluationWindow:
        from app.ui.evaluation.window import EvaluationWindow

        return EvaluationWindow(*self._parts)
