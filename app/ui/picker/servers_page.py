"""The servers that models run on: a list of the user's own, the models of the chosen one, and how it answers."""

from collections.abc import Sequence
from operator import attrgetter

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.definitions import meanings
from app.engine.types import Server, ServerModel
from app.i18n import tr
from app.ui.look import GAP_PX, Theme
from app.ui.picker.empty_state import FirstSteps
from app.ui.picker.filter_field import FilterField
from app.ui.picker.models_table import ModelRows, ModelTable
from app.ui.picker.server_columns import SERVER_MODELS, SERVERS
from app.ui.picker.server_form import ServerForm
from app.ui.widgets import SmallPrint, as_tip, held, in_grid, in_row, push_button
from app.ui.widgets.button_menu import offer_buttons
from app.ui.widgets.question_line import QuestionLine

TITLE = tr("Use a model that runs elsewhere")
FIRST = (
    tr("Sluice shows what a server writes as it comes: mlx_lm.server, vLLM, llama.cpp, LM Studio or Ollama."),
    tr("What a server doesn't tell stays empty: most say nothing of memory, the cache, or other alternatives."),
    tr("Nothing is asked before you save an address. Your own machines cost nothing; others may charge."),
)
EXAMPLES = (
    (tr("LM Studio"), tr("on this machine, localhost:1234"), "http://localhost:1234"),
    (tr("Ollama"), tr("on this machine, localhost:11434"), "http://localhost:11434"),
    ("mlx_lm.server", tr("on this machine, localhost:8080"), "http://localhost:8080"),
)
HINT = tr("Filter, or name a model that isn't listed")
OPEN_TIP = tr("Open this model; it runs on the server (Enter)")


class ServersPage(QWidget):
    """Values in, wishes out; it asks no server itself."""

    chosen = Signal(object)
    """A Server, or None."""
    test_wanted = Signal(object)
    edit_wanted = Signal(object)
    """A Server, or None for a new one."""
    remove_wanted = Signal(object)
    open_wanted = Signal(object, str)
    """A Server, and the model as it calls it."""
    came_up = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("servers_page")
        self._busy = self._place = self._open_address = self._open_id = ""
        self.filter = FilterField(theme, "server_filter", tr("Model on the server"), HINT)
        servers = ModelRows(theme, SERVERS, marked=lambda server: server.address == self._open_address)
        self._servers = ModelTable(theme, "servers", tr("Servers"), servers)
        models = ModelRows(theme, SERVER_MODELS, attrgetter("id"), marked=lambda model: model.id == self._open_id)
        self._models = ModelTable(theme, "server_models", tr("Models on the server"), models)
        self._words = SmallPrint(theme, "servers_words")
        self._words.setToolTip(meanings("connect", "first_byte"))
        self.question = QuestionLine(theme, "server_question")
        self.form = ServerForm(theme)
        tip = tr("Put one more server on the list")
        self._add = push_button("add_server", tr("Add server…"), tip, press=lambda: self.edit_wanted.emit(None))
        tip = tr("Ask it now, and see how fast it answers")
        self._test = push_button("test_server", tr("Test"), tip, press=lambda: self.test_wanted.emit(self.server))
        tip = tr("Change its address, its name or its key")
        self._edit = push_button("edit_server", tr("Edit…"), tip, press=lambda: self.edit_wanted.emit(self.server))
        tip = tr("Take it off the list; nothing happens to the server")
        self._remove = push_button(
            "remove_server", tr("Remove…"), tip, press=lambda: self.remove_wanted.emit(self.server)
        )
        self._open = push_button("open_on_server", tr("Open"), OPEN_TIP, kind="primary", press=self._pick)
        offer_buttons(self._servers, self._test, self._edit, self._remove)
        offer_buttons(self._models, self._open)
        tables = in_row((self._servers, 1), (self._models, 1))
        self._known = FirstSteps(theme, "servers_first", TITLE, FIRST, EXAMPLES, self._suggest, held(tables))
        self._listen()
        self._lay_out()
        self.show_servers(())

    @property
    def server(self) -> Server | None:
        """The chosen one."""
        row = self._servers.current
        return row if isinstance(row, Server) else None

    @property
    def model_id(self) -> str:
        """The chosen model, or the one that was typed."""
        row = self._models.current
        return row.id if isinstance(row, ServerModel) else self.filter.text().strip()

    def show_servers(self, servers: Sequence[Server], open_address: str = "", wanted: str = "") -> None:
        """The list; what is at the address that is wanted is chosen, else what was, else that of the open model."""
        self._open_address = open_address
        place = wanted or (self.server.address if self.server is not None else "")
        place = place if any(server.address == place for server in servers) else open_address
        self._servers.show_rows(servers, lambda server: server.address == place)
        self._known.show_rest(bool(servers))
        self._offer()

    def show_models(self, models: Sequence[ServerModel], open_id: str = "") -> None:
        """What the chosen server lists; what was chosen stays so, else it is what is open."""
        chosen, self._open_id = self._models.current, open_id
        kept = chosen.id if isinstance(chosen, ServerModel) else ""
        place = kept if any(model.id == kept for model in models) else open_id
        self._models.show_rows(models, lambda model: model.id == place)
        self._offer()

    def show_busy(self, why: str) -> None:
        """Why nothing can be opened now; empty: it can."""
        self._busy = why
        self._offer()

    def say(self, words: str, kind: str = "muted") -> None:
        """How the chosen server answers, or why not."""
        self._words.say(words, kind)

    def focus(self) -> None:
        """Put the keyboard where one goes on: on the list, or on the button that begins it."""
        (self._servers if self.server is not None else self._add).setFocus()

    def leave_question(self) -> bool:
        """Esc: close what is asked; tells whether anything was."""
        asked = self.question.asking or self.form.isVisible()
        if asked:
            self.question.clear()
            self.form.leave()
        return asked

    def _listen(self) -> None:
        self._servers.chosen.connect(self._choose)
        self._servers.picked.connect(lambda: (self._models if self._models.count else self.filter).setFocus())
        self._models.chosen.connect(self._offer)
        self._models.picked.connect(self._pick)
        self.filter.textChanged.connect(self._filter)
        self.filter.steered.connect(self._models.keyPressEvent)
        self.filter.entered.connect(self._pick)
        self.form.left.connect(self.focus)

    def _lay_out(self) -> None:
        in_grid(
            [in_row(self._add, ...), self.filter],
            self._known,
            self._words,
            self.question,
            self.form,
            in_row(self._test, self._edit, self._remove, ..., self._open),
            on=self,
            margins=(0, GAP_PX, 0, 0),
            wide={0: 1, 1: 1},
            tall=1,
        )

    @Slot()
    def _offer(self) -> None:
        server = self.server
        for each in (self._test, self._edit, self._remove, self.filter):
            each.setEnabled(server is not None)
        refusal = self._busy
        if server is None:
            refusal = tr("Choose a server first.")
        elif not self.model_id:
            refusal = tr("Choose a model first.")
        self._open.setEnabled(not refusal)
        self._open.setToolTip(as_tip(refusal or OPEN_TIP))

    @Slot(object)
    def _choose(self, server: Server | None) -> None:
        place = server.address if server is not None else ""
        if place != self._place:
            self._place = place
            self.question.clear()
            self.filter.clear()
            self.show_models(())
        self.say("")
        self.chosen.emit(server)

    @Slot(str)
    def _filter(self, text: str) -> None:
        self._models.filter(text)
        self._offer()

    @Slot()
    def _pick(self) -> None:
        if self._open.isEnabled():
            self.open_wanted.emit(self.server, self.model_id)
        elif self.server is not None:
            self.question.tell(self._open.toolTip(), "warning")

    def _suggest(self, address: str) -> None:
        """Into the form, where it can still be changed."""
        self.edit_wanted.emit(None)
        self.form.suggest(address)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.came_up.emit()
