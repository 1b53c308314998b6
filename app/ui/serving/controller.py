"""Opens the window that serves the model, on first use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_sources import Servers
from app.bridge.playground import Playground
from app.ui.feature import Feature
from app.ui.look import Theme

if TYPE_CHECKING:
    from app.ui.serving.controller_window import ServingWindowController


class ServingController(Feature):
    """Creates the window's controller at first use. `opening` has the name of the served model.

    `data` is the folder of the hostfile.
    """

    ahead = ("app.ui.serving.controller_window",)

    opening = Signal(str)

    def __init__(self, playground: Playground, theme: Theme, data: Path, servers: Servers, parent: QWidget) -> None:
        super().__init__(parent)
        self._known = playground, theme, data, servers, parent
        self.desk: ServingWindowController | None = None

    def actions(self) -> dict[str, Intent]:
        return {"serve_model": self.view}

    def view(self) -> None:
        """Show the window."""
        if self.desk is None:
            from app.ui.serving.controller_window import ServingWindowController

            self.desk = ServingWindowController(*self._known)
            self.desk.opening.connect(self.opening)
        self.desk.view()

    def close(self) -> None:
        """Close the window and end the server."""
        if self.desk is not None:
            self.desk.close()
