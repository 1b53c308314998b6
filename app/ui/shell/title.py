"""The titles: the session's in the bar, the model's on its button, both in the window's title."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Signal

from app.actions import Intent
from app.bridge.model_sources import Servers
from app.bridge.playground import Playground
from app.engine.errors import printable_name
from app.engine.remote.address import server_model
from app.engine.types import Model
from app.files.settings import Settings
from app.i18n import tr
from app.library import cached
from app.number_format import computed_format, parameters
from app.state import LOADABLE, State
from app.ui.feature import Feature
from app.ui.shell.layout import TopBar
from app.ui.widgets import as_caption, as_tip
from app.ui.widgets.menus import Entry, RecentMenu

MOST_RECENT = 8


class Title(Feature):
    """Updates the titles when the session, the model or a server's name changes. The button has a menu of recent
    models.
    """

    model_wanted = Signal(str)
    """A recent model: a folder, or a model on a server."""
    all_wanted = Signal()

    def __init__(self, playground: Playground, servers: Servers, bar: TopBar, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._servers = servers
        self._bar = bar
        self._recent: tuple[str, ...] = ()
        """Recent models, the newest first."""
        bar.model.clicked.connect(self._choose)
        playground.follow(("model", "title", "session"), self._on_changed)
        servers.changed.connect(self.show)
        self.show()

    def actions(self) -> dict[str, Intent]:
        return {"recent_models": self._choose}

    def connect_actions(self) -> None:
        self._actions["recent_models"].setMenu(self._menu("recent_models_menu"))

    def restore(self, settings: Settings) -> None:
        self._recent = settings.recent_models[:MOST_RECENT]

    def updated_settings(self, settings: Settings) -> Settings:
        return replace(settings, recent_models=self._recent)

    def _on_changed(self, state: State) -> None:
        if state.model is not None:
            opened = str(state.model.folder)
            self._recent = (opened, *(each for each in self._recent if each != opened))[:MOST_RECENT]
        self.show()

    def show(self) -> None:
        """Show the session's title and the model's name, with the server's name if it runs on one."""
        button, state = self._bar.model, self._playground.state
        model = state.model
        there = server_model(str(model.folder)) if model is not None else None
        server = self._servers.name_of(there.address) if there is not None else ""
        described = _described(model, server) if model is not None else ""
        button.setText(f"{as_caption(described)} ▾" if described else tr("Open a model ▾"))
        is_open = tr("{model} is open").format(model=described) if described else tr("No model is open")
        button.setAccessibleDescription(is_open)
        button.setToolTip(as_tip(_origin(model, server)) if model is not None else tr("Open a model"))
        title = (state.title if state.session else "") or tr("New session")
        self._bar.title.setText(title)
        self._bar.title.setToolTip(as_tip(title))
        name = model.name if model is not None else "Sluice"
        on = tr("{model} on {server}").format(model=name, server=server) if server else name
        whole = tr("{session} — {model}").format(session=title, model=on)
        button.window().setWindowTitle(whole.replace("[*]", "[*][*]"))  # [*] is Qt's modified mark

    def _choose(self) -> None:
        """Open the menu of recent models; without one, the picker."""
        if not any(self._entries()):
            self.all_wanted.emit()
            return
        menu = self._menu("recent_models")
        menu.aboutToShow.connect(partial(self._offer_all, menu))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._bar.model.mapToGlobal(QPoint(0, self._bar.model.height())))

    def _menu(self, name: str) -> RecentMenu:
        return RecentMenu(self._bar.model, name, self._entries, lambda: self._playground.state.phase in LOADABLE)

    def _entries(self) -> Iterator[Entry]:
        """Yield the recent models without the open one."""
        model = self._playground.state.model
        for source in self._recent:
            if model is None or source != str(model.folder):
                yield self._name_of(source), source, partial(self.model_wanted.emit, source)

    def _offer_all(self, menu: RecentMenu) -> None:
        menu.addSeparator()
        menu.addAction(tr("All Models…"), self.all_wanted.emit).setObjectName("all_models")

    def _name_of(self, source: str) -> str:
        there = server_model(source)
        if there is None:
            return cached.id_of(source) or printable_name(Path(source).name)
        return tr("{model} on {server}").format(model=there.name, server=self._servers.name_of(there.address))


def _origin(model: Model, server: str) -> str:
    """Format the model's origin and size."""
    if model.server:
        server_name = server if server == model.server else f"{server} ({model.server})"
        return tr("{model}\nruns on {server}").format(model=model.name, server=server_name)
    size = tr("%n parameters", "%n parameter", model.parameters)
    return "\n".join(filter(None, (str(model.folder), size, computed_format(model.format))))


def _described(model: Model, server: str) -> str:
    """Format the model's name, adapter, size and precision."""
    parts = [model.full_name]
    if model.parameters:
        parts.append(parameters(model.parameters))
    if model.bits is not None:
        parts.append(tr("{bits}-bit").format(bits=model.bits))
    if server:
        parts.append(server)
    return " · ".join(parts)
