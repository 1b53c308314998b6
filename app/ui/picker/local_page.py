"""The models on this machine: a table with a filter, and what can be done with the chosen one."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.library.types import LocalModel, ModelLocation
from app.ui.look import GAP_PX, Theme
from app.ui.picker.adapter_box import AdapterBox
from app.ui.picker.columns import LOCAL, LocalRow, local_words
from app.ui.picker.details import Details
from app.ui.picker.filter_field import FilterField
from app.ui.picker.model_words import local_facts
from app.ui.picker.models_table import ModelRows, ModelTable
from app.ui.widgets import SmallPrint, as_tip, held, in_grid, in_row, push_button
from app.ui.widgets.button_menu import offer_buttons
from app.ui.widgets.question_line import QuestionLine

SHOW = tr("Show in Finder") if sys.platform == "darwin" else tr("Show in file manager")

QUANTISE = tr("Make a smaller model of this one, with fewer bits for each weight")


class LocalPage(QWidget):
    """Each signal is a wish about a LocalModel."""

    chosen = Signal(object)
    """Or None."""
    open_wanted = Signal(object)
    draft_wanted = Signal(object)
    delete_wanted = Signal(object)
    show_wanted = Signal(object)
    quantise_wanted = Signal(object)
    folder_wanted = Signal()
    fit_wanted = Signal(object, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("local_page")
        self._busy = ""
        self._draft_refusal = ""
        self._refusals = ("", "")
        """Why the chosen model can't be opened, and not be a draft."""
        self._for_draft = self._listed_for = ""
        self._asked_about: Path | None = None
        """The folder of the model that the question is about: the chosen one, also where the list is a new one."""
        self.filter = FilterField(theme, "local_filter", tr("Filter"), tr("Filter by name, type or folder"))
        rows = ModelRows(theme, LOCAL, local_words, lambda row: row.why_not, lambda row: row.is_open)
        self._table = ModelTable(theme, "local_models", tr("Models on this machine"), rows)
        self.details = Details(theme, "local_details", self)
        self.adapters = AdapterBox(theme)
        self.details.add(self.adapters, below_name=True)
        self._words = SmallPrint(theme, "local_words")
        self.question = QuestionLine(theme, "delete_question")
        tip = tr("List the models of one more folder")
        self._add = push_button("add_folder", tr("Add folder…"), tip, press=self.folder_wanted)
        self._show = push_button("show_in_files", SHOW, tr("Show the folder of this model"))
        self._delete = push_button("delete_model", tr("Delete…"), tr("Delete this model from this machine"))
        self._quantise = push_button("quantise_model", tr("Quantize…"), QUANTISE)
        tip = tr("Let this model propose tokens to the one that is open")
        self._draft = push_button("use_as_draft", tr("Use as draft"), tip)
        self._open = push_button("open_chosen", tr("Open"), tr("Open this model (Enter)"), kind="primary")
        offer_buttons(self._table, self._open, self._draft, self._quantise, self._show, self._delete)
        self._listen()
        self._lay_out()
        self._offer()

    @property
    def model(self) -> LocalModel | None:
        """The chosen one."""
        row = self._table.current
        return row.model if isinstance(row, LocalRow) else None

    def show_models(self, rows: Sequence[LocalRow], wanted: Path | None) -> None:
        """What there is; the one in the folder that is wanted is chosen, else the one that was, or that is open."""
        kept = self.model.folder if self.model is not None and self._for_draft == self._listed_for else None
        self._listed_for = self._for_draft
        there = {row.model.folder for row in rows}
        place = next((each for each in (wanted, kept) if each in there), None)
        self._table.show_rows(rows, lambda row: row.model.folder == place if place else row.is_open)
        self._say_how_many()

    def show_purpose(self, for_draft: str) -> None:
        """Choosing a draft model for this one; empty: a model to open."""
        self._for_draft = for_draft
        self._say_how_many()
        self._offer()

    def show_busy(self, why: str) -> None:
        """Why nothing can be opened now; empty: it can."""
        self._busy = why
        self._offer()

    def show_draft_refusal(self, why: str) -> None:
        """Why the chosen model can't be a draft model; empty: it can."""
        self._draft_refusal = why
        self._offer()

    def say(self, words: str) -> None:
        """Something about the list as a whole."""
        self._words.say(words)

    def _listen(self) -> None:
        self.filter.textChanged.connect(self._filter)
        self.filter.steered.connect(self._table.keyPressEvent)
        self.filter.entered.connect(self._table.pick)
        self._table.chosen.connect(self._show_chosen)
        self._table.picked.connect(self._pick)
        self.details.fit.context_chosen.connect(self._ask_for_fit)
        for each, signal in (
            (self._show, self.show_wanted),
            (self._delete, self.delete_wanted),
            (self._quantise, self.quantise_wanted),
            (self._draft, self.draft_wanted),
            (self._open, self.open_wanted),
        ):
            each.clicked.connect(self._teller(signal.emit))

    def _teller(self, tell: Callable[[object], None]) -> Callable[[], None]:
        def tell_of_chosen() -> None:
            if self.model is not None:
                tell(self.model)

        return tell_of_chosen

    def _lay_out(self) -> None:
        self.details.add(held(in_row(self._quantise, ...)))
        in_grid(
            [self.filter, (self._add, Qt.AlignmentFlag.AlignRight)],
            [self._table, self.details],
            self._words,
            self.question,
            in_row(self._show, self._delete, ..., self._draft, self._open),
            on=self,
            margins=(0, GAP_PX, 0, 0),
            wide={0: 1, 1: 1},
            tall=1,
        )

    def _offer(self) -> None:
        """What can be done with the chosen model, and why the rest can't."""
        row = self._table.current
        model = self.model
        refusal = "" if model is not None and isinstance(row, LocalRow) else tr("Choose a model first.")
        unusable = model.why_not if model is not None else ""
        is_open = isinstance(row, LocalRow) and row.is_open
        self._refusals = (refusal or unusable or self._busy, refusal or self._draft_refusal or self._busy)
        _enable(self._open, tr("Open this model (Enter)"), self._refusals[0])
        tip = tr("Let this model propose tokens to the one that is open")
        _enable(self._draft, tip, self._refusals[1])
        again = tr("It is quantized already.") if model is not None and model.bits else ""
        _enable(self._quantise, QUANTISE, refusal or unusable or again)
        of_user = model is not None and model.source is ModelLocation.FOLDER
        self._delete.setText(tr("Take off the list") if of_user else tr("Delete…"))
        self._delete.setAccessibleName(self._delete.text().strip("…"))
        why_kept = tr("It is in use: open another model first.") if is_open else ""
        if model is not None and model.source is ModelLocation.BUNDLED:
            why_kept = tr("It comes with Sluice.")
        off_list = tr("Take the chosen folder off the list; nothing in it is deleted")
        tip = off_list if of_user else tr("Delete this model from this machine")
        _enable(self._delete, tip, refusal or why_kept)
        self._show.setEnabled(model is not None)
        self.adapters.setVisible(model is not None and not unusable and not self._for_draft)
        first, second = (self._draft, self._open) if self._for_draft else (self._open, self._draft)
        _dress(first, "primary")
        _dress(second, "")

    def _say_how_many(self) -> None:
        if not self._table.count:
            self.say(tr("No model matches.") if self.filter.text() else tr("No model is here yet. The hub has some."))
        else:
            words = tr("Draft models for {model}; the grey ones don't suit it.") if self._for_draft else ""
            self.say(words.format(model=self._for_draft))

    @Slot(str)
    def _filter(self, text: str) -> None:
        self._table.filter(text)
        self._say_how_many()

    @Slot(object)
    def _show_chosen(self, row: LocalRow | None) -> None:
        if row is None or row.model.folder != self._asked_about:
            self.question.clear()
        self._asked_about = row.model.folder if row is not None else None
        self._draft_refusal = tr("Looking whether it suits the open model.")
        if row is None:
            self.details.clear()
        else:
            model = row.model
            why_not = model.unusable.sentence if model.unusable is not None else row.why_not
            self.details.fit.limit_context(model.context)
            self.details.show_model(model.name, local_facts(model), why_not)
        self._offer()
        self.chosen.emit(self.model)
        self._ask_for_fit()

    @Slot()
    def _ask_for_fit(self) -> None:
        if self.model is not None:
            self.fit_wanted.emit(self.model, self.details.fit.context)

    @Slot(object)
    def _pick(self, row: LocalRow) -> None:
        wanted = self._draft if self._for_draft else self._open
        if wanted.isEnabled():
            wanted.click()
        else:
            self.question.tell(self._refusals[1 if self._for_draft else 0], "warning")


def _enable(each: QWidget, tip: str, refusal: str) -> None:
    each.setEnabled(not refusal)
    each.setToolTip(as_tip(refusal or tip))


def _dress(each: QWidget, kind: str) -> None:
    if each.property("kind") != kind:
        each.setProperty("kind", kind)
        each.style().polish(each)
