"""The window of an answer's inspections: logit lens, attention patterns, residual stream and prompt attribution."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Signal
from PySide6.QtGui import QImage, QImageWriter, QPixmap
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from app.bridge.playground import Playground
from app.definitions import meaning
from app.engine.types import AblationUnit, HiddenStates, Prefill, of_answer
from app.i18n import tr
from app.records.inspection_results import JsonObject, attribution_json, lens_json, states_json
from app.state import Phase
from app.ui.interpretability import ATTENTION, LADDER, MATRIX, STATES, WORDS
from app.ui.interpretability.attention_page import AttentionPage
from app.ui.interpretability.attribution_tab import AttributionTab
from app.ui.interpretability.hidden_states_tab import HiddenStatesTab
from app.ui.interpretability.inspections import Ablation, AnswerToken, Inspections
from app.ui.interpretability.lens_cells import csv_of
from app.ui.interpretability.lens_page import LensPage
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.study_window import BUSY, NO_MODEL, SAMPLE_PROMPT, StudyWindow, call_with_model
from app.ui.tokens.text import NOWHERE
from app.ui.widgets import OneLine, ScrollColumn, SmallPrint, files, in_column, in_row, named, push_button
from app.ui.widgets.empty_page import EmptyPage, draw_cells

TITLES = {
    LADDER: tr("Logit Lens"),
    ATTENTION: tr("Attention Patterns"),
    STATES: tr("Residual Stream"),
    WORDS: tr("Prompt Attribution"),
}
VIEW_NAMES = {
    LADDER: tr("logit lens"),
    ATTENTION: tr("attention heads"),
    MATRIX: tr("attention pattern"),
    STATES: tr("residual stream"),
    WORDS: tr("prompt attribution"),
}
MEANINGS = {
    LADDER: tr(
        "Logit lens: the hidden state after each layer, decoded with the final norm and LM head. Line: the layer from "
        "which on the sampled token stays the top token."
    ),
    ATTENTION: tr("Attention pattern: the weights from each token (row) to the earlier ones (columns), for one head."),
    STATES: tr("Residual stream: the hidden state after each layer at the selected token."),
    WORDS: meaning("attribution"),
}
KINDS = {".png": tr("Picture"), ".csv": tr("Table"), ".json": tr("All data")}
NO_ANSWER = tr(
    "The logit lens of an answer appears here: the most likely token after each layer, for each token. Other tabs show "
    "attention patterns, the residual stream and the effect of each part of the prompt."
)
NOT_YET = tr("Press “Compute All Views” for the logit lens, attention patterns, residual stream and attribution.")
COMPUTING = tr("Computing the attention pattern of this head…")
ALL_COMPUTED = tr("All views of this token are computed.")
NO_TOKENS = tr("There is no answer with recorded tokens.")
COPY_SCALE = 2
MATRIX_PX = 420
MAX_CHARACTERS = 200


class InterpretabilityWindow(StudyWindow):
    """Shows the results of `inspections` for the selected token's answer, or else for the last answer."""

    fork_wanted = Signal(int, int, int)
    """Index of the turn, place of the token, id of the new token."""
    token_picked = Signal(int, int)
    """Index of the turn, and place of the token."""
    try_wanted = Signal()

    def __init__(
        self, playground: Playground, inspections: Inspections, theme: Theme, bundled: Path, parent: QWidget
    ) -> None:
        tip = tr("Logit lens, attention, hidden states and attribution of the answer; the conversation doesn't change")
        super().__init__(playground, theme, parent, "inside", tr("Inside the Model"), tip)
        self._inspections, self._bundled = inspections, bundled
        self._is_sample = False
        """Whether all views are computed once the sample's answer has come."""
        self._title = named(OneLine(), "inside_answer", font=theme.font(Size.NORMAL, bold=True))
        self._lens, self._attention = LensPage(theme), AttentionPage(theme)
        self._states = HiddenStatesTab(theme, "inside_window", MATRIX_PX)
        self.words = AttributionTab(theme, "inside_window")
        self._empty = EmptyPage(
            theme, "inside_empty", NO_ANSWER, draw_cells, tr("Send a short prompt, and compute all views of its answer")
        )
        self._tabs = named(QTabWidget(documentMode=True), "inside_tabs", tr("Views"))
        self._pages = dict[str, QWidget]()
        self._missing = dict[str, SmallPrint]()
        self._shown = dict[str, object]()
        """The shown results of states and attribution."""
        self._progress = "", 0, 0
        self._stack = QStackedWidget()
        tip = tr("Save this view: picture, table or all data")
        self._export = push_button("inside_export", tr("Export…"), tip, press=self._ask_export)
        self._lay_out(theme)
        self._listen()

    def start(self) -> None:
        self.begin(self._compute)

    def refresh(self) -> None:
        """Show the answer and its results."""
        if not self.isVisible():
            return
        subject = self._inspections.subject
        if subject is None:
            self._inspections.read_last()
        has_results = subject is not None and self._inspections.inspected_turn == subject.turn
        self._title.setText(self._describe(subject))
        self._empty.say(NO_ANSWER if subject is None else NOT_YET)
        self._empty.offer_sample(subject is None)
        self._stack.setCurrentIndex(int(has_results))
        if has_results:
            for kind in TITLES:
                self._show(kind)
        self.enable()

    def enable(self) -> None:
        state, subject = self.playground.state, self._inspections.subject
        why = "" if state.phase is Phase.READY else NO_MODEL if state.phase is Phase.EMPTY else BUSY
        if state.model is not None:
            why = state.model.can.refusal("ids") or why
        why_not = why or ("" if subject is not None else NO_TOKENS)
        if subject is not None and self._inspections.is_complete(subject, self._part):
            why_not = why or ALL_COMPUTED
        self.foot.allow(not why_not, state.phase is Phase.STOPPING, why_not)
        self.foot.label_start(tr("Compute All Views"))
        self._lens.set_unavailable(why)
        self.words.set_can_try(not why)
        self._export.setEnabled(self._stack.currentIndex() == 1 and self._has_result(self._kind))
        if self._is_sample and state.phase is Phase.READY:
            self._is_sample = False
            if not why and subject is not None:
                self.start()

    @property
    def _kind(self) -> str:
        return list(TITLES)[max(0, self._tabs.currentIndex())]

    def _lay_out(self, theme: Theme) -> None:
        states, words = ScrollColumn("inside_states_scroll"), ScrollColumn("inside_words_scroll")
        for scroll, parts in ((states, (self._states,)), (words, (self.words.chooser, self.words))):
            within = QWidget()
            in_column(*parts, ..., on=within, margins=(0, GAP_PX, GAP_PX, 0))
            scroll.setWidget(within)
        self._pages |= {LADDER: self._lens, ATTENTION: self._attention, STATES: states, WORDS: words}
        for kind, page in self._pages.items():
            missing = self._missing[kind] = SmallPrint(theme, f"inside_missing_{kind}", "text")
            holder = QWidget()
            in_column(missing, (page, 1), on=holder, margins=(0, GAP_PX, 0, 0))
            self._tabs.addTab(holder, TITLES[kind])
            self._tabs.setTabToolTip(self._tabs.count() - 1, MEANINGS[kind])
        for each in (self._empty, self._tabs):
            self._stack.addWidget(each)
        above = in_row((self._title, 1), self._export)
        in_column(above, (self._stack, 1), self.foot, on=self, margins=MARGIN_PX)

    def _listen(self) -> None:
        inspections = self._inspections
        inspections.token_changed.connect(self.refresh)
        inspections.forgotten.connect(self._forget)
        inspections.arrived.connect(self.refresh)
        inspections.progressed.connect(self._on_progressed)
        self.playground.prefill_advanced.connect(self._on_prefill)
        self.playground.traces.changed.connect(self.refresh)
        self.playground.follow(("turns",), lambda _: self.refresh())
        self._empty.sample_wanted.connect(self._run_sample)
        self._tabs.currentChanged.connect(self.enable)
        self._lens.fork_wanted.connect(self._ask_fork)
        self._lens.place_picked.connect(self._pick)
        self._attention.head_wanted.connect(self._pick_head)
        self.words.try_wanted.connect(self.try_wanted)
        self.words.parts_changed.connect(self.enable)

    # Computing.

    @property
    def _part(self) -> AblationUnit | range:
        return self.words.part or AblationUnit.SENTENCE

    def _compute(self) -> bool:
        return self._inspections.compute_all(self._part)

    def _run_sample(self) -> None:
        if not call_with_model(self.playground, self._bundled, self._send_sample):
            self.foot.say(BUSY)

    def _send_sample(self) -> None:
        self._is_sample = self.playground.send(SAMPLE_PROMPT)

    def _on_progressed(self, kind: str, done: int, total: int) -> None:
        if kind:
            self._progress = tr("Computing: {view}").format(view=VIEW_NAMES[kind]), done, total
            self.show_progress(*self._progress)
        else:
            self.show_progress(None)
            self.refresh()

    def _on_prefill(self, read: Prefill) -> None:
        if self._inspections.is_computing and self.playground.state.phase is not Phase.STOPPING:
            words, done, total = self._progress
            tokens = tr("{done} of {total} tokens").format(done=f"{read.done:,}", total=f"{read.total:,}")
            self.show_progress(f"{words} · {tokens}", done, total)

    # Showing.

    def _describe(self, token: AnswerToken | None) -> str:
        if token is None:
            return ""
        turn, model = self.playground.state.turns[token.index], self.playground.state.model
        text = " ".join((turn.text or turn.reasoning).split())[:MAX_CHARACTERS]
        name = turn.runs[-1].model if turn.runs else model.name if model is not None else ""
        return tr("Answer of {model}: “{text}”").format(model=name, text=text)

    def _has_result(self, kind: str) -> bool:
        results, subject = self._inspections.results, self._inspections.subject
        if subject is None:
            return False
        known = {
            LADDER: bool(results.lens),
            ATTENTION: self._inspections.map_token(subject).place in results.attention,
            STATES: subject.place in results.states,
            WORDS: results.ablation is not None,
        }
        return known[kind]

    def _show(self, kind: str) -> None:
        """Show the result of a view, or why there is none."""
        subject, results = self._inspections.subject, self._inspections.results
        assert subject is not None
        has_result = self._has_result(kind)
        failure = results.failures.get(kind)
        missing = failure.sentence if failure is not None else NOT_YET
        self._missing[kind].say("" if has_result else missing)
        self._pages[kind].setVisible(has_result or kind == WORDS)
        if not has_result:
            return
        known = results.ablation
        if kind == LADDER and (found := results.lens_result()) is not None:
            self._lens.show_lens(found, results.start, subject.place, self._inspections.token_count(subject))
        elif kind == ATTENTION:
            place = self._inspections.map_token(subject).place
            self._attention.show_attention(*results.attention[place], self._inspections.best_head(place))
            self._show_matrix()
        elif kind == STATES and self._is_new(kind, results.states[subject.place][1]):
            self._states.show_states(*results.states[subject.place], results.start)
        elif kind == WORDS and known is not None:
            if self._is_new(kind, known):
                self.words.show_found(known.prompt, known.unit, known.found, known.place)
            self.words.show_place(subject.place)

    def _is_new(self, kind: str, result: object) -> bool:
        before, self._shown[kind] = self._shown.get(kind), result
        return before is not result

    def _show_matrix(self) -> None:
        """Show the matrix of the selected head; compute it if it isn't known."""
        inspections, subject, head = self._inspections, self._inspections.subject, self._attention.head
        if subject is None or head is None:
            return
        token = inspections.map_token(subject)
        matrix = inspections.results.matrices.get((token.place, head))
        failure = inspections.results.failures.get(MATRIX)
        is_free = self.playground.state.phase is Phase.READY and not inspections.is_computing
        if matrix is not None:
            self._attention.show_matrix(matrix)
        elif failure is not None:
            self._attention.show_missing(failure.sentence, is_coming=False)
        else:
            self._attention.show_missing(COMPUTING if is_free else BUSY, is_coming=True)
            if is_free:
                inspections.request_matrix(token, head)

    def _pick_head(self) -> None:
        self._inspections.results.failures.pop(MATRIX, None)
        self._show_matrix()

    def _forget(self) -> None:
        self._shown.clear()
        self._lens.forget()
        self._attention.forget()
        self.words.show_found(None, None, None, NOWHERE)
        self.refresh()

    def _pick(self, place: int) -> None:
        if (subject := self._inspections.subject) is not None:
            self.token_picked.emit(subject.index, place)

    def _ask_fork(self, place: int, token: int) -> None:
        if (subject := self._inspections.subject) is not None:
            self.fork_wanted.emit(subject.index, place, token)

    # Export.

    def _ask_export(self) -> None:
        """Offer the current view as it is now."""
        kind = self._kind
        image = picture_of(self._tabs.currentWidget()).toImage()
        texts: files.Texts = {".png": partial(png, image), ".csv": self._csv(kind), ".json": self._json(kind)}
        self.export(tr("Export the View"), TITLES[kind], KINDS, texts)

    def _csv(self, kind: str) -> Callable[[], str]:
        if kind == LADDER and self._lens.found is not None:
            return partial(csv_of, *self._lens.found)
        if kind == ATTENTION:
            return self._attention.as_csv
        return self._states.as_csv if kind == STATES else self.words.as_csv

    def _json(self, kind: str) -> Callable[[], str]:
        make = self._attention.as_json
        if kind == LADDER and self._lens.found is not None:
            make = partial(lens_json, self._lens.found[0])
        elif isinstance(states := self._shown.get(kind), HiddenStates):
            make = partial(states_json, states)
        elif isinstance(known := self._shown.get(kind), Ablation):
            make = partial(_attribution, known)
        return lambda: json.dumps(make(), ensure_ascii=False, allow_nan=False) + "\n"


def _attribution(known: Ablation) -> JsonObject:
    return {"parts": attribution_json(known.prompt, known.found, of_answer)}


def picture_of(widget: QWidget) -> QPixmap:
    """Return the widget with twice as many pixels."""
    picture = QPixmap(widget.size() * COPY_SCALE)
    picture.setDevicePixelRatio(COPY_SCALE)
    widget.render(picture)
    return picture


def png(image: QImage) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(content.data())
