"""The picker's page for local models: scans for them, and opens, deletes or quantizes the chosen one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.engine.catalogue import SETTINGS
from app.engine.types import Failure, LoadRequest
from app.i18n import tr
from app.library import cached, drafts_and_adapters, local
from app.library.memory_estimate import fit_of
from app.library.types import Fit, FitVerdict, FolderChoice, LocalModel, ModelLocation, Removal
from app.number_format import size
from app.state import Phase
from app.ui.look import GAP_PX, Theme
from app.ui.picker.details import Details, local_facts
from app.ui.picker.model_suggestions import ModelSuggestions
from app.ui.picker.models_table import LOCAL, FilterField, LocalRow, ModelRows, ModelTable, bits_text
from app.ui.widgets import (
    ChoiceBox,
    FieldRow,
    SmallPrint,
    add_entry,
    as_tip,
    files,
    in_column,
    in_grid,
    in_row,
    layout_widget,
    push_button,
)
from app.ui.widgets.menus import offer_buttons
from app.ui.widgets.notices import QuestionLine

if TYPE_CHECKING:
    from app.ui.picker.controller import PickerController

SHOW = tr("Show in Finder") if sys.platform == "darwin" else tr("Show in file manager")
OPEN_TIP = tr("Open this model (Enter)")
DRAFT_TIP = tr("Use this model as the draft model of the open one, for speculative decoding")
QUANTIZE_TIP = tr("Create a smaller copy of this model, with fewer bits per weight")
DELETE_TIP = tr("Delete this model from this computer")
REMOVE_TIP = tr("Remove the folder from the list; nothing in it is deleted")
CHOOSE_FIRST = tr("Choose a model, then press “Quantize…”.")
NO_MAIN = tr("Open a model first: a draft model is used together with it.")
ITSELF = tr("It is the open model.")
IN_USE = tr("It is in use: open another model first.")


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The result of a scan. All folders are spelled as in `models`."""

    models: tuple[LocalModel, ...] = ()
    used: frozenset[Path] = frozenset()
    """Folders of the models that are open or loading."""
    main: Path | None = None
    """The folder of the open model."""
    wanted: Path | None = None
    """The folder of the model to choose."""


class LocalPage(QWidget):
    """A table with a filter. All scans and deletions run in threads."""

    def __init__(self, theme: Theme, picker: PickerController) -> None:
        super().__init__()
        self.setObjectName("local_page")
        self._picker, self._playground, self._tasks = picker, picker.playground, picker.tasks
        self._draft_for = self._listed_for = ""
        """The open model's name while a draft model is chosen, now and when the list was shown."""
        self._busy = self._draft_refusal = ""
        self._refusal = ""
        """The reason why the chosen model can't be opened or used."""
        self._question_folder: Path | None = None
        """The model to which the open question refers."""
        self._next_message = ("", "")
        """The message for the next list, since selecting a row clears the message."""
        self._wanted: Path | None = None
        self._to_quantize: Path | None = None
        self._planned: Removal | None = None
        self._scanned = ScanResult()
        self._fit: Fit | None = None
        self._adapters_for: tuple[Path | None, FolderChoice | None] = (None, None)
        rows = ModelRows(theme, LOCAL, _search_text, lambda row: row.why_not, lambda row: row.is_open)
        self._table = ModelTable(theme, "local_models", tr("Models on this computer"), rows)
        hint = tr("Filter by name, type or folder")
        self.filter = FilterField(theme, "local_filter", tr("Filter"), hint, self._table)
        self.details = Details(theme, "local_details", self)
        self.adapters = AdapterBox(theme, self._browse_adapters)
        self.suggestions = ModelSuggestions(theme)
        self.suggestions.hide()
        self._message = SmallPrint(theme, "local_words")
        self.question = QuestionLine(theme, "delete_question")
        self._make_buttons()
        self._lay_out()
        self.filter.textChanged.connect(self._filter)
        self.filter.entered.connect(self._act)
        self._table.chosen.connect(self._show_chosen)
        self._table.row_activated.connect(self._act)
        self.details.fit.context_chosen.connect(self.show_fit)
        self.question.confirmed.connect(self._delete)
        self._update_buttons()

    @property
    def model(self) -> LocalModel | None:
        row = self._table.current
        return row.model if isinstance(row, LocalRow) else None

    @property
    def ids(self) -> frozenset[str]:
        """Names of the complete models in the Hugging Face cache."""
        models = self._scanned.models
        return frozenset(m.name for m in models if m.source is ModelLocation.CACHE and m.unusable is None)

    def refresh(self, wanted: Path | None = None, for_draft: bool | None = None) -> None:
        """Scan again. `wanted` is the folder to select: a model's, or one that contains models. None: select the same
        model.
        """
        model = self._playground.state.model
        is_for_draft = bool(self._draft_for) if for_draft is None else for_draft
        self._wanted = wanted or self._wanted
        self.show_purpose(model.name if is_for_draft and model is not None else "")
        if not self._scanned.models:
            self._message.say(tr("Searching for models on this computer …"))
        self._tasks.cancel("drafts")
        self._tasks.start(self._scan(), "scan")

    def show_models(self, rows: Sequence[LocalRow], wanted: Path | None) -> None:
        """Show the list. The wanted model is chosen, else the previous one, else the open one."""
        previous = self.model.folder if self.model is not None and self._draft_for == self._listed_for else None
        self._listed_for = self._draft_for
        folders = {row.model.folder for row in rows}
        folder = next((each for each in (wanted, previous) if each in folders), None)
        self._table.show_rows(rows, lambda row: row.model.folder == folder if folder else row.is_open)
        bundled = (row.model.source is ModelLocation.BUNDLED for row in rows if row.model.unusable is None)
        self.suggestions.setVisible(not self._draft_for and all(bundled))
        self._show_count()
        message, self._next_message = self._next_message, ("", "")
        if message[0]:
            self.question.tell(*message)
        folder, self._to_quantize = self._to_quantize, None
        if folder is not None and self.model is not None and self.model.folder == folder:
            self._quantize()
        elif folder is not None:
            self.question.tell(CHOOSE_FIRST, "warning")

    def quantize_when_listed(self, folder: Path | None) -> None:
        """Open the dialog Quantize for this model once the list is shown; None: the user chooses a model."""
        self._to_quantize = folder
        if folder is None:
            self.show_message_later(CHOOSE_FIRST)

    def show_purpose(self, draft_for: str) -> None:
        """Set the model for which a draft model is chosen; empty: choose a model to open."""
        self._draft_for = draft_for
        self._show_count()
        self._update_buttons()

    def show_busy(self, why: str) -> None:
        """Show why nothing can be opened now; empty: it can."""
        self._busy = why
        self._update_buttons()

    def show_draft_refusal(self, why: str) -> None:
        """Show why the chosen model can't be a draft model; empty: it can."""
        self._draft_refusal = why
        self._update_buttons()

    def show_message_later(self, text: str, kind: str = "muted") -> None:
        self._next_message = text, kind

    def show_fit(self) -> None:
        """Estimate the memory of the chosen model; for a draft model, together with the open model."""
        if (model := self.model) is not None:
            main = self._main() if self._draft_for else None
            whole, draft = (model, None) if main is None else (main, model.sizes)
            self._fit = fit_of(whole.sizes, self.details.fit.context, self._picker.device, draft)
            self.details.show_fit(self._fit)

    def folder_of(self, model_id: str) -> Path | None:
        """Return the folder of a model in the Hugging Face cache."""
        cache = (m for m in self._scanned.models if m.source is ModelLocation.CACHE)
        return next((model.folder for model in cache if model.name == model_id), None)

    # The buttons' actions.

    def _act(self) -> None:
        """Open the model, or use it as a draft model, on Enter or a double click."""
        if self._refusal:
            self.question.tell(self._refusal, "warning")
        elif self._draft_for:
            self._use_as_draft()
        else:
            self._open()

    def _open(self) -> None:
        if (model := self.model) is None:
            return
        is_too_large = self._fit is not None and self._fit.verdict is FitVerdict.WONT_FIT
        chosen, opened = self.adapters.folder, self._playground.state.model
        request = LoadRequest(str(model.folder), anyway=is_too_large, adapter=str(chosen) if chosen else None)
        if opened is not None and opened.folder == model.folder and opened.opened_by.adapter != request.adapter:
            request = replace(request, draft=opened.opened_by.draft)  # only the adapter changes
        self._picker.load(request)

    def _use_as_draft(self) -> None:
        opened = self._playground.state.model
        if self.model is not None and opened is not None:
            self._picker.load(replace(opened.opened_by, draft=str(self.model.folder)))

    def _quantize(self) -> None:
        if not self._quantize_button.isEnabled():
            self.question.tell(self._quantize_button.toolTip(), "warning")
        elif (model := self.model) is not None:
            self._picker.quantize(model, lambda weights: self._fit_quantized(model, weights))

    def _show_folder(self) -> None:
        if self.model is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.model.folder)))

    def _remove(self) -> None:
        """Ask whether to delete a model of the cache; remove a folder of the user's from the list."""
        if (model := self.model) is None:
            return
        if model.source is ModelLocation.CACHE:
            self._tasks.start(self._ask_to_delete(model), "removal")
        elif model.source is ModelLocation.FOLDER:
            folders = self._picker.folders
            removed = [name for name in folders.names if Path(name) in (model.folder, *model.folder.parents)]
            text = tr("Removed from the list: {folders}. Nothing was deleted.")
            self.show_message_later(text.format(folders=", ".join(removed)))
            folders.remove(*removed)

    def _add_folder(self, folder: Path) -> None:
        self._picker.folders.add(folder)
        self.refresh(folder)

    def _browse_adapters(self) -> None:
        def add(folder: Path) -> None:
            if self.model is not None:
                self._tasks.start(self._show_adapters(self.model, folder), "adapters")

        files.ask_folder(self.window(), tr("Choose an Adapter"), add)

    def _delete(self) -> None:
        if self._planned is not None:
            planned, self._planned = self._planned, None
            self._tasks.start(self._delete_planned(planned))

    # Content of the page.

    def _make_buttons(self) -> None:
        ask = lambda: files.ask_folder(self.window(), tr("Add a Folder of Models"), self._add_folder)  # noqa: E731
        tip = tr("Add a folder whose models are listed")
        self._add = push_button("add_folder", tr("Add folder…"), tip, press=ask)
        tip = tr("Show the folder of this model")
        self._show = push_button("show_in_files", SHOW, tip, press=self._show_folder)
        self._delete_button = push_button("delete_model", tr("Delete…"), DELETE_TIP, press=self._remove)
        self._quantize_button = push_button("quantise_model", tr("Quantize…"), QUANTIZE_TIP, press=self._quantize)
        self._draft_button = push_button("use_as_draft", tr("Use as draft"), DRAFT_TIP, press=self._use_as_draft)
        self._open_button = push_button("open_chosen", tr("Open"), OPEN_TIP, kind="primary", press=self._open)
        buttons = self._open_button, self._draft_button, self._quantize_button, self._show, self._delete_button
        offer_buttons(self._table, *buttons)

    def _lay_out(self) -> None:
        self.details.add(self.adapters, below_name=True)
        self.details.add(layout_widget(in_row(self._quantize_button, ...)))
        in_grid(
            [self.filter, (self._add, Qt.AlignmentFlag.AlignRight)],
            [self._table, self.details],
            self._message,
            self.question,
            in_row(self._show, self._delete_button, ..., self._draft_button, self._open_button),
            self.suggestions,
            on=self,
            margins=(0, GAP_PX, 0, 0),
            wide={0: 1, 1: 1},
            tall=1,
        )

    def _update_buttons(self) -> None:
        """Enable the buttons that suit the chosen model; the tooltips of the others show the reason."""
        row, model = self._table.current, self.model
        none = "" if model is not None else tr("Choose a model first.")
        unusable = model.why_not if model is not None else ""
        refusals = none or unusable or self._busy, none or self._draft_refusal or self._busy
        self._refusal = refusals[1 if self._draft_for else 0]
        _set_enabled(self._open_button, OPEN_TIP, refusals[0])
        _set_enabled(self._draft_button, DRAFT_TIP, refusals[1])
        quantized = tr("It is already quantized.") if model is not None and model.bits else ""
        _set_enabled(self._quantize_button, QUANTIZE_TIP, none or unusable or quantized)
        is_of_user = model is not None and model.source is ModelLocation.FOLDER
        self._delete_button.setText(tr("Remove from list") if is_of_user else tr("Delete…"))
        self._delete_button.setAccessibleName(self._delete_button.text().strip("…"))
        undeletable = IN_USE if isinstance(row, LocalRow) and row.is_open else ""
        if model is not None and model.source is ModelLocation.BUNDLED:
            undeletable = tr("It is bundled with Sluice.")
        _set_enabled(self._delete_button, REMOVE_TIP if is_of_user else DELETE_TIP, none or undeletable)
        self._show.setEnabled(model is not None)
        self.adapters.setVisible(model is not None and not unusable and not self._draft_for)
        for button in (self._draft_button, self._open_button):
            kind = "primary" if (button is self._draft_button) is bool(self._draft_for) else ""
            if button.property("kind") != kind:
                button.setProperty("kind", kind)
                button.style().polish(button)

    def _show_count(self) -> None:
        text = tr("Draft models for {model}. Gray ones aren't compatible.").format(model=self._draft_for)
        if not self._table.count:
            text = (
                tr("No model matches.") if self.filter.text() else tr("There are no models yet. The hub tab has some.")
            )
        self._message.say(text if self._draft_for or not self._table.count else "")

    def _filter(self, text: str) -> None:
        self._table.filter(text)
        self._show_count()

    def _show_chosen(self, row: LocalRow | None) -> None:
        folder = row.model.folder if row is not None else None
        if row is None or folder != self._question_folder:
            self.question.clear()
        self._question_folder = folder
        self._draft_refusal = tr("Checking compatibility with the open model.")
        self._fit = None
        if row is None:
            self.details.clear()
        else:
            model = row.model
            why_not = model.unusable.sentence if model.unusable is not None else row.why_not
            self.details.fit.limit_context(model.context)
            self.details.show_model(model.name, local_facts(model), why_not)
        self._check_draft()
        self._find_adapters()
        self._update_buttons()
        self.show_fit()

    def _fit_quantized(self, model: LocalModel, weights: int) -> Fit | None:
        """Return the memory estimate of the chosen model if its quantized weights had this many bytes."""
        sizes = replace(model.sizes, weights=weights, bits=4)  # only says that they are quantized
        return fit_of(sizes, self.details.fit.context, self._picker.device)

    def _main(self) -> LocalModel | None:
        """Return the open model from the list, or None."""
        return next((model for model in self._scanned.models if model.folder == self._scanned.main), None)

    def _used_now(self) -> tuple[Path, ...]:
        """Folders of the open model, of its draft model, and of one that is loading."""
        state = self._playground.state
        main = state.model
        used = [] if main is None else [main.folder, *([main.draft.folder] if main.draft else [])]
        return (*used, *([Path(state.wanted)] if state.phase is Phase.LOADING else []))

    def _check_draft(self) -> None:
        main, model = self._main(), self.model
        if main is None or model is None or model is main:
            self._tasks.cancel("suits")
            self._draft_refusal = NO_MAIN if main is None else ITSELF
        else:
            self._tasks.start(self._show_suitability(main, model), "suits")

    def _find_adapters(self) -> None:
        """Search for adapters. The open model's adapter is shown at once; the chosen one stays chosen in a new list."""
        self._tasks.cancel("adapters")
        model, opened = self.model, self._playground.state.model
        loaded = opened.adapter if opened is not None and model is not None and model is self._main() else None
        known = FolderChoice(loaded.name, loaded.folder) if loaded is not None else None
        before, self._adapters_for = self._adapters_for, (model.folder if model is not None else None, known)
        if model is None or before != self._adapters_for:
            self.adapters.show_choices((known,) if known else (), known.folder if known else None)
        if model is not None and model.unusable is None and not self._draft_for:
            self._tasks.start(self._show_adapters(model), "adapters")

    # Work in threads.

    async def _scan(self) -> None:
        opened, picker = self._playground.state.model, self._picker
        main = opened.folder if opened is not None and opened.folder.is_absolute() else None
        inputs = main, self._used_now(), self._wanted
        answer = await self._tasks.try_in_thread(_scan, picker.data, picker.bundled, picker.folders.names, *inputs)
        if isinstance(answer, Failure):
            self._next_message = ("", "")
            text = tr("The models could not be listed: {what} {todo}")
            self._message.say(text.format(what=answer.what, todo=answer.todo))
        else:
            self._show_scanned(answer)

    def _show_scanned(self, scanned: ScanResult) -> None:
        self._scanned, self._wanted = scanned, None
        main = self._main()
        if self._draft_for and main is not None:
            self._tasks.start(self._show_drafts(main, scanned.models), "drafts")
        else:
            self.show_models([self._row(model) for model in scanned.models], scanned.wanted)
        self._picker.show_present()

    def _row(self, model: LocalModel, why_not: str = "") -> LocalRow:
        return LocalRow(model, why_not or model.why_not, model.folder in self._scanned.used)

    async def _show_drafts(self, main: LocalModel, models: tuple[LocalModel, ...]) -> None:
        answer = await self._tasks.try_in_thread(drafts_and_adapters.drafts_for, main, models)
        if isinstance(answer, Failure):
            self._message.say(answer.sentence)
        else:
            self.show_models([self._row(choice.model, choice.why_not) for choice in answer], self._scanned.wanted)

    async def _show_suitability(self, main: LocalModel, model: LocalModel) -> None:
        answer = await self._tasks.try_in_thread(drafts_and_adapters.drafts_for, main, (model,))
        if isinstance(answer, Failure):
            self.show_draft_refusal(answer.what)
        else:
            self.show_draft_refusal(answer[0].why_not if answer else ITSELF)

    async def _show_adapters(self, model: LocalModel, browsed: Path | None = None) -> None:
        more = browsed or self.adapters.folder
        answer = await self._tasks.try_in_thread(drafts_and_adapters.adapters_for, model.folder, more)
        if not isinstance(answer, Failure):
            self.adapters.show_choices(answer, more)

    async def _ask_to_delete(self, model: LocalModel) -> None:
        answer = await self._tasks.try_in_thread(local.removal, model)
        if isinstance(answer, Failure):
            self.show_message_later(answer.sentence, "warning")
            self.refresh()  # another program may have deleted it
            return
        self._planned = answer
        question = tr("Delete “{name}” from this computer? That frees {size}.")
        self.question.ask(question.format(name=answer.name, size=size(answer.freed)))

    async def _delete_planned(self, planned: Removal) -> None:
        name = planned.name
        self.question.tell(tr("Deleting “{name}” …").format(name=name))
        answer = await self._tasks.try_in_thread(_remove, planned, self._used_now())
        if isinstance(answer, Failure):
            self.question.tell(answer.sentence, "warning")
            return
        cache = ModelLocation.CACHE
        rest = tuple(model for model in self._scanned.models if (model.source, model.name) != (cache, name))
        text = tr("Deleted “{name}”; {size} were freed.")
        self.show_message_later(text.format(name=name, size=size(answer)))
        self._show_scanned(replace(self._scanned, models=rest, wanted=None))
        self._picker.downloading.remove_finished(name)


class AdapterBox(QWidget):
    """The LoRA adapter to load with the model: none, one that was found, or one from another folder."""

    def __init__(self, theme: Theme, browse: Callable[[], object]) -> None:
        super().__init__()
        self.folder: Path | None = None
        """The folder of the chosen adapter; None: no adapter."""
        self._browse = browse
        setting = SETTINGS["adapter"]
        self._choice = ChoiceBox("adapter", setting.words, "", narrow=True)
        self._choice.activated.connect(self._pick)
        self._why_not = SmallPrint(theme, "adapter_refusal", "warning")
        in_column(FieldRow(theme, setting.words, setting.text, self._choice, below=True), self._why_not, on=self)

    def show_choices(self, choices: Sequence[FolderChoice], wanted: Path | None) -> None:
        """Show the adapters; if the `wanted` one is incompatible, it isn't chosen, and the reason is shown."""
        self._choice.clear()
        self._choice.addItem(tr("None"), None)
        for each in choices:
            add_entry(self._choice, each.name, each.folder, as_tip(each.why_not or str(each.folder)), not each.why_not)
        self._choice.insertSeparator(self._choice.count())
        self._choice.addItem(tr("Another folder…"), self._browse)
        found = next((each for each in choices if each.folder == wanted), None)
        self._why_not.say(f"{found.name}: {found.why_not}" if found is not None and found.why_not else "")
        self.folder = found.folder if found is not None and not found.why_not else None
        self._choice.show_value(self.folder)

    def _pick(self) -> None:
        folder = self._choice.currentData()
        if folder is None or isinstance(folder, Path):
            self.folder = folder
        else:
            self._choice.show_value(self.folder)
            self._browse()


def _search_text(row: LocalRow) -> str:
    model = row.model
    return f"{model.name} {model.model_type} {bits_text(model.bits)} {model.folder}"


def _set_enabled(widget: QWidget, tip: str, refusal: str) -> None:
    widget.setEnabled(not refusal)
    widget.setToolTip(as_tip(refusal or tip))


def _remove(planned: Removal, used_now: Sequence[Path]) -> int | Failure:
    """Delete a model, in a thread, unless it was opened after the question."""
    folder = planned.folder.resolve()
    if any(folder in each.resolve().parents for each in used_now):
        return Failure(IN_USE, "")
    return local.remove(planned)


def _scan(
    data: Path, bundled: Path, folders: Sequence[str], main: Path | None, used_now: Sequence[Path], wanted: Path | None
) -> ScanResult:
    """Find all models, in a thread. The open model is listed even if it is in another folder."""
    added = [Path(folder) for folder in folders]
    moments = cached.read_last_used(data)
    found = local.models(bundled, added, moments)
    listed = {model.folder.resolve(): model.folder for model in found}
    if main is not None and main.resolve() not in listed and main.is_dir():
        found = (*found, *local.models(main, (), moments)[:1])
        listed |= {model.folder.resolve(): model.folder for model in found[-1:]}
    used = (listed.get(each.resolve()) for each in used_now)
    opened = listed.get(main.resolve()) if main is not None else None
    return ScanResult(found, frozenset(each for each in used if each is not None), opened, _first(wanted, listed))


def _first(wanted: Path | None, listed: Mapping[Path, Path]) -> Path | None:
    """Return the wanted model's folder, or that of the first model in a wanted folder."""
    if wanted is None:
        return None
    inside = sorted(file.parent for file in wanted.glob("*/config.json"))
    return next((listed[each] for each in map(Path.resolve, (wanted, *inside)) if each in listed), None)
