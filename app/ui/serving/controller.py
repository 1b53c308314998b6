"""The way to the window in which a model is served."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.ui.feature import Feature
from app.ui.look import Theme

if TYPE_CHECKING:
    from app.ui.serving.controller_window import ServingWindowController


class ServingController(Feature):
    """Makes the desk when somebody first wants to serve. `opening` with the name of the model that is served.

    `data` is the folder in which the list of hosts is written down.
    """

    ahead = ("app.ui.serving.controller_window",)

    opening = Signal(str)

    def __init__(self, playground: Playground, theme: Theme, data: Path, servers: Servers, parent: QWidget) -> None:
        super().__init__(parent)
        self._known = playground, theme, data, servers, parent
        self.desk: ServingWindowController | None = None

    def actions(self) -> dict[str, Intent]:
        return {"serve_model": self.view}

    @Slot()
    def view(self) -> None:
        """Show the window, beside this one."""
        if self.desk is None:
            from app.ui.serving.controller_window import ServingWindowController

            self.desk = ServingWindowController(*self._known)
            self.desk.opening.connect(self.opening)
        self.desk.view()

    def close(self) -> None:
        """The window goes, and the server with it."""
        if self.desk is not None:
            self.desk.close()
