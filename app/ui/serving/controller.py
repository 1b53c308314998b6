"""The way to the window in which a model is served."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.ui.look.theme import Theme
from app.ui.shell.places import Places

if TYPE_CHECKING:
    from app.ui.serving.controller_window import ServingWindowController


class ServingController(QObject):
    """Makes the desk when somebody first wants to serve. `opening` with the name of the model that is served."""

    opening = Signal(str)

    def __init__(self, playground: Playground, theme: Theme, places: Places, servers: Servers, parent: QWidget) -> None:
        super().__init__(parent)
        self._playground = playground
        self._theme = theme
        self._places = places
        self._servers = servers
        self._window = parent
        self.desk: ServingWindowController | None = None
        self.intents: dict[str, Intent] = {"serve_model": self.view}

    @Slot()
    def view(self) -> None:
        """Show the window, beside this one."""
        if self.desk is None:
            from app.ui.serving.controller_window import ServingWindowController

            self.desk = ServingWindowController(
                self._playground, self._theme, self._places, self._servers, self._window
            )
            self.desk.opening.connect(self.opening)
        self.desk.view()

    def close(self) -> None:
        """The window goes, and the server with it."""
        if self.desk is not None:
            self.desk.close()
