"""What is asked: a set, its rows, and how a row becomes a prompt."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QWidget

from app.evaluation.shipped import Shipped
from app.evaluation.types import PromptSet, Template
from app.i18n import tr
from app.ui.evaluation.rows import TOKENS, RowsTable, set_columns, short
from app.ui.look import GAP_PX, GRID_PX, Size, Theme
from app.ui.look.sizes import show_lines
from app.ui.widgets import (
    PlainText,
    SegmentedChoice,
    SmallPrint,
    caption,
    emptied,
    field_label,
    heading,
    held,
    in_column,
    in_row,
    named,
    plain_label,
    push_button,
    split,
)
from app.ui.widgets.naming import as_caption

EMPTY = tr(
    "Run every prompt of a table with several models or settings, check the answers, and test whether "
    "the difference is significant."
)
HOW = tr(
    "Drop a file here: CSV, JSONL or JSON with a column “prompt”, and “expected” where an answer can be right or "
    "wrong; or a folder of texts."
)
CHAT, RAW = "chat", "raw"
WAYS = {CHAT: tr("Chat"), RAW: tr("Raw")}
TIPS = {CHAT: tr("Through the chat template"), RAW: tr("As it stands, without the chat template")}
CHIPS = 6
"""So many columns have a button that puts them in."""
NAME_LENGTH = 18
PARTS_PX = (240, 200)
HALVES_PX = (460, 460)


class SetPage(QWidget):
    """`edited` when the template is another; the row that its `table` has chosen is seen as it will be sent."""

    file_wanted, folder_wanted, edited = Signal(), Signal(), Signal()
    shipped_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title = plain_label("sets_title", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._notes = SmallPrint(theme, "sets_notes", "warning")
        tip = tr("The rows of the set: the one under the cursor is shown below as it will be sent")
        self.table = RowsTable(theme, "sets_rows", tr("Rows of the set"), tip)
        self.prompt, self.system = PlainText(), PlainText()
        self.expected = named(QLineEdit(), "sets_expected", tr("Expected"), tr("What the check holds an answer to"))
        named(self.prompt, "sets_prompt", tr("Prompt of a row"), tr("{column} stands for what a row has there"))
        named(self.system, "sets_system", tr("System prompt of a row"), tr("Said before each prompt; may stay empty"))
        self._way = SegmentedChoice("sets_way", tr("How a row is sent"), WAYS, TIPS)
        self._chips = QHBoxLayout()
        self._columns: tuple[str, ...] = ()
        self._last: PlainText | QLineEdit = self.prompt
        self._wrong = SmallPrint(theme, "sets_template_wrong", "error")
        self._preview = _preview(theme)
        self._starters = QHBoxLayout()
        self._pages = QStackedWidget()
        self._lay_out()
        self._listen()

    def offer(self, shipped: Sequence[Shipped]) -> None:
        """The sets that came with the program."""
        emptied(self._starters)
        for each in shipped:
            words = as_caption(each.title)
            button = push_button(f"sets_shipped_{each.file}", words, each.told, each.title)
            button.clicked.connect(lambda _=False, each=each: self.shipped_wanted.emit(each))
            told = plain_label("", each.told, muted=True, wraps=True)
            told.setAlignment(Qt.AlignmentFlag.AlignTop)
            self._starters.addLayout(in_column(button, (told, 1), gap=GRID_PX), 1)

    def show_set(
        self, prompts: PromptSet, template: Template, counts: Mapping[int, int | None], most: Callable[[], int]
    ) -> None:
        """In place of the one that was there. `counts` fills as tokens are counted; `most` is the open model's."""
        size = tr("%n rows", "%n row", len(prompts.rows))
        self._title.setText(f"{short(prompts.title)} · {size}")
        self._notes.say("\n".join(prompts.notes[:3]))
        self._columns = prompts.columns
        self.show_template(template)
        self._show_chips()

        def marked(row: int, name: str) -> bool:
            return name == TOKENS and row in counts and (counts[row] or most()) >= most()

        self.table.show_rows((), ())
        self.table.show_rows(range(len(prompts.rows)), set_columns(prompts, counts, most), marked)
        self._pages.setCurrentIndex(1)

    def template(self) -> Template:
        """As it stands."""
        words = self.prompt.toPlainText(), self.system.toPlainText(), self.expected.text()
        return Template(*words, raw=self._way.choice == RAW)

    def show_template(self, template: Template) -> None:
        """Set it, telling nobody."""
        for field, text in ((self.prompt, template.prompt), (self.system, template.system)):
            field.show_text(text)
        self.expected.setText(template.expected)
        self._way.show_choice(RAW if template.raw else CHAT)
        self.system.setEnabled(not template.raw)

    def show_preview(self, text: str, wrong: str = "") -> None:
        """The row under the cursor as it will be sent, or what keeps it from that."""
        self._preview.setPlainText(text)
        self._wrong.say(wrong)

    def allow(self, allowed: bool) -> None:
        """Nothing is another while it is asked."""
        fields: tuple[QWidget, ...] = (self.prompt, self.expected, self._way, self._bar)
        for each in fields:
            each.setEnabled(allowed)
        self.system.setEnabled(allowed and self._way.choice == CHAT)

    def _show_chips(self) -> None:
        emptied(self._chips)
        self._chips.addWidget(caption(self._theme, tr("Put in:")))
        for at, name in enumerate(self._columns[:CHIPS]):
            words = name if len(name) <= NAME_LENGTH else f"{name[:NAME_LENGTH]}…"
            tip = tr("Put this column in at the cursor")
            chip = push_button(f"sets_chip_{at}", as_caption(words), tip, name, kind="tiny")
            chip.clicked.connect(partial(self._put_in, name))
            self._chips.addWidget(chip)
        self._chips.addStretch(1)

    def _put_in(self, name: str, _pressed: bool = False) -> None:
        field, words = self._last, f"{{{name}}}"
        if isinstance(field, QLineEdit):
            field.insert(words)
            self.edited.emit()
        else:
            field.insertPlainText(words)
        field.setFocus()

    def _remember(self, field: PlainText | QLineEdit, *_places: int) -> None:
        self._last = field

    @Slot()
    def _tell(self) -> None:
        self.system.setEnabled(self._way.choice == CHAT)
        self.edited.emit()

    def _listen(self) -> None:
        for field in (self.prompt, self.system):
            field.setTabChangesFocus(True)
            field.textChanged.connect(self.edited)
            field.cursorPositionChanged.connect(partial(self._remember, field))
        self.expected.textEdited.connect(self.edited)
        self.expected.cursorPositionChanged.connect(partial(self._remember, self.expected))
        self._way.chosen.connect(self._tell)

    def _lay_out(self) -> None:
        theme = self._theme
        tip = tr("A set of a file: CSV, TSV, JSONL, JSON, a text with a prompt on each line, or a session")
        self.file = push_button("sets_file", tr("Open File…"), tip, press=self.file_wanted)
        tip = tr("A set of the text files of a folder")
        folder = push_button("sets_folder", tr("Open Folder…"), tip, press=self.folder_wanted)
        self._bar = held(in_row(self.file, folder, ...))
        why = plain_label("sets_empty", EMPTY, wraps=True)
        how = plain_label("sets_how", HOW, muted=True, wraps=True)
        came = heading(theme, tr("Sets that came with the program"))
        empty = held(in_column(why, how, GAP_PX, came, self._starters, ..., margins=(0, GAP_PX, 0, 0)))
        show_lines(theme, self.system, 2)
        fields = in_column(
            in_row(field_label(theme, tr("Prompt"), self.prompt), ..., self._way),
            (self.prompt, 1),
            self._chips,
            field_label(theme, tr("System prompt"), self.system),
            self.system,
            in_row(field_label(theme, tr("Expected"), self.expected), (self.expected, 1)),
            gap=GRID_PX,
            margins=(0, GAP_PX, GRID_PX, 0),
        )
        seen = in_column(
            field_label(theme, tr("As it will be sent"), self._preview),
            self._wrong,
            (self._preview, 1),
            gap=GRID_PX,
            margins=(GRID_PX, GAP_PX, 0, 0),
        )
        below = split(Qt.Orientation.Horizontal, held(fields), held(seen), HALVES_PX)
        above = held(in_column(self._title, self._notes, (self.table, 1), gap=GRID_PX))
        self._pages.addWidget(empty)
        self._pages.addWidget(split(Qt.Orientation.Vertical, above, below, PARTS_PX))
        in_column(self._bar, (self._pages, 1), on=self, margins=(0, GAP_PX, 0, 0))


def _preview(theme: Theme) -> PlainText:
    pane = PlainText(readOnly=True, tabChangesFocus=True)
    tip = tr("The prompt of the row under the cursor, through the template of the model")
    return named(pane, "sets_preview", tr("As it will be sent"), tip, font=theme.font(Size.NORMAL))
