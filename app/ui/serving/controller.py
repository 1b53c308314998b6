"""Opens the window that serves the model, on first use, and shows a running server in the main window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_sources import Servers
from app.bridge.playground import Playground
from app.engine.system_load import resident_bytes
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.serving.strip import ServerStrip

if TYPE_CHECKING:
    from app.ui.serving.controller_window import ServingWindowController

MEMORY_MS = 2_000
"""Interval of reading the server's memory."""


class ServingController(Feature):
    """Creates the window's controller at first use. `open_wanted` has the name of the served model.

    `data` is the folder of the hostfile. `strip` shows a running server.
    """

    ahead = ("app.ui.serving.controller_window",)

    open_wanted = Signal(str)

    def __init__(
        self,
        playground: Playground,
        theme: Theme,
        data: Path,
        servers: Servers,
        parent: QWidget,
        *,
        strip: ServerStrip,
    ) -> None:
        super().__init__(parent)
        self._strip = strip
        self._ticking = QTimer(self, interval=MEMORY_MS)
        self._ticking.timeout.connect(self._show_server)
        strip.show_wanted.connect(self.view)
        self._arguments = playground, theme, data, servers, parent
        self.window_controller: ServingWindowController | None = None

    def actions(self) -> dict[str, Intent]:
        return {"serve_model": self.view}

    def view(self) -> None:
        if self.window_controller is None:
            from app.ui.serving.controller_window import ServingWindowController

            self.window_controller = ServingWindowController(*self._arguments)
            self.window_controller.open_wanted.connect(self.open_wanted)
            self.window_controller.changed.connect(self._show_server)
            self._strip.stop_wanted.connect(self.window_controller.stop)
        self.window_controller.view()

    def _show_server(self) -> None:
        running = self.window_controller.running if self.window_controller is not None else None
        if running is None:
            self._ticking.stop()
            self._strip.show_server("", "", 0)
            return
        self._ticking.start()
        memory = resident_bytes(running.process) if running.process else 0
        self._strip.show_server(running.model, running.address, memory)

    def close(self) -> None:
        """Close the window and end the server."""
        self._ticking.stop()
        if self.window_controller is not None:
            self.window_controller.close()
