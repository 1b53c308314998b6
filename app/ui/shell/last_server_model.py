"""Reopens the last model if it runs on a server that answers, else the bundled model."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge.model_sources import Servers
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.remote.address import server_model
from app.engine.types import Failure, LoadRequest, ReachedServer, Server
from app.files.settings import Settings
from app.i18n import tr
from app.library.keychain import ServerKeys
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.shell.layout import MainLayout

PATIENCE_S = 5.0
"""The bundled model is loaded after this time without an answer."""
KIND = "returning"


class LastServerModel(Feature):
    """Asks the server once, when the window is shown. A model that the user opens meanwhile has priority."""

    another_wanted = Signal()
    """The user wants to choose another model."""

    def __init__(
        self, playground: Playground, servers: Servers, parts: MainLayout, instead: str, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._servers = servers
        self._parts = parts
        self._instead = instead
        self._wanted = ""
        self._waiting = False
        """Waiting for the server or its model."""
        self._ordered = False
        """The server answered, and its model is loading."""
        self._standing_in = False
        self._tasks = Tasks(self)
        playground.changed.connect(self._on_changed)

    def begin(self, name: str) -> bool:
        """Start, if this is a model on a server; return whether it is."""
        model = server_model(name)
        if model is None:
            return False
        self._wanted, self._waiting = name, True
        server = self._servers.name_of(model.address)
        self._parts.welcome.show_loading(tr("{model} on {server}").format(model=model.name, server=server))
        self._tasks.start(self._go_on(model.address), KIND)
        return True

    def updated_settings(self, settings: Settings) -> Settings:
        """Return the model to save: a substitute doesn't replace the wanted one."""
        if (model := self._playground.state.model) is not None:
            beside = model.opened_by
            settings = replace(
                settings, model=str(model.folder), draft=beside.draft or "", adapter=beside.adapter or ""
            )
        wanted = self._wanted if self._wanted and settings.model in ("", self._instead) else settings.model
        return replace(settings, model=wanted)

    async def _go_on(self, address: str) -> None:
        answer = await self._tasks.try_in_thread(_ask, address, self._servers.keys)
        # A server that lists no models has answered, too.
        if isinstance(answer, Failure) and answer.kind != "unlisted":
            self._make_do(answer)
        else:
            self._ordered = True
            self._playground.load(LoadRequest(self._wanted))

    def _make_do(self, failure: Failure) -> None:
        self._waiting = False
        if not self._instead:
            self._parts.notice.show_failure(failure)
            self._parts.welcome.show_no_model()
            return
        self._standing_in = True
        self._playground.load(LoadRequest(self._instead))
        self._standing_in = False
        words = tr("{failure} The bundled model is open instead.").format(failure=failure.what)
        self._parts.notice.show_until_read(words, tr("Open Model…"), self.another_wanted.emit)

    def _on_changed(self, old: State, new: State) -> None:
        begun = new.phase is Phase.LOADING and (old.phase is not Phase.LOADING or new.wanted != old.wanted)
        if begun and new.wanted != self._wanted and not self._standing_in:
            self._wanted, self._waiting = "", False
            self._tasks.cancel(KIND)
        elif self._waiting and new.phase is Phase.READY:
            self._waiting = False
        elif (
            self._waiting
            and self._ordered
            and new.failure is not None
            and new.failure is not old.failure
            and new.model is None
        ):
            self._waiting = False
            # Other listeners get the failure first.
            QTimer.singleShot(0, self, partial(self._make_do, new.failure))


# On a thread.


def _ask(address: str, keys: ServerKeys) -> ReachedServer | Failure:
    from app.engine.remote import server_probe

    return server_probe.test(Server(address), keys.of(address), PATIENCE_S)
