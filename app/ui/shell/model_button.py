"""The model that is open, by name: on the button in the bar and, where it runs on a server, in the window's title."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QToolButton

from app.bridge.playground import Playground
from app.bridge.servers import Servers
from app.engine.remote.address import server_model
from app.engine.types import Model
from app.figures import parameters
from app.state import State
from app.ui.widgets.tooltips import as_tip
from app.words import tr


class ModelButton(QObject):
    """Follows the playground, and the names that servers are given."""

    def __init__(self, playground: Playground, servers: Servers, button: QToolButton, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._servers = servers
        self._button = button
        playground.changed.connect(self._on_changed)
        servers.changed.connect(self.show)
        self.show()

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        if new.model is not old.model:
            self.show()

    @Slot()
    def show(self) -> None:
        """The model's name, and the server's if it runs on one."""
        button, model = self._button, self._playground.state.model
        there = server_model(str(model.folder)) if model is not None else None
        server = self._servers.name_of(there.address) if there is not None else ""
        described = _described(model, server) if model is not None else ""
        # Of one & a button makes the key of the letter after it.
        button.setText(f"{described.replace('&', '&&')} ▾" if described else tr("Open a model ▾"))
        is_open = tr("{model} is open").format(model=described) if described else tr("No model is open")
        button.setAccessibleDescription(is_open)
        if model is not None:
            button.setToolTip(as_tip(_origin(model, server)))
        on = tr("Sluice: {model} on {server}").format(model=model.name, server=server) if model and server else "Sluice"
        button.window().setWindowTitle(on)


def _origin(model: Model, server: str) -> str:
    """Where it comes from, and how large it is."""
    if model.server:
        named = server if server == model.server else f"{server} ({model.server})"
        return tr("{model}\nruns on {server}").format(model=model.name, server=named)
    return f"{model.folder}\n{tr('%n parameters', '%n parameter', model.parameters)}"


def _described(model: Model, server: str) -> str:
    """Its name, its size and its precision."""
    parts = [model.name]
    if model.parameters:
        parts.append(parameters(model.parameters))
    if model.bits is not None:
        parts.append(tr("{bits}-bit").format(bits=model.bits))
    if server:
        parts.append(server)
    return " · ".join(parts)
