"""The dialog that chooses the columns of prompt, choices and answer, with a preview of a row."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QWidget

from app.evaluation.choice_columns import (
    LETTERS,
    AnswerForm,
    ChoiceColumns,
    RowError,
    choices_in,
    fits,
    suggested_columns,
    why_ambiguous,
)
from app.evaluation.types import PromptSet
from app.i18n import tr
from app.ui.evaluation.rows import seen, short
from app.ui.look import GAP_PX, MARGIN_PX, Theme
from app.ui.widgets import (
    ChoiceBox,
    SmallPrint,
    begin_window,
    button_row,
    field_label,
    in_column,
    in_grid,
    in_row,
    named,
    push_button,
)
from app.ui.widgets.plain_text import reading_pane

FIRST_PX, SMALLEST_PX = (760, 460), (560, 380)
PREVIEWED = 3
"""Rows in the preview."""


class ColumnsDialog(QDialog):
    """Shows the columns of `prompts`. `take` receives the chosen ones."""

    def __init__(self, theme: Theme, parent: QWidget, take: Callable[[ChoiceColumns], None]) -> None:
        super().__init__(parent)
        begin_window(theme, self, "choice_columns", tr("Choice Columns"), FIRST_PX, SMALLEST_PX)
        self._take = take
        self.prompts: PromptSet | None = None
        tip = tr("The column with the question")
        self._prompt = ChoiceBox("columns_prompt", tr("Prompt"), tip, narrow=True)
        tip = tr("One column with a list of choices, or several columns with one choice each, in order")
        self._choices = named(QListWidget(), "columns_choices", tr("Choices"), tip)
        tip = tr("The column that names the right choice")
        self._answer = ChoiceBox("columns_answer", tr("Answer"), tip, narrow=True)
        forms = {each: each.words for each in AnswerForm}
        tip = tr("How the column names the right choice")
        self._form = ChoiceBox("columns_form", tr("The answer is"), tip, forms, narrow=True)
        tip = tr("The first rows with these columns; ✓ is the right choice")
        self._preview = reading_pane(theme, "columns_preview", tr("Preview"), tip)
        self._error = SmallPrint(theme, "columns_wrong", "error")
        tip = tr("Convert the set, and score its choices by log-likelihood")
        self._use = push_button("columns_use", tr("Use Columns"), tip, kind="primary", press=self._use_columns)
        close = push_button("columns_close", tr("Cancel"), tr("Leave the set unchanged (Esc)"), press=self.close)
        for box in (self._answer, self._form):
            box.activated.connect(lambda: self._show())
        self._prompt.activated.connect(lambda: self._suggest())
        self._choices.itemChanged.connect(lambda: self._suggest())
        boxes = (self._prompt, self._choices, self._answer, self._form)
        fields = in_grid(*((field_label(theme, each.accessibleName(), each), each) for each in boxes), wide={1: 1})
        shown = in_column(field_label(theme, tr("Preview"), self._preview), (self._preview, 1))
        parts = in_row((fields, 1), (shown, 1)), self._error, button_row(close, self._use)
        in_column((parts[0], 1), *parts[1:], on=self, gap=GAP_PX, margins=MARGIN_PX)

    def show_set(self, prompts: PromptSet) -> None:
        """Show the columns of a set, with the suggested ones chosen."""
        self.prompts = prompts
        chosen, names = suggested_columns(prompts), {name: short(name) for name in prompts.columns}
        for box, value in ((self._prompt, chosen.prompt), (self._answer, chosen.answer)):
            box.show_entries(names)
            box.show_value(value)
        self._form.show_value(chosen.form)
        with QSignalBlocker(self._choices):
            self._choices.clear()
            for name, words in names.items():
                item = QListWidgetItem(words)
                item.setData(Qt.ItemDataRole.UserRole, name)
                item.setCheckState(Qt.CheckState.Checked if name in chosen.choices else Qt.CheckState.Unchecked)
                self._choices.addItem(item)
        self._show()

    def show_error(self, words: str) -> None:
        self._error.say(words)

    @property
    def columns(self) -> ChoiceColumns:
        items = [self._choices.item(at) for at in range(self._choices.count())]
        checked = (each for each in items if each.checkState() is Qt.CheckState.Checked)
        choices = tuple(str(each.data(Qt.ItemDataRole.UserRole)) for each in checked)
        form = AnswerForm(self._form.currentData())  # Qt returns its text
        return ChoiceColumns(self._prompt.currentData(), choices, self._answer.currentData(), form)

    def _suggest(self) -> None:
        """Suggest the answer for these choices, unless the chosen one fits them."""
        prompts, columns = self.prompts, self.columns
        if prompts is not None and columns.choices and not fits(prompts, columns):
            found = suggested_columns(prompts, columns.prompt, columns.choices)
            self._answer.show_value(found.answer)
            self._form.show_value(found.form)
        self._show()

    def _show(self) -> None:
        prompts, columns = self.prompts, self.columns
        assert prompts is not None
        texts, error = [], ""
        for row in range(min(PREVIEWED, len(prompts.rows))):
            values = prompts.values(row)
            lines = [short(values[columns.prompt])]
            try:
                choices, expected = choices_in(values, columns)
            except RowError as wrong:
                error = error or tr("Row {row}: {reason}").format(row=row + 1, reason=wrong)
            else:
                marks = ("✓" if each == expected else "  " for each in choices)
                lines += [
                    f"{mark} {letter}. {short(each)}"
                    for mark, letter, each in zip(marks, LETTERS, choices, strict=False)
                ]
            texts.append("\n".join(lines))
        self._preview.setPlainText(seen("\n\n".join(texts)))
        self._error.say(error or why_ambiguous(prompts, columns), "error" if error else "warning")
        self._use.setEnabled(not error)

    def _use_columns(self) -> None:
        self._take(self.columns)
