"""The picker's page of servers: asked aside, and only after a warning where others could listen."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from app.bridge.playground import Playground
from app.bridge.servers import Servers, wants_warning
from app.bridge.tasks import Tasks
from app.engine.remote.address import reference, server_model
from app.engine.types import Failure, ReachedServer, Server, ServerModel
from app.i18n import tr
from app.library.server_keys import ServerKeys
from app.ui.picker.controller_server_entry import ServerEntryController
from app.ui.picker.server_columns import called
from app.ui.picker.servers_page import ServersPage

REST_S = 0.25
"""Whoever walks through the list with the arrow keys asks nobody on the way."""
KIND = "server"


class ServersController(QObject):
    """`opening` with the name under which a model on a server is loaded."""

    opening = Signal(str)

    def __init__(
        self, playground: Playground, tasks: Tasks, page: ServersPage, servers: Servers, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._tasks = tasks
        self._page = page
        self._servers = servers
        self._after: Callable[[], object] | None = None
        """What waits for a yes."""
        self._entry = ServerEntryController(tasks, page, servers, self)
        self._entry.saved.connect(self._ask_saved)
        servers.changed.connect(self.refresh)
        page.chosen.connect(self._choose)
        page.test_wanted.connect(self._test)
        page.remove_wanted.connect(self._ask_to_remove)
        page.open_wanted.connect(self._open)
        page.question.confirmed.connect(self._go_on)
        page.came_up.connect(self.refresh)

    @Slot()
    def refresh(self, wanted: str = "") -> None:
        """The list as it is, with the open model's server marked."""
        there = self._open_there()
        self._page.show_servers(self._servers.kept, there.address if there is not None else "", wanted)

    @Slot(object)
    def _choose(self, server: Server | None) -> None:
        self._tasks.cancel(KIND)
        if server is not None and self._page.isVisible():
            self._tasks.start(self._look(server), KIND)

    async def _look(self, server: Server) -> None:
        """Ask it for its models, unless its user is to be warned first."""
        await asyncio.sleep(REST_S)
        if wants_warning(server):
            words = tr("{name} has not been asked yet: what you write would go there unencrypted. Test asks it.")
            self._page.say(words.format(name=self._servers.name_of(server.address)))
        else:
            await self._show(server)

    @Slot(str)
    def _ask_saved(self, address: str) -> None:
        self.refresh(address)
        self._tasks.cancel(KIND)
        self._test(self._servers.at(address))

    @Slot(object)
    def _test(self, server: Server) -> None:
        self._when_accepted(server, partial(self._ask, server))

    def _ask(self, server: Server) -> None:
        self._tasks.start(self._show(server), KIND)

    async def _show(self, server: Server) -> None:
        name = self._servers.name_of(server.address)
        self._page.say(tr("Asking {name} …").format(name=name))
        answer = await self._tasks.tried(_test, server, self._servers.keys)
        if isinstance(answer, Failure):
            self._page.show_models(())
            self._page.say(answer.sentence, "warning")
            return
        there = self._open_there()
        self._page.show_models(answer.models, there.id if there is not None else "")
        said = tr(
            "{name} answers and lists %n models; the connection took {connect} ms, the first byte {first} ms more.",
            "{name} answers and lists %n model; the connection took {connect} ms, the first byte {first} ms more.",
            len(answer.models),
        )
        connect, first = (f"{1000 * seconds:.0f}" for seconds in (answer.connect, answer.first_byte))
        self._page.say(said.format(name=name, connect=connect, first=first))

    @Slot(object)
    def _ask_to_remove(self, server: Server) -> None:
        self._after = partial(self._remove, server)
        words = tr("Take {name} off the list? Its key is forgotten with it.")
        name = self._servers.name_of(server.address)
        self._page.question.ask(words.format(name=name), tr("Remove"), tr("Keep it"))

    def _remove(self, server: Server) -> None:
        self._entry.forget_kept(server.address)
        self._servers.remove(server)
        words = tr("{name} is off the list.").format(name=called(server))
        self._page.question.tell(words)

    @Slot(object, str)
    def _open(self, server: Server, model_id: str) -> None:
        self._when_accepted(server, partial(self.opening.emit, reference(server.address, model_id)))

    def _when_accepted(self, server: Server, act: Callable[[], object]) -> None:
        """Once for each server: what goes there in plain text can be read on the way."""
        if not wants_warning(server):
            act()
            return
        self._after = partial(self._accept, server, act)
        words = tr(
            "What you write goes unencrypted to {name}, and so do its key and the answers: others can read along."
        )
        name = self._servers.name_of(server.address)
        self._page.question.ask(words.format(name=name), tr("Connect anyway"), tr("Cancel"))

    def _accept(self, server: Server, act: Callable[[], object]) -> None:
        self._servers.put(replace(server, accepted=True))
        self._tasks.cancel(KIND)
        act()

    @Slot()
    def _go_on(self) -> None:
        after, self._after = self._after, None
        if after is not None:
            after()

    def _open_there(self) -> ServerModel | None:
        """The open model, if it runs on a server."""
        model = self._playground.state.model
        return server_model(str(model.folder)) if model is not None else None


# Called aside.


def _test(server: Server, keys: ServerKeys) -> ReachedServer | Failure:
    from app.engine.remote import directory

    return directory.test(server, keys.of(server.address, anew=True))
