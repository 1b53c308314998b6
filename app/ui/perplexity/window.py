"""The window of perplexity: text and models on the left, results on the right."""

import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from app.bridge.model_sources import ModelFolders
from app.bridge.playground import Playground
from app.engine.cache_variants import parse_variants
from app.engine.jobs import no_logits
from app.engine.types import Cancellation, ChatPrompt, Failure, LoadRequest, Model, Prefill
from app.i18n import tr
from app.number_format import duration
from app.perplexity import source
from app.perplexity.cache_measuring import CacheJob, CacheMeasurement
from app.perplexity.measuring import PerplexityJob, PerplexityMeasurement
from app.quantization.choice import QuantizationOutcome, QuantizationSettings
from app.quantization.convert import Conversion
from app.records.journal import Journal
from app.records.types import SessionId
from app.state import Phase
from app.ui.look import GAP_PX, MARGIN_PX, Theme, scaled
from app.ui.perplexity.cache_findings import cache_findings
from app.ui.perplexity.results import PerplexityFindings, PerplexityResults, collected, findings
from app.ui.study_window import BUSY, NO_MODEL, StudyWindow, call_with_model, result_pages
from app.ui.widgets import (
    ChoiceBox,
    PlainText,
    SegmentedChoice,
    add_entry,
    as_tip,
    field_label,
    files,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
    split,
)
from app.ui.widgets.empty_page import EmptyPage, draw_words

HALVES_PX = (320, 780)
LEAST_FORM_PX = 216
RAW, ANSWER = "raw", "answer"
WAYS = {RAW: tr("Raw text"), ANSWER: tr("Chat answer")}
TIPS = {RAW: tr("Without the chat template"), ANSWER: tr("Through the chat template, as if the model had written it")}
EMPTY = tr(
    "Measures the perplexity of a text, token by token. With a second model, it also measures the KL divergence and "
    "shows where the two models differ."
)
NO_TEXT = tr("The text is empty. Paste a text or choose a file.")
CACHES = "kv"
"""The choice that compares KV caches instead of models."""
LONGEST_CACHES = 200
FIRST_CACHES = "8,4,2"
CACHES_TIP = tr(
    "KV caches to compare with the full one: bits:group@start or window:size:kept. Quantization begins after “start” "
    "tokens. A window keeps its first tokens."
)
DEPTHS = (10, 50, 90)
NEEDLES_TIP = tr(
    "Plant a fact at 10, 50 and 90 % of the text and ask for it at the end. The result lists which cache loses it."
)
DEMO, COPY, TEXT = "demo", "demo-4bit", "comparison.txt"
"""The example: how much quantizing the demo model to 4 bits changes it."""

Text = str | ChatPrompt


@dataclass(frozen=True, slots=True)
class PerplexitySetup:
    """The content of the form. `source` is the name of the file or session that replaces the typed text."""

    text: str
    source: str
    raw: bool
    against: str
    caches: str | None = None
    """The KV caches to compare; None: models are compared."""
    needles: bool = False


class PerplexityWindow(StudyWindow):
    """Measures one text at a time. A stopped measurement can be resumed while the form is unchanged."""

    def __init__(
        self, playground: Playground, theme: Theme, bundled: Path, folders: ModelFolders, parent: QWidget
    ) -> None:
        tip, title = tr("Measure the text"), tr("Perplexity of a text")
        super().__init__(playground, theme, parent, "weigh", title, tip, takes_files=True)
        self._bundled, self._folders = bundled, folders
        self._text = named(PlainText(), "weigh_typed", tr("Text"), tr("The text to measure"))
        self._text.setPlaceholderText(tr("Paste a text, or drop a file."))
        self._text.setTabChangesFocus(True)
        self._text.setAcceptDrops(False)
        self._source_name = ""
        self._source_label = plain_label("weigh_source", wraps=True)
        self._source_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._file = push_button("weigh_file", tr("File…"), tr("Open a text file or a session file"))
        title, kinds = tr("Open a Text"), tr("All files (*)")
        self._file.clicked.connect(lambda: files.ask_file(self, title, kinds, self.take_file))
        tip = tr("Take the answers of the open session")
        self._session = push_button("weigh_session", tr("This Session"), tip)
        self._session.clicked.connect(lambda: self.take_session(playground.state.session))
        self._way = SegmentedChoice("weigh_way", tr("How the model gets the text"), WAYS, TIPS)
        self._model = plain_label("weigh_model", muted=True, wraps=True)
        tip = tr("A second model, or other KV caches of the model, that are compared with the first on the same text")
        self._against = ChoiceBox("weigh_against", tr("Compare with"), tip, narrow=True)
        self._caches = named(QLineEdit(FIRST_CACHES), "weigh_kv", tr("KV caches"), CACHES_TIP)
        self._caches.setMaxLength(LONGEST_CACHES)
        self._caches.setPlaceholderText("8, 4@512, window:256:4")
        self._needles = named(QCheckBox(tr("Plant facts")), "weigh_needles", tr("Plant facts"), NEEDLES_TIP)
        self.fields = (self._text, self._file, self._session, self._against, self._caches, self._needles)
        self.results = PerplexityResults(theme)
        empty = EmptyPage(theme, "weigh_empty", EMPTY, draw_words, tr("Measure a short bundled text"))
        empty.sample_wanted.connect(self._run_sample)
        self._pages = result_pages(empty, self.results)
        self._source: Text = ""
        """The text of the file or session."""
        self._measurement: PerplexityMeasurement | CacheMeasurement | None = None
        self._measured: tuple[PerplexitySetup, Text, Model] | None = None
        """The form, text and model of the last measurement."""
        self._shown: tuple[tuple[object, ...], tuple[PerplexityFindings, ...]] = ((), ())
        """The text and model of the findings, and the findings."""
        self._first: Prefill | None = None
        self._example: tempfile.TemporaryDirectory[str] | None = None
        self._conversion: Conversion | None = None
        self._lay_out(theme)
        self._text.textChanged.connect(lambda: self.show_source(""))
        self._way.chosen.connect(self._on_edited)
        self._against.activated.connect(self._on_edited)
        self._caches.textChanged.connect(self._on_edited)
        self._needles.toggled.connect(self._on_edited)
        playground.prefill_advanced.connect(self._on_prefill_advanced)

    # The form.

    def setup(self) -> PerplexitySetup:
        raw = self._way.choice == RAW
        text, source_name, against = self._text.toPlainText(), self._source_name, self._against.currentData()
        if against == CACHES:
            return PerplexitySetup(text, source_name, raw, "", self._caches.text(), self._needles.isChecked())
        return PerplexitySetup(text, source_name, raw, against or "")

    def show_source(self, name: str) -> None:
        """Show that a file or a session replaces the typed text, until text is typed again."""
        self._source_name = name
        self._source_label.setText(tr("Measured in place of the text above: {name}").format(name=name))
        self._source_label.setVisible(bool(name))
        self._way.setEnabled(not self._is_chat())
        self._on_edited()

    def take_session(self, session: SessionId) -> None:
        if (journal := self.playground.book.journal) is not None:
            self._take(partial(_read_session, journal, session), self.playground.book.title(session))

    def take_file(self, path: Path) -> None:
        self._take(partial(source.read, path), path.name)

    def refresh(self) -> None:
        self.tasks.start(self._show_models(), "models")

    def allow(self, is_allowed: bool) -> None:
        super().allow(is_allowed)
        self._way.setEnabled(is_allowed and not self._is_chat())

    def enable(self) -> None:
        for each in (self._caches, self._needles):
            each.setVisible(self._against.currentData() == CACHES)
        state = self.playground.state
        is_remote = state.model is not None and bool(state.model.server)
        can_resume = self._measurement is not None and self._measured == self._wanted()
        self.foot.label_start(tr("Resume") if can_resume else tr("Start"))
        self._session.setEnabled(bool(state.session) and not self.foot.is_running)
        is_ready = state.phase is Phase.READY
        why_not = "" if is_ready else NO_MODEL if state.phase is Phase.EMPTY else BUSY
        self.foot.allow(is_ready and not is_remote, state.phase is Phase.STOPPING, why_not)
        if is_remote:
            self.foot.show_failure(no_logits())

    def start(self) -> None:
        setup, text, model = self._wanted()
        if model is None or not text:
            self.foot.say(NO_TEXT)
            return
        measurement = self._measurement
        if measurement is None or self._measured != (setup, text, model):
            try:
                measurement = _measurement(setup, text, model)
            except ValueError as error:  # the notation of KV caches
                self.foot.say(str(error))
                return
        if self.begin(partial(self.playground.measure_perplexity, measurement, self._on_measured)):
            if measurement is not self._measurement:
                self.discard()
            self._measurement, self._measured, self._first = measurement, (setup, text, model), None
            if self._shown[0] != (setup.raw, text, model):
                self.results.show_earlier()
        self.enable()

    def leave(self) -> None:
        if self._conversion is not None:
            self._conversion.cancel()
        if self._example is not None:
            self._example.cleanup()
        super().leave()

    def discard(self) -> None:
        """Delete the temporary files of the measurement."""
        if self._measurement is not None:
            self._measurement.close()
        self._measurement = None

    def _is_chat(self) -> bool:
        return bool(self._source_name) and isinstance(self._source, ChatPrompt)

    def _take(self, read: Callable[[], Text | Failure], name: str) -> None:
        if not self.foot.is_running:
            self.tasks.start(self._read(read, name), "source")

    async def _read(self, read: Callable[[], Text | Failure], name: str) -> None:
        found = await self.tasks.try_in_thread(read)
        if isinstance(found, Failure):
            self.foot.show_failure(found)
        elif not self.foot.is_running:
            self._source = found
            self.show_source(name)

    async def _show_models(self) -> None:
        model, chosen = self.playground.state.model, self._against.currentData()
        folders = [*self._folders.names, *([self._example.name] if self._example is not None else [])]
        found = await self.models_around(model, self._bundled, folders)
        self._model.setText(model.full_name if model is not None else NO_MODEL)
        self._against.show_entries({"": tr("No other model"), CACHES: tr("KV caches of this model")})
        for each in found:
            tip = as_tip(each.why_not or str(each.folder))
            add_entry(self._against, each.name, str(each.folder), tip, not each.why_not)
        self._against.show_value(chosen)
        self.enable()

    def _wanted(self) -> tuple[PerplexitySetup, Text, Model | None]:
        """Return the form and the text, since two files can have the same name."""
        setup = self.setup()
        return setup, self._source if setup.source else setup.text, self.playground.state.model

    def _on_edited(self) -> None:
        self.foot.say("")
        self.enable()

    # The examples.

    def _run_sample(self) -> None:
        sample = self._bundled.parent / "texts" / TEXT
        if not call_with_model(
            self.playground, self._bundled, lambda: self.tasks.start(self._measure_sample(sample), "source")
        ):
            self.foot.say(BUSY)

    async def _measure_sample(self, sample: Path) -> None:
        await self._read(partial(source.read, sample), sample.name)
        self.start()

    def start_example(self) -> None:
        """Compare the demo model with a 4-bit copy of it, which is created first and deleted when the program ends."""
        demo, model = self._bundled / DEMO, self.playground.state.model
        if self.foot.is_running:
            return
        if model is None or model.folder != demo:
            self.foot.say(tr("This example measures the demo model: open it first."))
            return
        self.foot.say(tr("Creating a 4-bit copy of demo…"))
        if not self.tasks.is_running("example"):
            self.tasks.start(self._run_example(demo), "example")

    async def _run_example(self, demo: Path) -> None:
        if self._example is None:
            self._example = tempfile.TemporaryDirectory(prefix="sluice-", ignore_cleanup_errors=True)
        copy = Path(self._example.name) / COPY
        if not copy.exists():
            self._conversion = Conversion(demo)
            made = await self.tasks.try_in_thread(_convert, self._conversion, copy)
            if isinstance(made, Failure):
                self.foot.show_failure(made)
                return
        await self._read(partial(source.read, self._bundled.parent / "texts" / TEXT), TEXT)
        await self._show_models()
        if not self.foot.is_running:
            self._against.show_value(str(copy))
            self._on_edited()
            self.start()

    # The results.

    def _on_prefill_advanced(self, read: Prefill) -> None:
        if self.foot.is_running and self.playground.state.phase is not Phase.STOPPING:
            self._first = first = self._first or read
            words, fresh, left = tr("{done} of {total} tokens"), read.done - first.done, ""
            if fresh > 0:
                words = tr("{done} of {total} tokens, {left} left")
                left = duration((read.at - first.at) / fresh * (read.total - read.done))
            words = words.format(done=f"{read.done:,}", total=f"{read.total:,}", left=left)
            self.show_progress(words, read.done, read.total)

    def _on_measured(self, outcome: object) -> None:
        """Show the result; `outcome`: None, Failure or Cancellation."""
        measurement = self._measurement
        if measurement is None or self._measured is None:
            return
        self.show_progress(None)
        against = self._against.itemText(max(0, self._against.findData(self._measured[0].against)))
        names = (self._measured[2].full_name, against)
        setup, text, model = self._measured
        of = (setup.raw, text, model)
        self.tasks.start(self._show_findings(measurement, names, outcome is None, of), "findings")
        if not isinstance(outcome, Cancellation) or isinstance(measurement, CacheMeasurement):
            self.discard()
        self._on_edited()
        if isinstance(outcome, Failure):
            self.foot.show_failure(outcome)

    async def _show_findings(
        self,
        measurement: PerplexityMeasurement | CacheMeasurement,
        names: tuple[str, str],
        whole: bool,
        of: tuple[object, ...],
    ) -> None:
        """Show the findings, after those of other comparisons of the same text and model."""
        fresh = await self.tasks.in_thread(_findings, measurement, names, whole)
        if fresh:
            earlier = self._shown[1] if self._shown[0] == of else ()
            self._shown = of, collected(earlier, fresh)
            self.results.show_findings(*self._shown[1])
            self._pages.setCurrentIndex(1)

    def _lay_out(self, theme: Theme) -> None:
        for each in (self._source_label, self._caches, self._needles):
            each.hide()
        form = in_column(
            (self._text, 1),
            self._source_label,
            in_row(self._file, self._session, ...),
            self._way,
            field_label(theme, tr("Model"), self._model),
            self._model,
            field_label(theme, tr("Compare with"), self._against),
            self._against,
            self._caches,
            self._needles,
            self.foot,
            margins=(0, 0, GAP_PX, 0),
        )
        left = layout_widget(form)
        scaled(theme, left, QWidget.setMinimumWidth, LEAST_FORM_PX)
        sizes = (theme.scaled(HALVES_PX[0]), theme.scaled(HALVES_PX[1]))
        in_column(split(Qt.Orientation.Horizontal, left, self._pages, sizes), on=self, margins=MARGIN_PX)


def _measurement(setup: PerplexitySetup, text: Text, model: Model) -> PerplexityMeasurement | CacheMeasurement:
    """Return the measurement. Raises ValueError if the KV caches are not in their notation."""
    prompt = source.prompt_of(text, setup.raw) if isinstance(text, str) else text
    own = LoadRequest(str(model.folder), adapter=model.opened_by.adapter)
    if setup.caches is not None:
        return CacheMeasurement(CacheJob(prompt, own, parse_variants(setup.caches), DEPTHS if setup.needles else ()))
    return PerplexityMeasurement(PerplexityJob(prompt, own, LoadRequest(setup.against) if setup.against else None))


# On a thread.


def _read_session(journal: Journal, session: SessionId) -> ChatPrompt | Failure:
    journal.flush()
    whole = journal.sessions.whole(session)
    if whole is None:
        return Failure(tr("This session was deleted."), tr("Choose another one."), kind="file")
    return source.conversation(whole, whole.title)


def _convert(conversion: Conversion, copy: Path) -> QuantizationOutcome | Failure:
    with closing(conversion):
        return conversion.convert(QuantizationSettings(4), copy)


def _findings(
    measurement: PerplexityMeasurement | CacheMeasurement, names: tuple[str, str], whole: bool
) -> list[PerplexityFindings]:
    """Return the findings of each KV cache, or of the models; none if nothing was measured."""
    if isinstance(measurement, CacheMeasurement):
        caches = measurement.result()
        return cache_findings(caches, whole) if caches is not None else []
    result = measurement.result()
    return [findings(result, names, whole)] if result is not None else []
