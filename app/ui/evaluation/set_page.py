"""The prompt set: its rows, the template that makes prompts of them, and a preview."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QWidget

from app.bridge.playground_base import RenderPrompt
from app.engine.ranges import LARGEST_SEED, NumberRange
from app.engine.types import ChatPrompt, ExactPrompt, Failure, RawPrompt
from app.evaluation.estimates import TokenCounts, row_counts
from app.evaluation.known_tests import MOST_SHOTS
from app.evaluation.reading import SUFFIXES, IncludedPromptSet
from app.evaluation.templates import counts, missing, prompt_of, why_missing
from app.evaluation.types import FewShotExamples, PromptSet, Template
from app.i18n import tr
from app.state import Phase
from app.ui.evaluation.rows import TOKENS, RowsTable, seen, set_columns, short
from app.ui.evaluation.variants_page import Take
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.look.sizes import show_lines
from app.ui.study_window import StudyWindow
from app.ui.widgets import (
    PlainText,
    SegmentedChoice,
    SmallPrint,
    WholeField,
    caption,
    clear_layout,
    field_label,
    files,
    heading,
    in_column,
    in_row,
    layout_widget,
    named,
    plain_label,
    push_button,
    split,
)
from app.ui.widgets.empty_page import EmptyPage, draw_dots
from app.ui.widgets.naming import as_caption
from app.ui.widgets.plain_text import reading_pane

EMPTY = tr(
    "Run every prompt of a table with several models or settings, check the answers, and test whether "
    "the difference is significant."
)
HOW = tr(
    "Drop a CSV, JSONL or JSON file here, or a folder of texts. A column “prompt” is needed; a column “expected” "
    "allows checks."
)
CHAT, RAW = "chat", "raw"
WAYS = {CHAT: tr("Chat"), RAW: tr("Raw")}
TIPS = {CHAT: tr("Through the chat template"), RAW: tr("Unchanged, without the chat template")}
KINDS = tr("Prompt sets ({kinds});;All files (*)").format(kinds=" ".join(f"*{each}" for each in SUFFIXES))
MOST_CHIPS = 6
"""Columns that have a button."""
NAME_LENGTH = 18
PARTS_PX = (240, 200)
HALVES_PX = (460, 460)
REST_MS = 300
"""Tokens are counted after a pause in typing of this length."""
ENDLESS_CONTEXT = 2**31
SHOTS, SHOTS_SEED = NumberRange(1, MOST_SHOTS, 5, whole=True), NumberRange(-1, LARGEST_SEED, 0, whole=True)
"""A seed of -1 stands for the first rows."""
COUNTING, PREVIEW = "set counts", "set preview"


class SetPage(QWidget):
    """Shows a set, previews the current row, and counts the tokens of each prompt.

    `take` returns a function that adds the first variant's system prompt and reply prefix; `on_edited` is called when
    the template changes, `on_counted` with the tokens of all prompts, or None while they are unknown.
    `add_examples` puts few-shot examples of a file before the prompt, with a seed, or None for the first rows.
    `choose_columns` and `find_tests` open their dialogs.
    """

    def __init__(
        self,
        theme: Theme,
        window: StudyWindow,
        take: Callable[[], Take],
        on_edited: Callable[[], None],
        on_counted: Callable[[TokenCounts | None], None],
        open_shipped: Callable[[IncludedPromptSet], None],
        add_examples: Callable[[int, int | None, Path], None],
        choose_columns: Callable[[], None],
        find_tests: Callable[[], None],
    ) -> None:
        super().__init__()
        self._theme, self._window, self._take = theme, window, take
        self._on_edited, self._on_counted = on_edited, on_counted
        self._open_shipped, self._add_examples = open_shipped, add_examples
        self._choose_columns, self._find_tests = choose_columns, find_tests
        self._prompts: PromptSet | None = None
        self._few_shots: FewShotExamples | None = None
        self._counts: dict[int, int | None] = {}
        self._title = plain_label("sets_title", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._notes = SmallPrint(theme, "sets_notes", "text")
        tip = tr("The rows of the set. The one under the cursor is previewed below")
        self.table = RowsTable(theme, "sets_rows", tr("Rows of the set"), tip)
        self.prompt, self.system = PlainText(), PlainText()
        tip = tr("The value that the check compares the answer with")
        self.expected = named(QLineEdit(), "sets_expected", tr("Expected"), tip)
        named(self.prompt, "sets_prompt", tr("Prompt of a row"), tr("{column} is replaced by the row's value"))
        tip = tr("The system prompt of each row; can be empty")
        named(self.system, "sets_system", tr("System prompt of a row"), tip)
        self._way = SegmentedChoice("sets_way", tr("Prompt of a row"), WAYS, TIPS)
        self._chips = QHBoxLayout()
        self._last: PlainText | QLineEdit = self.prompt
        """The field that had the cursor last."""
        self._shots = WholeField("sets_shots", SHOTS)
        named(self._shots, "sets_shots", tr("Few-shot examples"), tr("Number of examples before each prompt"))
        self._shots_seed = WholeField("sets_shots_seed", SHOTS_SEED, tr("First rows"))
        tip = tr("Seed for a random choice of examples, or the first rows of the file")
        named(self._shots_seed, "sets_shots_seed", tr("Seed of the examples"), tip)
        self._error = SmallPrint(theme, "sets_template_wrong", "error")
        tip = tr("The prompt of the row under the cursor, with the chat template applied")
        self._preview = reading_pane(theme, "sets_preview", tr("Preview"), tip)
        self._starters = QHBoxLayout()
        tip = tr("Evaluate the first rows of a bundled set")
        self.empty = EmptyPage(theme, "sets_empty", EMPTY, draw_dots, tip)
        self._pages = QStackedWidget()
        self._later = QTimer(self, singleShot=True, interval=REST_MS)
        self._later.timeout.connect(self._count)
        # The page is painted before its rows are, since both together take long.
        self._filling = QTimer(self, singleShot=True, interval=0)
        self._filling.timeout.connect(self._show_rows)
        self._lay_out()
        self._listen()

    def show_included(self, shipped: Sequence[IncludedPromptSet]) -> None:
        """Add buttons for the bundled sets."""
        clear_layout(self._starters)
        for each in shipped:
            words = as_caption(each.title)
            button = push_button(f"sets_shipped_{each.file}", words, each.description, each.title)
            button.clicked.connect(lambda _=False, each=each: self._open_shipped(each))
            about = plain_label("", each.description, muted=True, wraps=True)
            about.setAlignment(Qt.AlignmentFlag.AlignTop)
            self._starters.addLayout(in_column(button, (about, 1), gap=GRID_PX), 1)

    def show_set(self, prompts: PromptSet, template: Template) -> None:
        size = tr("%n rows", "%n row", len(prompts.rows))
        self._title.setText(f"{short(prompts.title)} · {size}")
        self._prompts, self._counts = prompts, {}
        self.show_template(template)
        self._show_chips(prompts.columns)
        self.table.show_rows((), ())
        self._filling.start()
        self._pages.setCurrentIndex(1)
        self._columns.setVisible(len(prompts.columns) > 1)

    def _show_rows(self) -> None:
        if (prompts := self._prompts) is not None:
            known = self._counts

            def has_no_room(row: int, name: str) -> bool:
                return name == TOKENS and row in known and (known[row] or self._most()) >= self._most()

            self.table.show_rows(range(len(prompts.rows)), set_columns(prompts, known, self._most), has_no_room)

    def template(self) -> Template:
        words = self.prompt.toPlainText(), self.system.toPlainText(), self.expected.text()
        return Template(*words, raw=self._way.choice == RAW, examples=self._few_shots)

    def show_template(self, template: Template) -> None:
        """Set the fields without signals."""
        for field, text in ((self.prompt, template.prompt), (self.system, template.system)):
            field.show_text(text)
        self.expected.setText(template.expected)
        self._way.show_choice(RAW if template.raw else CHAT)
        self._show_examples(template.examples)
        self.system.setEnabled(not template.raw)

    def _show_examples(self, examples: FewShotExamples | None) -> None:
        self._few_shots = examples
        notes = self._prompts.notes[:3] if self._prompts is not None else ()
        self._notes.say("\n".join((*notes, *([examples.note] if examples else []))))
        self._no_shots.setVisible(examples is not None)

    def _remove_examples(self) -> None:
        self._show_examples(None)
        self._on_edited()

    def renew(self) -> None:
        """Update preview and counts after a change that affects every prompt."""
        if self._prompts is not None:
            self._window.playground.tasks.cancel(COUNTING)
            self._on_counted(None)
            self._show_row()
            self._later.start()

    def resume_count(self) -> None:
        """Count the missing tokens, since the engine is free again."""
        if self._prompts is not None and len(self._counts) < len(self._prompts.rows):
            self._later.start()

    def allow(self, allowed: bool) -> None:
        fields: tuple[QWidget, ...] = (self.prompt, self.expected, self._way, self._bar, self._examples)
        for each in fields:
            each.setEnabled(allowed)
        self.system.setEnabled(allowed and self._way.choice == CHAT)

    def add_examples(self, path: Path) -> None:
        seed = self._shots_seed.value()
        self._add_examples(self._shots.value(), None if seed < 0 else seed, path)

    def _show_chips(self, columns: Sequence[str]) -> None:
        clear_layout(self._chips)
        self._chips.addWidget(caption(self._theme, tr("Insert:")))
        for at, name in enumerate(columns[:MOST_CHIPS]):
            words = name if len(name) <= NAME_LENGTH else f"{name[:NAME_LENGTH]}…"
            tip = tr("Insert this column at the cursor")
            chip = push_button(f"sets_chip_{at}", as_caption(words), tip, name, kind="tiny")
            chip.clicked.connect(partial(self._put_in, name))
            self._chips.addWidget(chip)
        self._chips.addStretch(1)

    def _put_in(self, name: str, _pressed: bool = False) -> None:
        field, words = self._last, f"{{{name}}}"
        if isinstance(field, QLineEdit):
            field.insert(words)
            self._on_edited()
        else:
            field.insertPlainText(words)
        field.setFocus()

    def _remember(self, field: PlainText | QLineEdit, *_places: int) -> None:
        self._last = field

    def _choose_way(self) -> None:
        self.system.setEnabled(self._way.choice == CHAT)
        self._on_edited()

    def _listen(self) -> None:
        for field in (self.prompt, self.system):
            field.setTabChangesFocus(True)
            field.textChanged.connect(lambda: self._on_edited())
            field.cursorPositionChanged.connect(partial(self._remember, field))
        self.expected.textEdited.connect(lambda: self._on_edited())
        self.expected.cursorPositionChanged.connect(partial(self._remember, self.expected))
        self._way.chosen.connect(lambda: self._choose_way())
        self.table.chosen.connect(lambda: self._show_row())

    # Preview and token counts.

    def _most(self) -> int:
        """Return the number of tokens that leave no room for an answer."""
        model = self._window.playground.state.model
        return (model.context if model is not None else 0) or ENDLESS_CONTEXT

    def _show_row(self) -> None:
        row = self.table.row
        if self._prompts is not None and row is not None:
            self._window.playground.tasks.start(self._show_preview(self._prompts, row, self.template()), PREVIEW)

    async def _show_preview(self, prompts: PromptSet, row: int, template: Template) -> None:
        """Show the messages at once, and the rendered template as soon as the engine is free."""
        source, playground = self._take()(prompt_of(template, prompts.values(row))), self._window.playground
        wrong = why_missing(missing(template, prompts.columns))
        self._preview.setPlainText(_messages(source))
        self._error.say(wrong)
        if wrong or playground.state.phase is not Phase.READY:
            return
        found = await playground.tokenize(source)
        if isinstance(found, Failure):
            self._preview.setPlainText(_messages(source))
            self._error.say(found.sentence)
        else:
            self._preview.setPlainText(seen(found.text))
            self._error.say("")

    def _count(self) -> None:
        is_free = self._window.playground.state.phase is Phase.READY
        if self._prompts is not None and self._window.isVisible() and is_free:
            self._counts.clear()
            self.table.renew(0, len(self._prompts.rows) - 1)
            self._window.playground.tasks.start(self._count_all(self._prompts, self.template()), COUNTING)

    async def _count_all(self, prompts: PromptSet, template: Template) -> None:
        """Count a few rows at a time, so that the engine can do other work in between."""
        known, playground = self._counts, self._window.playground
        counter, total = _TokenCounter(self._take()), TokenCounts()
        while len(known) < len(prompts.rows):
            if playground.state.phase is not Phase.READY:
                return
            start = len(known)
            found = await playground.render_prompts(partial(counter.count, prompts, template, start))
            for row, each in enumerate(found, start):
                known[row] = each.prompt if each is not None else None
                total += each or TokenCounts()
            self.table.renew(start, len(known) - 1)
        self._on_counted(total if None not in known.values() else None)

    def _lay_out(self) -> None:
        theme, window = self._theme, self._window
        tip = tr("Open CSV, TSV, JSONL, JSON, a text file with one prompt per line, or a session")
        self.file = push_button("sets_file", tr("Open File…"), tip)
        title = tr("Open a Prompt Set")
        self.file.clicked.connect(lambda: files.ask_file(window, title, KINDS, window.take_file))
        tip = tr("Open a folder of text files as a set")
        folder = push_button("sets_folder", tr("Open Folder…"), tip)
        folder.clicked.connect(lambda: files.ask_folder(window, tr("A Folder of Texts"), window.take_file))
        tip = tr("Download a file of a known test from the Hugging Face hub")
        tests = push_button("sets_hub", tr("Known Tests…"), tip, press=self._find_tests)
        tip = tr("Choose the columns of prompt, choices and answer")
        self._columns = push_button("sets_columns", tr("Choice Columns…"), tip, press=self._choose_columns)
        self._columns.hide()
        self._bar = layout_widget(in_row(self.file, folder, tests, self._columns, ...))
        how = plain_label("sets_how", HOW, muted=True, wraps=True)
        came = heading(theme, tr("Bundled prompt sets"))
        parts = (self.empty, 1), how, GAP_PX, came, self._starters
        empty = layout_widget(in_column(*parts, margins=(0, GAP_PX, 0, 0)))
        show_lines(theme, self.system, 2)
        tip = tr("Choose the file of the examples, such as the training split of a test")
        choose = push_button("sets_shots_file", tr("Add Examples…"), tip)
        title_of_examples = tr("A File of Examples")
        choose.clicked.connect(lambda: files.ask_file(window, title_of_examples, KINDS, self.add_examples))
        self._no_shots = push_button("sets_shots_remove", tr("Remove"), tr("Remove the examples"))
        self._no_shots.clicked.connect(lambda: self._remove_examples())
        self._no_shots.hide()
        label = field_label(theme, tr("Few-shot examples"), self._shots)
        self._shots.show_value(int(SHOTS.neutral))
        self._shots_seed.show_value(int(SHOTS_SEED.minimum))
        self._examples = layout_widget(in_row(label, self._shots, self._shots_seed, choose, self._no_shots, ...))
        fields = in_column(
            in_row(field_label(theme, tr("Prompt"), self.prompt), ..., self._way),
            (self.prompt, 1),
            self._chips,
            field_label(theme, tr("System prompt"), self.system),
            self.system,
            in_row(field_label(theme, tr("Expected"), self.expected), (self.expected, 1)),
            self._examples,
            gap=GRID_PX,
            margins=(0, GAP_PX, GRID_PX, 0),
        )
        seen = in_column(
            field_label(theme, tr("Preview"), self._preview),
            self._error,
            (self._preview, 1),
            gap=GRID_PX,
            margins=(GRID_PX, GAP_PX, 0, 0),
        )
        below = split(Qt.Orientation.Horizontal, layout_widget(fields), layout_widget(seen), HALVES_PX)
        above = layout_widget(in_column(self._title, self._notes, (self.table, 1), gap=GRID_PX))
        self._pages.addWidget(empty)
        self._pages.addWidget(split(Qt.Orientation.Vertical, above, below, PARTS_PX))
        in_column(self._bar, (self._pages, 1), on=self, margins=(0, GAP_PX, 0, 0))


class _TokenCounter:
    """Counts the tokens of rows in order, on the engine thread."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._before: tuple[int, ...] = ()

    def count(
        self, prompts: PromptSet, template: Template, start: int, render: RenderPrompt
    ) -> tuple[TokenCounts | None, ...]:
        """Return the tokens of the next rows; None for a row whose prompt can't be rendered."""

        def of_row(prompt: ChatPrompt | RawPrompt, values: Mapping[str, str]) -> TokenCounts | None:
            found = render(self._take(prompt))
            if not isinstance(found, ExactPrompt):
                return None
            before, self._before = self._before, found.ids
            return row_counts(found.ids, before, values)

        return counts(prompts, template, of_row, start)


def _messages(source: ChatPrompt | RawPrompt) -> str:
    """Return the prompt without the chat template."""
    if isinstance(source, RawPrompt):
        return seen(source.text)
    line = tr("{role}: {text}")
    return seen("\n\n".join(line.format(role=each.role.words, text=each.text) for each in source.messages))
