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
    """Creates the window's controller at first use. `open_wanted` has the name of the served model.

    `data` is the folder of the hostfile.
    """

    ahead = ("app.ui.serving.controller_window",)

    open_wanted = Signal(str)

    def __init__(self, playground: Playground, theme: Theme, data: Path, servers: Servers, parent: QWidget) -> None:
        super().__init__(parent)
        self._arguments = playground, theme, data, servers, parent
        self.window_controller: ServingWindowController | None = None

    def actions(self) -> dict[str, Intent]:
        return {"serve_model": self.view}

    def view(self) -> None:
        if self.window_controller is None:
            from app.ui.serving.controller_window import ServingWindowController

            self.window_controller = ServingWindowController(*self._arguments)
            self.window_controller.open_wanted.connect(self.open_wanted)
        self.window_controller.view()

    def close(self) -> None:
        """Close the window and end the server."""
        if self.window_controller is not None:
            self.window_controller.close()
