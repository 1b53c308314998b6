"""The picker's page for servers: a list of servers, and the models of the chosen one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.bridge.model_sources import wants_warning
from app.definitions import meanings
from app.engine.remote.address import reference, server_model
from app.engine.types import Failure, LoadRequest, ReachedServer, Server, ServerModel
from app.i18n import tr
from app.library.keychain import ServerKeys
from app.ui.look import GAP_PX, Theme
from app.ui.picker.empty_state import EmptyState
from app.ui.picker.models_table import SERVER_MODELS, SERVERS, FilterField, ModelRows, ModelTable, display_name
from app.ui.picker.server_form import ServerForm
from app.ui.widgets import SmallPrint, as_tip, in_grid, in_row, layout_widget, push_button
from app.ui.widgets.menus import offer_buttons
from app.ui.widgets.notices import QuestionLine

if TYPE_CHECKING:
    from app.ui.picker.controller import PickerController

IDLE_S = 0.25
"""A server is contacted after this pause, so that moving through the list sends no requests."""
TITLE = tr("Use a model on a server")
FIRST = (
    tr("Sluice streams answers of servers: mlx_lm.server, vLLM, llama.cpp, LM Studio or Ollama."),
    tr("Most servers report no memory, cache or alternatives; those fields stay empty."),
    tr("No server is contacted before you save its address. Servers of other providers may charge for requests."),
)
EXAMPLES = (
    (tr("LM Studio"), tr("on this computer, localhost:1234"), "http://localhost:1234"),
    (tr("Ollama"), tr("on this computer, localhost:11434"), "http://localhost:11434"),
    ("mlx_lm.server", tr("on this computer, localhost:8080"), "http://localhost:8080"),
)
HINT = tr("Filter, or type the name of a model")
OPEN_TIP = tr("Open this model; it runs on the server (Enter)")


class ServersPage(QWidget):
    """The page of servers and their models. If data is sent unencrypted, the user has to confirm it first."""

    def __init__(self, theme: Theme, picker: PickerController) -> None:
        super().__init__()
        self.setObjectName("servers_page")
        self._picker, self._tasks, self._list = picker, picker.tasks, picker.servers
        self._busy = self._address = self._open_address = self._open_id = ""
        self._when_confirmed: Callable[[], object] | None = None
        servers = ModelRows(theme, SERVERS, is_marked=lambda server: server.address == self._open_address)
        self._servers = ModelTable(theme, "servers", tr("Servers"), servers)
        models = ModelRows(theme, SERVER_MODELS, attrgetter("id"), is_marked=lambda model: model.id == self._open_id)
        self._models = ModelTable(theme, "server_models", tr("Models on the server"), models)
        self.filter = FilterField(theme, "server_filter", tr("Model on the server"), HINT, self._models)
        self._message = SmallPrint(theme, "servers_words")
        self._message.setToolTip(meanings("connect", "first_byte"))
        self.question = QuestionLine(theme, "server_question")
        self.form = ServerForm(theme, picker, self._show_failure)
        self._make_buttons()
        tables = in_row((self._servers, 1), (self._models, 1))
        suggest = self.form.suggest
        self._content = EmptyState(theme, "servers_first", TITLE, FIRST, EXAMPLES, suggest, layout_widget(tables))
        self._connect()
        in_grid(
            [in_row(self._add, ...), self.filter],
            self._content,
            self._message,
            self.question,
            self.form,
            in_row(self._test, self._edit, self._remove, ..., self._open_button),
            on=self,
            margins=(0, GAP_PX, 0, 0),
            wide={0: 1, 1: 1},
            tall=1,
        )
        self.show_servers(())

    @property
    def server(self) -> Server | None:
        row = self._servers.current
        return row if isinstance(row, Server) else None

    @property
    def model_id(self) -> str:
        """The chosen or typed model."""
        row = self._models.current
        return row.id if isinstance(row, ServerModel) else self.filter.text().strip()

    def refresh(self, wanted: str = "") -> None:
        """Show the current list, with the server of the open model marked."""
        opened = self._open_model()
        self.show_servers(self._list.entries, opened.address if opened is not None else "", wanted)

    def show_servers(self, servers: Sequence[Server], open_address: str = "", wanted: str = "") -> None:
        """Show the list. The wanted address is chosen, else the previous one, else the open model's."""
        self._open_address = open_address
        chosen = wanted or (self.server.address if self.server is not None else "")
        chosen = chosen if any(server.address == chosen for server in servers) else open_address
        self._servers.show_rows(servers, lambda server: server.address == chosen)
        self._content.show_rest(bool(servers))
        self._update_buttons()

    def show_models(self, models: Sequence[ServerModel], open_id: str = "") -> None:
        """Show the models of the chosen server. The previous choice is kept, else the open model is chosen."""
        chosen, self._open_id = self._models.current, open_id
        previous = chosen.id if isinstance(chosen, ServerModel) else ""
        chosen = previous if any(model.id == previous for model in models) else open_id
        self._models.show_rows(models, lambda model: model.id == chosen)
        self._update_buttons()

    def show_busy(self, why: str) -> None:
        """Show why nothing can be opened now; empty: it can."""
        self._busy = why
        self._update_buttons()

    def focus(self) -> None:
        (self._servers if self.server is not None else self._add).setFocus()

    def close_question(self) -> bool:
        """Close the question and the form; return whether one was open."""
        was_open = self.question.asking or self.form.isVisible()
        if was_open:
            self.question.clear()
            self.form.cancel()
        return was_open

    def _make_buttons(self) -> None:
        ask = self.form.ask
        tip = tr("Add a server to the list")
        self._add = push_button("add_server", tr("Add server…"), tip, press=lambda: ask(None))
        tip = tr("Contact the server, and measure its response time")
        self._test = push_button("test_server", tr("Test"), tip, press=self._test_server)
        tip = tr("Change address, name or key")
        self._edit = push_button("edit_server", tr("Edit…"), tip, press=lambda: ask(self.server))
        tip = tr("Remove the server from the list")
        self._remove = push_button("remove_server", tr("Remove…"), tip, press=self._ask_to_remove)
        self._open_button = push_button("open_on_server", tr("Open"), OPEN_TIP, kind="primary", press=self._open)
        offer_buttons(self._servers, self._test, self._edit, self._remove)
        offer_buttons(self._models, self._open_button)

    def _connect(self) -> None:
        self._list.changed.connect(self.refresh)
        self._servers.chosen.connect(self._show_chosen)
        self._servers.row_activated.connect(lambda: (self._models if self._models.count else self.filter).setFocus())
        self._models.chosen.connect(self._update_buttons)
        self._models.row_activated.connect(self._open)
        self.filter.textChanged.connect(self._filter)
        self.filter.entered.connect(self._open)
        self.form.closed.connect(self.focus)
        self.form.saved.connect(self._show_saved)
        self.question.confirmed.connect(self._on_confirmed)

    def _update_buttons(self) -> None:
        server = self.server
        for each in (self._test, self._edit, self._remove, self.filter):
            each.setEnabled(server is not None)
        refusal = self._busy
        if server is None:
            refusal = tr("Choose a server first.")
        elif not self.model_id:
            refusal = tr("Choose a model first.")
        self._open_button.setEnabled(not refusal)
        self._open_button.setToolTip(as_tip(refusal or OPEN_TIP))

    def _filter(self, text: str) -> None:
        self._models.filter(text)
        self._update_buttons()

    def _show_chosen(self, server: Server | None) -> None:
        address = server.address if server is not None else ""
        if address != self._address:
            self._address = address
            self.question.clear()
            self.filter.clear()
            self.show_models(())
        self._message.say("", "muted")
        self._tasks.cancel("server")
        if server is not None and self.isVisible():
            self._tasks.start(self._show_after_idle(server), "server")

    async def _show_after_idle(self, server: Server) -> None:
        """Request the models, unless the user has to confirm a warning first."""
        await asyncio.sleep(IDLE_S)
        if wants_warning(server):
            text = tr(
                "{name} was not contacted yet, because your text would be sent unencrypted. Click Test to contact it."
            )
            self._message.say(text.format(name=self._list.name_of(server.address)), "muted")
        else:
            await self._show(server)

    async def _show(self, server: Server) -> None:
        name = self._list.name_of(server.address)
        self._message.say(tr("Asking {name} …").format(name=name), "muted")
        answer = await self._tasks.try_in_thread(_ask, server, self._list.keys)
        if isinstance(answer, Failure):
            self.show_models(())
            self._message.say(answer.sentence, "warning")
            return
        opened = self._open_model()
        self.show_models(answer.models, opened.id if opened is not None else "")
        text = tr(
            "{name} lists %n models. Connection: {connect} ms; first byte: {first} ms later.",
            "{name} lists %n model. Connection: {connect} ms; first byte: {first} ms later.",
            len(answer.models),
        )
        connect, first = (f"{1000 * seconds:.0f}" for seconds in (answer.connect, answer.first_byte))
        self._message.say(text.format(name=name, connect=connect, first=first), "muted")

    def _show_saved(self, address: str) -> None:
        self.refresh(address)
        self._tasks.cancel("server")
        self._confirm_warning(self._list.at(address), partial(self._start_asking, self._list.at(address)))

    def _test_server(self) -> None:
        if (server := self.server) is not None:
            self._confirm_warning(server, partial(self._start_asking, server))

    def _start_asking(self, server: Server) -> None:
        self._tasks.start(self._show(server), "server")

    def _open(self) -> None:
        server = self.server
        if self._open_button.isEnabled() and server is not None:
            request = LoadRequest(reference(server.address, self.model_id))
            self._confirm_warning(server, partial(self._picker.load, request))
        elif server is not None:
            self.question.tell(self._open_button.toolTip(), "warning")

    def _ask_to_remove(self) -> None:
        if (server := self.server) is not None:
            self._when_confirmed = partial(self._remove_server, server)
            question = tr("Remove {name} from the list, and its key?")
            name = self._list.name_of(server.address)
            self.question.ask(question.format(name=name), tr("Remove"), tr("Keep"))

    def _remove_server(self, server: Server) -> None:
        self.form.forget_stored_key(server.address)
        self._list.remove(server)
        self.question.tell(tr("{name} was removed from the list.").format(name=display_name(server)))

    def _confirm_warning(self, server: Server, act: Callable[[], object]) -> None:
        """Call `act`, after a warning about unencrypted data, once for each server."""
        if not wants_warning(server):
            act()
            return
        self._when_confirmed = partial(self._accept, server, act)
        question = tr("Your text, the answers and the key go to {name} unencrypted: others can read them. Connect?")
        name = self._list.name_of(server.address)
        self.question.ask(question.format(name=name), tr("Connect anyway"), tr("Cancel"))

    def _accept(self, server: Server, act: Callable[[], object]) -> None:
        self._list.put(replace(server, accepted=True))
        self._tasks.cancel("server")
        act()

    def _show_failure(self, sentence: str) -> None:
        """Show the keychain's failure, unless a question is open."""
        (self._message.say if self.question.asking else self.question.tell)(sentence, "warning")

    def _on_confirmed(self) -> None:
        after, self._when_confirmed = self._when_confirmed, None
        if after is not None:
            after()

    def _open_model(self) -> ServerModel | None:
        """Return the open model, if it runs on a server."""
        model = self._picker.playground.state.model
        return server_model(str(model.folder)) if model is not None else None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()


def _ask(server: Server, keys: ServerKeys) -> ReachedServer | Failure:
    """Request the models of a server, in a thread."""
    from app.engine.remote import server_probe

    return server_probe.test(server, keys.of(server.address, reread=True))
