"""A server's entry in the list between its form, the settings and the system's keychain, which is asked aside."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.servers import Servers
from app.bridge.tasks import Tasks
from app.engine.remote.address import tidy
from app.engine.types import Failure, Server
from app.i18n import tr
from app.library import keychain, server_keys
from app.ui.picker.server_form import ServerGiven
from app.ui.picker.servers_page import ServersPage

LOOK = "server keychain"


class ServerEntryController(QObject):
    """`saved` with the address of the server that was put on the list or changed."""

    saved = Signal(str)

    def __init__(self, tasks: Tasks, page: ServersPage, servers: Servers, parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._page = page
        self._servers = servers
        self._edited: Server | None = None
        page.edit_wanted.connect(self._ask)
        page.form.given.connect(self._take)
        page.form.forget_wanted.connect(self._forget)

    def forget_kept(self, address: str) -> None:
        """Take its key out of the keychain."""
        self._tasks.start(self._tell(partial(_forget, address)))

    @Slot(object)
    def _ask(self, server: Server | None) -> None:
        self._edited = server
        self._page.form.ask(server)
        self._tasks.start(self._show_keychain(), LOOK)

    async def _show_keychain(self) -> None:
        unavailable = await self._tasks.tried(keychain.unavailable)
        why = unavailable.what.rstrip(".") if isinstance(unavailable, Failure) else unavailable
        self._page.form.show_keychain(keychain.name(), why)

    @Slot(object)
    def _take(self, given: ServerGiven) -> None:
        """Only what is an address goes on the list; a warning once given counts for the same address only."""
        address = tidy(given.address)
        if isinstance(address, Failure):
            self._page.form.say(address.sentence)
            return
        old = self._edited
        accepted = self._servers.at(address).accepted
        own = old is not None and old.own and old.address == address
        if old is not None and old.address != address:
            self._servers.keys.forget(old.address)
            self.forget_kept(old.address)
        if given.key:
            self._servers.keys.give(address, given.key)
            work = partial(server_keys.keep, address, given.key) if given.keep else partial(_forget, address)
            self._tasks.start(self._tell(work))
        self._servers.put(Server(address, given.name, accepted, own), old.address if old is not None else "")
        self._page.form.leave()
        self.saved.emit(address)

    @Slot()
    def _forget(self) -> None:
        if self._edited is not None:
            self._servers.keys.give(self._edited.address, "")
            self.forget_kept(self._edited.address)
            self._page.form.say(tr("The key is forgotten."), "muted")

    async def _tell(self, work: Callable[[], Failure | None]) -> None:
        """None of these is called off: each key has to be kept, or forgotten."""
        failure = await self._tasks.kept(work)
        if failure is not None:
            tell = self._page.say if self._page.question.asking else self._page.question.tell
            tell(failure.sentence, "warning")


def _forget(address: str) -> Failure | None:
    """Where no keychain can be used, nothing is in it."""
    return None if keychain.unavailable() else server_keys.forget(address)
