"""The picker's page On the hub: a search, details of the chosen model, its card, and the download."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QShowEvent, QTextBlock, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from app.engine.types import Failure
from app.i18n import tr
from app.library import hub
from app.library.memory_estimate import fit_of
from app.library.suggested_models import COURSE_MODEL, MODELS
from app.library.types import HubDetails, HubModel, Sort
from app.number_format import size, two_digits
from app.ui.look import GAP_PX, Size, Theme
from app.ui.picker.details import Details, hub_facts
from app.ui.picker.empty_state import EmptyState
from app.ui.picker.models_table import HUB, FilterField, ModelRows, ModelTable
from app.ui.picker.token_line import TokenLine
from app.ui.widgets import ChoiceBox, SmallPrint, in_grid, in_row, layout_widget, named, push_button
from app.ui.widgets.menus import offer_buttons
from app.ui.widgets.no_picture import no_picture

if TYPE_CHECKING:
    from app.ui.picker.controller import PickerController

HINT = tr("Search by name or author, or paste an id or address, then Enter")
TITLE = tr("Find models on Hugging Face")
FIRST = (
    tr("huggingface.co has thousands of models for MLX. Search for one, and see if it fits before you download it."),
    tr("A 4-bit model takes about 0.6 GB per billion parameters, on the disk and in memory."),
    tr("Sluice contacts the hub only when you search, and downloads only when you press Download."),
)
EXAMPLES = tuple(
    (model.name, f"{size(model.size, two_digits)} · {model.purpose}", model.id.partition("/")[2])
    for model in (MODELS[1], COURSE_MODEL, MODELS[4])
)
SORTS = {Sort.DOWNLOADS: tr("Most downloads"), Sort.LIKES: tr("Most likes"), Sort.DATE: tr("Newest")}
TOKEN_FAILURES = ("gated", "token", "absent")
DOWNLOAD_TIP = tr("Download this model into the Hugging Face cache (Enter)")
IDLE_S = 0.25
"""Details are requested after this pause, so that moving through the list sends no requests."""
PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)")
"""A picture in Markdown. Lengths are limited: a search for a missing end would read the rest of the text each time."""
MAX_CHARACTERS = 6_000
READ_CHARACTERS = 3 * MAX_CHARACTERS
"""More are read than shown, since most cards begin with badges, which are removed."""
MIN_PX = 120
INDENT_PX = 16


class HubPage(QWidget):
    """The page that searches and downloads from the Hub. A new request cancels the previous one."""

    def __init__(self, theme: Theme, picker: PickerController) -> None:
        super().__init__()
        self.setObjectName("hub_page")
        self._picker, self._tasks = picker, picker.tasks
        self._details: HubDetails | None = None
        self._known: dict[str, HubDetails] = {}
        self._present: frozenset[str] = frozenset()
        self._downloading: frozenset[str] = frozenset()
        self._query_sent: tuple[str, Sort] | None = None
        """The last search."""
        self._query_shown: tuple[str, Sort] | None = None
        """The search whose answer is listed."""
        rows = ModelRows(theme, HUB, lambda model: f"{model.id} {model.license} {model.model_type}")
        self._table = ModelTable(theme, "hub_models", tr("Models on the hub"), rows)
        self.search = FilterField(theme, "hub_search", tr("Search the hub"), HINT, self._table)
        self._go = push_button("hub_go", tr("Search"), tr("Search the hub (Enter)"), press=self._search)
        tip = tr("Order of the results; models in MLX format come first")
        self._sort = ChoiceBox("hub_sort", tr("Order"), tip, SORTS)
        self.token = TokenLine(theme, picker.tasks)
        tip = tr("Enter a token for gated models")
        self._ask_token = push_button("ask_token", tr("Token…"), tip, kind="quiet", press=self.token.ask)
        self.details = Details(theme, "hub_details", self)
        self._card = CardText(theme)
        self.details.add(self._card)
        self._message = SmallPrint(theme, "hub_words")
        self._button = push_button("download_model", tr("Download"), DOWNLOAD_TIP, kind="primary", press=self._act)
        offer_buttons(self._table, self._button)
        found = in_row((self._table, 1), (self.details, 1))
        self._results = EmptyState(theme, "hub_first", TITLE, FIRST, EXAMPLES, self._search_for, layout_widget(found))
        self.search.entered.connect(self._enter)
        self._sort.activated.connect(lambda: self._search() if self._table.count else None)
        self._table.chosen.connect(self._show_chosen)
        self._table.row_activated.connect(self._act)
        self.details.fit.context_chosen.connect(self.show_fit)
        self.token.changed.connect(self._search_again)
        in_grid(
            in_row((self.search, 1), self._sort, self._go),
            self._message,
            self._results,
            self.token,
            in_row(self._ask_token, ..., self._button),
            on=self,
            margins=(0, GAP_PX, 0, 0),
            tall=2,
        )
        self._update_button()

    @property
    def model(self) -> HubModel | None:
        row = self._table.current
        return row if isinstance(row, HubModel) else None

    @property
    def _query(self) -> tuple[str, Sort]:
        return self.search.text(), Sort(self._sort.currentData())

    def show_results(self, answer: Sequence[HubModel] | Failure) -> None:
        """Show the results, or a failure above the previous list. Repeating a search keeps the selection."""
        if isinstance(answer, Failure):
            self._message.say(answer.sentence, "warning")
            self._show_token_for(answer)
            return
        is_same, self._query_shown = self._query_sent == self._query_shown, self._query_sent
        chosen = self.model.id if is_same and self.model is not None else ""
        self._results.show_rest(True)
        if not is_same:
            self._table.unsort()
        self._table.show_rows(answer, lambda row: row.id == chosen)
        none = tr("No model on the hub that mlx-lm can open has this name.")
        self._message.say("" if answer else none, "muted")

    def show_details(self, answer: HubDetails | Failure) -> None:
        model = self.model
        if model is None:
            return
        if isinstance(answer, Failure):
            self.details.show_model(model.id, hub_facts(model, None), answer.sentence)
            self._show_token_for(answer)
            return
        self._details = answer
        self._show_token_for(answer.unusable)
        self.details.fit.limit_context(answer.context)
        why_not = answer.unusable.sentence if answer.unusable is not None else ""
        self.details.show_model(model.id, hub_facts(model, answer), why_not)
        self._card.show_card(answer.card)
        self.show_fit()
        self._update_button()

    def show_present(self, present: frozenset[str], downloading: frozenset[str]) -> None:
        """Set the ids of the models that are on this machine, and of those that are being downloaded."""
        self._present, self._downloading = present, downloading
        self._update_button()

    def show_fit(self) -> None:
        """Estimate the memory of the chosen model."""
        if (found := self._details) is not None:
            self.details.show_fit(fit_of(found.sizes, self.details.fit.context, self._picker.device))

    def _update_button(self) -> None:
        model = self.model
        is_present = model is not None and model.id in self._present
        is_downloading = model is not None and model.id in self._downloading
        self._button.setText(tr("Open") if is_present else tr("Download"))
        self._button.setAccessibleName(self._button.text())
        self._button.setEnabled(model is not None and not is_downloading)
        tip = tr("Open this model, which is on this computer (Enter)") if is_present else DOWNLOAD_TIP
        self._button.setToolTip(tr("It is already being downloaded.") if is_downloading else tip)

    def _show_token_for(self, failure: Failure | None) -> None:
        if failure is not None and failure.kind in TOKEN_FAILURES:
            self.token.show()

    def _enter(self) -> None:
        """Handle Enter in the field: search, or, when the results are shown, download or open the chosen model."""
        if self._query == self._query_shown:
            self._act()
        elif self._query_sent is not None or self.search.isModified():
            self._search()

    def _act(self) -> None:
        model = self.model
        if model is None or not self._button.isEnabled():
            return
        if model.id in self._present:
            self._picker.open_from_hub(model)
        else:
            self._picker.download(model.id)

    def _search_for(self, query: str) -> None:
        self.search.setText(query)
        self._search()

    def _search(self) -> None:
        self._query_sent = self._query
        self._send(*self._query_sent)

    def _search_again(self) -> None:
        """Repeat the search with another token, which may show more models."""
        self._known.clear()
        if self._query_sent is not None:
            self._send(*self._query_sent)

    def _send(self, query: str, sort: Sort) -> None:
        async def search() -> None:
            self.show_results(await self._tasks.try_in_thread(hub.search, query, sort, self.token.token))

        self._message.say(tr("Searching the hub …"), "muted")
        self._tasks.start(search(), "search")

    def _show_chosen(self, model: HubModel | None) -> None:
        self._details = None
        self._card.show_card("")
        self.details.show_fit(None)
        self._tasks.cancel("details")
        if model is None:
            self.details.clear()
            self._update_button()
            return
        self.details.show_model(model.id, hub_facts(model, None))
        self._update_button()
        if model.id in self._known:
            self.show_details(self._known[model.id])
        else:
            self._tasks.start(self._load_details(model.id), "details")

    async def _load_details(self, model_id: str) -> None:
        await asyncio.sleep(IDLE_S)
        answer = await self._tasks.try_in_thread(hub.details, model_id, self.token.token)
        if isinstance(answer, HubDetails) and answer.unusable is None:  # a failure is not cached
            self._known[answer.model.id] = answer
        self.show_details(answer)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.token.read_keychain()


class CardText(QTextEdit):
    """A model card: Markdown without images and HTML, as high as its text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "card", tr("Model card"), tr("The author's description of the model"))
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        # A scroll bar would narrow the text, which then gets higher, and so on.
        for set_policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            set_policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFont(theme.font(Size.SMALL))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.document().setIndentWidth(INDENT_PX)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)

    def show_card(self, text: str) -> None:
        """Show the first `MAX_CHARACTERS` of a card."""
        text = PICTURE.sub("", text[:READ_CHARACTERS]).strip()
        cut = text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]} …"
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(cut, features.MarkdownDialectGitHub | features.MarkdownNoHTML)
        self._shrink_headings()
        self.setVisible(bool(cut))

    def _shrink_headings(self) -> None:
        """Show headings in the size of the text, since Qt's sizes are too large here."""
        plain = QTextCharFormat()
        plain.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
        block: QTextBlock = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel():
                cursor = QTextCursor(block)
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                cursor.mergeCharFormat(plain)
            block = block.next()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load no image, however it is written, from the network or the disk."""
        return no_picture()

    def sizeHint(self) -> QSize:
        return QSize(MIN_PX, int(self.document().size().height()) + 2)
