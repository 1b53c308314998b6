"""The feature that shows stop strings step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.ui.stop_trace.dialog import StopTraceDialog


class StopTraceController(Feature):
    """Creates the dialog at first use."""

    ahead = ("app.ui.stop_trace.dialog",)

    def __init__(self, playground: Playground, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts = playground, theme, parent
        self._dialog = LazyWindow(self._make)

    def actions(self) -> dict[str, Intent]:
        return {"stop_steps": self.view}

    def view(self) -> None:
        """Show the last run, if there is one."""
        self._dialog.window.show_last()
        self._dialog.bring_up()

    def _make(self) -> StopTraceDialog:
        from app.ui.stop_trace.dialog import StopTraceDialog

        return StopTraceDialog(*self._parts)
