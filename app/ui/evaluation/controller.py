"""The ways to the window of prompt sets: the menu, the palette, a file that is dropped on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.ui.feature import Feature
from app.ui.look.theme import Theme
from app.ui.widgets.lazy_window import bring_up

if TYPE_CHECKING:
    from app.ui.evaluation.controller_set import SetController


class SetsController(Feature):
    """Makes the window when somebody first wants it."""

    session_deleted = Signal(int)
    """One with answers of a study that is deleted."""
    ahead = ("app.evaluation.evaluation_run", "app.evaluation.verdict", "app.ui.evaluation.controller_set")

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        bundled: Path,
        resources: Path | None,
        folders: ModelFolders,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._known = playground, theme, bundled, resources, folders, window
        self._made: SetController | None = None

    def actions(self) -> dict[str, Intent]:
        return {"prompt_sets": self._show}

    def forget_all(self) -> None:
        if self._made is not None:
            self._made.view.studies.undo.forget()

    def close(self) -> None:
        if self._made is not None:
            self._made.close()

    def _show(self) -> None:
        if self._made is None:
            from app.ui.evaluation.controller_set import SetController

            self._made = SetController(*self._known)
            self._made.session_deleted.connect(self.session_deleted)
        bring_up(self._made.view)
