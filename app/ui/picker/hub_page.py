"""The models on the hub: a search that starts when it is asked for, its answers, a closer look at the chosen one."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.library.types import HubDetails, HubModel, Sort
from app.ui.look import GAP_PX, Theme
from app.ui.picker.card_text import CardText
from app.ui.picker.columns import HUB, hub_words
from app.ui.picker.details import Details
from app.ui.picker.empty_state import FirstSteps
from app.ui.picker.filter_field import FilterField
from app.ui.picker.model_words import hub_facts
from app.ui.picker.models_table import ModelRows, ModelTable
from app.ui.picker.token_line import TokenLine
from app.ui.widgets import ChoiceBox, SmallPrint, held, in_grid, in_row, push_button
from app.ui.widgets.button_menu import offer_buttons

HINT = tr("Search by name or author, or paste an id or address, then Enter")
TITLE = tr("Find a model on the hub")
FIRST = (
    tr("huggingface.co has thousands of models for MLX. Search for one, and see if it fits before you download it."),
    tr("With 4 bits a model takes about 0.6 GB for each billion parameters, on the disk and in memory."),
    tr("Sluice contacts the hub only when you search, and downloads only when you press Download."),
)
EXAMPLES = (
    (tr("Qwen3 0.6B"), tr("0.4 GB: quick everywhere, knows little"), "Qwen3-0.6B-4bit"),
    (tr("Llama 3.2 3B"), tr("1.8 GB: good chat on 8 GB of memory"), "Llama-3.2-3B-Instruct-4bit"),
    (tr("Qwen3 8B"), tr("4.6 GB: thinks before it answers, on 16 GB of memory"), "Qwen3-8B-4bit"),
)
SORTS = {Sort.DOWNLOADS: tr("Most downloads"), Sort.LIKES: tr("Most likes"), Sort.DATE: tr("Newest")}
FOR_TOKEN = ("gated", "token", "absent")
DOWNLOAD_TIP = tr("Download this model into the Hugging Face cache (Enter)")


class HubPage(QWidget):
    """Values in, wishes out; it asks nobody itself."""

    search_wanted = Signal(str, object)
    """What was typed, and a Sort."""
    chosen = Signal(object)
    """A HubModel, or None."""
    download_wanted = Signal(object)
    open_wanted = Signal(object)
    """A HubModel that is on this machine already."""
    fit_wanted = Signal(object, int)
    """HubDetails, and the context."""
    came_up = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("hub_page")
        self._looked: HubDetails | None = None
        self._here: frozenset[str] = frozenset()
        self._coming: frozenset[str] = frozenset()
        self._asked: tuple[str, Sort] | None = None
        self._answered: tuple[str, Sort] | None = None
        """What was searched for last, in which order, and what the models that are listed were found by."""
        self.search = FilterField(theme, "hub_search", tr("Search the hub"), HINT)
        self._go = push_button("hub_go", tr("Search"), tr("Ask the hub (Enter)"), press=self._search)
        tip = tr("Models made for MLX come first; this is the order among them")
        self._sort = ChoiceBox("hub_sort", tr("Order"), tip, SORTS)
        self.token = TokenLine(theme)
        tip = tr("Give a token for gated models")
        self._ask_token = push_button("ask_token", tr("Token…"), tip, kind="quiet", press=self.token.ask)
        rows = ModelRows(theme, HUB, hub_words)
        self._table = ModelTable(theme, "hub_models", tr("Models on the hub"), rows)
        self.details = Details(theme, "hub_details", self)
        self._card = CardText(theme)
        self.details.add(self._card)
        self._words = SmallPrint(theme, "hub_words")
        self._download = push_button("download_model", tr("Download"), DOWNLOAD_TIP, kind="primary", press=self._act)
        offer_buttons(self._table, self._download)
        found = in_row((self._table, 1), (self.details, 1))
        self._found = FirstSteps(theme, "hub_first", TITLE, FIRST, EXAMPLES, self._try, held(found))
        self._listen()
        self._lay_out()
        self._offer()

    @property
    def model(self) -> HubModel | None:
        """The chosen one."""
        row = self._table.current
        return row if isinstance(row, HubModel) else None

    @property
    def _query(self) -> tuple[str, Sort]:
        return self.search.text(), Sort(self._sort.currentData())

    def show_searching(self) -> None:
        self._words.say(tr("Asking the hub …"), "muted")

    def show_results(self, answer: Sequence[HubModel] | Failure) -> None:
        """What the hub has; or why it was not asked, in place, with what was there before.

        To the same question once more, such as with another token, what was chosen stays so.
        """
        if isinstance(answer, Failure):
            self._words.say(answer.sentence, "warning")
            self._show_token_for(answer)
            return
        again, self._answered = self._asked == self._answered, self._asked
        kept = self.model.id if again and self.model is not None else ""
        self._found.show_rest(True)
        if not again:
            self._table.unsort()
        self._table.show_rows(answer, lambda row: row.id == kept)
        none = tr("The hub has no model by this name that mlx-lm may open.")
        self._words.say("" if answer else none, "muted")

    def show_details(self, answer: HubDetails | Failure) -> None:
        """The closer look at the chosen model."""
        model = self.model
        if model is None:
            return
        if isinstance(answer, Failure):
            self.details.show_model(model.id, hub_facts(model, None), answer.sentence)
            self._show_token_for(answer)
            return
        self._looked = answer
        self._show_token_for(answer.unusable)
        self.details.fit.limit_context(answer.context)
        why_not = answer.unusable.sentence if answer.unusable is not None else ""
        self.details.show_model(model.id, hub_facts(model, answer), why_not)
        self._card.show_card(answer.card)
        self._ask_for_fit()
        self._offer()

    def show_present(self, here: frozenset[str], coming: frozenset[str]) -> None:
        """The ids of models that are on this machine, and of those that are being downloaded."""
        self._here, self._coming = here, coming
        self._offer()

    def _listen(self) -> None:
        self.search.entered.connect(self._enter)
        self.search.steered.connect(self._table.keyPressEvent)
        self._sort.activated.connect(self._search_again)
        self._table.chosen.connect(self._show_chosen)
        self._table.picked.connect(self._act)
        self.details.fit.context_chosen.connect(self._ask_for_fit)

    def _lay_out(self) -> None:
        in_grid(
            in_row((self.search, 1), self._sort, self._go),
            self._words,
            self._found,
            self.token,
            in_row(self._ask_token, ..., self._download),
            on=self,
            margins=(0, GAP_PX, 0, 0),
            tall=2,
        )

    def _offer(self) -> None:
        model = self.model
        here = model is not None and model.id in self._here
        coming = model is not None and model.id in self._coming
        self._download.setText(tr("Open") if here else tr("Download"))
        self._download.setAccessibleName(self._download.text())
        self._download.setEnabled(model is not None and not coming)
        tip = tr("It is on this machine: open it (Enter)") if here else DOWNLOAD_TIP
        self._download.setToolTip(tr("It is among the downloads below.") if coming else tip)

    def _show_token_for(self, failure: Failure | None) -> None:
        if failure is not None and failure.kind in FOR_TOKEN:
            self.token.show()

    @Slot()
    def _enter(self) -> None:
        """Enter in the field asks, and once the answer is there it acts: Download, or Open."""
        if self._query == self._answered:
            self._table.pick()
        elif self._asked is not None or self.search.isModified():
            self._search()

    def _try(self, query: str) -> None:
        self.search.setText(query)
        self._search()

    @Slot()
    def _search(self) -> None:
        self._asked = self._query
        self.search_wanted.emit(*self._asked)

    @Slot()
    def _search_again(self) -> None:
        """Another order, once something has been searched for."""
        if self._table.count:
            self._search()

    @Slot(object)
    def _show_chosen(self, model: HubModel | None) -> None:
        self._looked = None
        self._card.show_card("")
        self.details.show_fit(None)
        if model is None:
            self.details.clear()
        else:
            self.details.show_model(model.id, hub_facts(model, None))
        self._offer()
        self.chosen.emit(model)

    @Slot()
    def _ask_for_fit(self) -> None:
        if self._looked is not None:
            self.fit_wanted.emit(self._looked, self.details.fit.context)

    @Slot()
    def _act(self) -> None:
        model = self.model
        if model is not None and self._download.isEnabled():
            (self.open_wanted if model.id in self._here else self.download_wanted).emit(model)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.came_up.emit()
