"""Shows the stop-string check of a reply token by token: text is held back while a stop string may have begun."""

from collections.abc import Callable, Sequence
from functools import partial, reduce

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics
from PySide6.QtWidgets import QDialog, QSizePolicy, QWidget

from app.bridge.playground import Playground
from app.definitions import meaning, meanings
from app.engine.stop_strings import NO_MARKERS, Markers, ReplyReader
from app.engine.types import Failure, PromptSource, RawPrompt, TokenPrompt
from app.experiments.questions.stops import StopTraceStep, readings
from app.i18n import tr
from app.records.types import TurnId
from app.state import Run, State
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, TextSizeFollower, Theme, show_lines
from app.ui.tokens.words import legible
from app.ui.widgets import (
    Column,
    ProseField,
    SegmentedChoice,
    SmallPrint,
    Table,
    TableModel,
    begin_window,
    caption,
    in_column,
    in_row,
    layout_widget,
    plain_label,
    push_button,
)
from app.ui.widgets.diff_view import MarkedText
from app.ui.widgets.escapes import read_lines, written_lines

RUN, TEXT = "run", "text"
SOURCES = {RUN: tr("Last run"), TEXT: tr("Text")}
TIPS = {RUN: tr("The tokens of the last answer"), TEXT: tr("Your own text, split into tokens by the model's tokenizer")}
FIRST_PX = (880, 640)
SMALLEST_PX = (560, 440)
FIELD_LINES, OUTPUT_LINES = 2, 3
PADDING_PX = 3 * GRID_PX
OUTPUT_LENGTH = 160
"""Characters of the released text that are shown."""
SAMPLE_BYTES = "F0 9F 98 8A 20 74"
MOST = 20_000
"""Tokens of a run, or characters of a text, that are shown."""
TYPE = tr("Type a text to split it into tokens.")
NO_MODEL = tr("Open a model first: its tokenizer splits the text.")
LOADING = tr("Loading the tokens…")
KIND = "stop steps"


class StopTraceDialog(QDialog):
    """Shows one step at a time, for the last run or a typed text. It stays open beside the main window."""

    def __init__(self, playground: Playground, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title, spoken = tr("Stop Strings and Characters, Step by Step"), tr("Stop strings and characters, step by step")
        begin_window(theme, self, "stop_steps", title, FIRST_PX, SMALLEST_PX, spoken)
        self._playground, self._theme = playground, theme
        self._run: Run | None = None
        self._tokens: Sequence[tuple[int, str]] = ()
        self._pieces: tuple[bytes, ...] = ()
        self._source = SegmentedChoice("steps_source", tr("Source of the tokens"), SOURCES, TIPS)
        tip, font = tr("A text to split into tokens"), theme.font(Size.NORMAL, mono=True)
        self._text = ProseField(theme, "steps_text", FIELD_LINES, tr("Text"), tip, font=font)
        tip = tr("One per line; \\n is a newline. Runs don't change")
        self._strings = ProseField(theme, "steps_strings", FIELD_LINES, tr("Stop strings"), tip, font=font)
        self._typed = _labeled(theme, tr("Text"), self._text)
        self._output = OutputPane(theme)
        self._words = SmallPrint(theme, "steps_words", "text")
        self._words.setToolTip(meanings("number", "id"))
        self._words.setFont(theme.font(Size.NORMAL))
        self._model = StepsModel(theme)
        self._table = Table(theme, self._model, "steps_table", tr("Steps"), tr("The arrow keys move between steps"))
        self._table.horizontalHeader().setStretchLastSection(True)
        TextSizeFollower(theme, self._table, partial(_fit_columns, theme))
        self._place = plain_label("steps_where", tip=meaning("number"))
        self._previous = push_button(
            "steps_previous", tr("‹ &Previous"), tr("Previous step"), press=lambda: self._go(self._at() - 1)
        )
        self._next = push_button("steps_next", tr("&Next ›"), tr("Next step"), press=lambda: self._go(self._at() + 1))
        tip = tr("Next step at which text is held back")
        self._next_held = push_button(
            "steps_next_held", tr("Next &held back"), tip, press=lambda: self._go(self._after(self._at()))
        )
        self._close = push_button("steps_close", tr("Close"), tr("Close (Esc)"), press=self.close)
        self._lay_out()
        self._source.chosen.connect(self._choose)
        self._text.textChanged.connect(self._split)
        self._strings.textChanged.connect(self._show)
        self._table.selectionModel().currentRowChanged.connect(lambda: self._show_step())
        playground.traces.changed.connect(self._on_trace_changed)
        playground.changed.connect(self._on_changed)

    def show_last(self) -> None:
        """Show the last run with its stop strings, or a typed text if there is no run."""
        state = self._playground.state
        run = state.last_run
        self._source.allow(RUN, run is not None)
        strings = (run.request if run is not None else state.controls).limits.stop_strings
        self._strings.show_text(written_lines(strings))
        self._source.show_choice(RUN if run is not None else TEXT)
        self._choose()

    def _choose(self) -> None:
        self._typed.setVisible(self._source.choice == TEXT)
        if self._source.choice == TEXT:
            self._split()
        else:
            self._read_run()

    def _read_run(self) -> None:
        """Show the tokens of the last run, with their bytes if the open model is the same."""
        state = self._playground.state
        run = self._run = self._playground.load_full(state.last_run) if state.last_run is not None else None
        self._tokens, self._pieces = (self._tokens_of(run, state) if run is not None else ()), ()
        self._playground.tasks.cancel(KIND)
        if run is not None and self._tokens and state.model is not None and state.model.name == run.model:
            self._ask(TokenPrompt(tuple(token for token, _ in self._tokens)))
        self._show()

    def _tokens_of(self, run: Run, state: State) -> Sequence[tuple[int, str]]:
        """Return the tokens without the EOS token, or none while they are read from the database."""
        turn = state.turns[-1]
        trace = self._playground.traces.of(turn.id)
        if trace is None:
            self._playground.traces.want(turn)
            return ()
        positions = trace.positions(len(turn.runs) - 1)
        own = positions[max(0, len(positions) - len(run.ids)) :]
        text = own[:-1] if run.finish.stop_id is not None else own
        return [(token.id, token.text) for token in map(trace.token, text[:MOST])]

    def _split(self) -> None:
        text = self._text.toPlainText()
        self._tokens, self._pieces = (), ()
        self._playground.tasks.cancel(KIND)
        if text and self._playground.state.model is not None:
            self._ask(RawPrompt(text[:MOST]))
        self._show()

    def _ask(self, source: PromptSource) -> None:
        self._playground.tasks.start(self._show_pieces(source), KIND)

    async def _show_pieces(self, source: PromptSource) -> None:
        answer = await self._playground.token_texts(source)
        if not isinstance(answer, Failure):
            if self._source.choice == TEXT:
                self._tokens = [(each.id, each.text) for each in answer]
            self._pieces = tuple(each.piece for each in answer)
            self._show()
        elif self._source.choice == TEXT:
            self.show_steps((), answer.sentence)

    def _on_trace_changed(self, turn: TurnId) -> None:
        """Show the tokens of this turn, read from the database."""
        turns = self._playground.state.turns
        is_waiting = self.isVisible() and self._source.choice == RUN and not self._tokens
        if is_waiting and turns and turns[-1].id == turn and turns[-1].runs:
            self._read_run()

    def _on_changed(self, old: State, new: State) -> None:
        if not self.isVisible():
            return
        self._source.allow(RUN, new.last_run is not None)
        if self._source.choice == TEXT and new.model is not old.model:
            self._split()
        elif self._source.choice == RUN and new.last_run is not None and new.last_run is not old.last_run:
            self._read_run()

    def _show(self) -> None:
        steps = readings(self._tokens, self._reader(read_lines(self._strings.toPlainText())), self._pieces)
        self.show_steps(steps, "" if steps else self._explain_nothing())

    def _reader(self, strings: tuple[str, ...]) -> ReplyReader:
        run = self._run if self._source.choice == RUN else None
        if run is None or run.prompt is None:
            return ReplyReader(strings)
        marks = run.on.reasoning if run.on is not None else None
        reader = ReplyReader.behind(run.prompt, strings, Markers.reasoning(*marks) if marks else NO_MARKERS)
        reader.resume("".join(run.prompt.begun))
        return reader

    def _explain_nothing(self) -> str:
        is_typed = self._source.choice == TEXT
        if is_typed and self._playground.state.model is None:
            return NO_MODEL
        return TYPE if is_typed and not self._text.toPlainText() else LOADING

    def show_steps(self, steps: tuple[StopTraceStep, ...], words: str) -> None:
        """Show the first step with held back text, or the same step of equal tokens; `words` if there are no steps."""
        at = self._at()
        is_same = [step.id for step in steps] == [step.id for step in self._model.rows]
        self._model.show_rows(steps)
        self._words.say(words)
        first = next((position for position, step in enumerate(steps) if step.held or step.waiting), 0)
        self._go(at if is_same and at >= 0 else first)

    def _at(self) -> int:
        return self._table.currentIndex().row()

    def _after(self, at: int) -> int:
        """Return the next step at which text is held back, or `at` if there is none."""
        steps = self._model.rows
        return next(
            (position for position in range(at + 1, len(steps)) if steps[position].held or steps[position].stop), at
        )

    def _go(self, at: int) -> None:
        if 0 <= at < len(self._model.rows):
            self._table.selectRow(at)
            self._table.scrollTo(self._model.index(at, 0))
        self._show_step()

    def _show_step(self) -> None:
        steps, at = self._model.rows, self._at()
        has_step = 0 <= at < len(steps)
        self._output.show_steps(steps[: at + 1] if has_step else ())
        if has_step:
            self._words.say(step_words(steps[at]))
        step_text = tr("Step {step} of {all}").format(step=f"{at + 1:,}", all=f"{len(steps):,}")
        self._place.setText(step_text if has_step else "")
        self._place.setAccessibleName(self._place.text())
        self._previous.setEnabled(has_step and at > 0)
        self._next.setEnabled(has_step and at < len(steps) - 1)
        self._next_held.setEnabled(has_step and self._after(at) != at)

    def _lay_out(self) -> None:
        self._place.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        strings = _labeled(self._theme, tr("Stop strings, one per line"), self._strings)
        in_column(
            (self._source, 0, Qt.AlignmentFlag.AlignLeft),
            in_row((self._typed, 1), (strings, 1), gap=MARGIN_PX),
            _labeled(self._theme, tr("Output"), self._output),
            self._words,
            (self._table, 1),
            in_row(self._previous, self._next, self._next_held, self._place, self._close),
            on=self,
            margins=MARGIN_PX,
        )


class OutputPane(MarkedText):
    """The output after a step: released text, then held back text underlined, or a stop string struck through."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "steps_so_far", tr("Output"), tr("Released text, then text that is held back"))
        show_lines(theme, self, OUTPUT_LINES)
        self._steps: Sequence[StopTraceStep] = ()
        theme.changed.connect(self._show_again)

    def show_steps(self, steps: Sequence[StopTraceStep]) -> None:
        """Show the output after the last of these steps."""
        self._steps = steps
        if not steps:
            self.clear()
            self.setAccessibleName(tr("No output"))
            return
        last, out = steps[-1], "".join(step.shown for step in steps)
        begin, out = "…" if len(out) > OUTPUT_LENGTH else "", out[-OUTPUT_LENGTH:]
        held_part = (legible(last.stop or last.held), Color.ERROR if last.stop else Color.MUTED, bool(last.stop))
        waiting = f" [{hexadecimal(last.waiting)} …]" if last.waiting else ""
        self.write(((f"{begin}{out}", None, False), held_part, (waiting, None, False)))
        self.setAccessibleName(_spoken(out, last))

    @Slot()
    def _show_again(self) -> None:
        self.show_steps(self._steps)


def _text_column(title: str, tip: str, text: Callable[[StopTraceStep], str]) -> Column[StopTraceStep]:
    return Column(title, title, text, tip, number=False, sample="characters")


def _number(step: StopTraceStep) -> str:
    return tr("end") if step.id is None else f"{step.token:,}"


def _stop(step: StopTraceStep) -> str:
    return f"■ {_quoted(step.stop)}" if step.stop else _either(step.begins)


HELD = _text_column(tr("Held back"), tr("Generated, but not released yet"), lambda step: legible(step.held))
STOP = _text_column(tr("Stop string"), tr("The stop string that may have begun; ■ if it is complete"), _stop)
COLUMNS: tuple[Column[StopTraceStep], ...] = (
    Column("number", tr("Token", "index"), _number, meaning("number"), sample="10,000"),
    Column("id", tr("Id"), lambda step: "" if step.id is None else f"{step.id}", meaning("id"), sample="200000"),
    Column(
        "bytes", tr("Bytes"), lambda step: hexadecimal(step.piece), meaning("bytes"), number=False, sample=SAMPLE_BYTES
    ),
    _text_column(tr("Completes"), tr("The characters that the token completes"), lambda step: legible(step.text)),
    _text_column(tr("Released"), tr("Text that can be shown now"), lambda step: legible(step.shown)),
    HELD,
    STOP,
)


class StepsModel(TableModel[StopTraceStep]):
    """A row for each step."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(COLUMNS)
        self._theme = theme
        self._set_font()
        theme.resized.connect(self._set_font)

    def font(self, position: int, column: Column[StopTraceStep]) -> QFont:
        return self._mono

    def color(self, position: int, column: Column[StopTraceStep]) -> QColor | None:
        step = self.rows[position]
        if column is HELD and step.held:
            return self._theme.color(Color.MUTED)
        return self._theme.color(Color.ERROR) if column is STOP and step.stop else None

    @Slot()
    def _set_font(self) -> None:
        self._mono = self._theme.font(Size.NORMAL, mono=True)


def step_words(step: StopTraceStep) -> str:
    """Describe the token's effect and the state of its text."""
    if step.id is None:
        words = tr("The reply ends here: {text} did not become a stop string and is released.")
        return words.format(text=_quoted(step.shown))
    sentences = [_token_words(step)]
    if step.stop:
        words = tr("The stop string {text} is complete: the answer ends before it.")
        sentences.append(words.format(text=_quoted(step.stop)))
    elif step.shown:
        sentences.append(tr("{text} is released.").format(text=_quoted(step.shown)))
    if step.held and not step.stop:
        words = tr("{text} is held back: a marker of the reasoning may have begun.")
        if step.begins:
            words = tr("{text} is held back: {strings} may have begun.")
        sentences.append(words.format(text=_quoted(step.held), strings=_either(step.begins)))
    return " ".join(sentences)


def _token_words(step: StopTraceStep) -> str:
    words = tr("Token {token} (id {id}) completes no character.")
    if step.text:
        words = tr("Token {token} (id {id}) completes {text}.")
    sentences = [words.format(token=f"{step.token:,}", id=step.id, text=_quoted(step.text))]
    if step.waiting:
        words = tr(
            "{bytes} wait for the rest of a character.", "{bytes} waits for the rest of a character.", len(step.waiting)
        )
        sentences.append(words.format(bytes=hexadecimal(step.waiting)))
    return " ".join(sentences)


def hexadecimal(piece: bytes) -> str:
    return piece.hex(" ").upper()


def _quoted(text: str) -> str:
    return f"“{legible(text)}”"


def _either(strings: tuple[str, ...]) -> str:
    quoted = [_quoted(string) for string in strings]
    return reduce(lambda one, other: tr("{one} or {other}").format(one=one, other=other), quoted) if quoted else ""


def _spoken(out: str, last: StopTraceStep) -> str:
    parts = [tr("Released: {text}").format(text=out)]
    if last.stop:
        parts.append(tr("stop string: {text}").format(text=legible(last.stop)))
    elif last.held:
        parts.append(tr("held back: {text}").format(text=legible(last.held)))
    if last.waiting:
        parts.append(tr("bytes waiting: {bytes}").format(bytes=hexadecimal(last.waiting)))
    return ", ".join(parts)


def _labeled(theme: Theme, text: str, field: QWidget) -> QWidget:
    return layout_widget(in_column(caption(theme, text, field), field, gap=GRID_PX))


def _fit_columns(theme: Theme, table: Table[StepsModel]) -> None:
    """Make the columns as wide as their samples and titles."""
    titles, cells = table.fontMetrics(), QFontMetrics(theme.font(Size.NORMAL, mono=True))
    table.verticalHeader().setDefaultSectionSize(titles.height() + GAP_PX)
    widths = {}
    for column in COLUMNS:
        width = max(cells.horizontalAdvance(column.sample), titles.horizontalAdvance(column.title))
        widths[column.name] = width + PADDING_PX
    table.set_widths(widths)
