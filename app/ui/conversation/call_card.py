"""The call of a tool that waits for its result: what the model asks for, whether that fits, a field for the answer."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.i18n import tr
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import ProseField, SmallPrint, in_column, in_row, named, plain_label, push_button
from app.ui.widgets.plain_text import to_the_letter

LINES_SHOWN = 2
MOST_LINES, LONGEST_LINE = 6, 120
HINT = tr("What would the tool answer? Sluice runs no tools.")


class CallCard(QFrame):
    """`edited` with the result as it is typed; `answered` with the whole of it."""

    edited = Signal(str)
    answered = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "call", tr("Call of a tool"))
        self._canned = ""
        self._title = plain_label("call_title", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._arguments = plain_label("call_arguments", font=theme.font(Size.SMALL, mono=True), wraps=True)
        self._fits = SmallPrint(theme, "call_fits")
        spoken, font = tr("Result of the tool"), theme.font(Size.SMALL, mono=True)
        self._field = ProseField(theme, "call_result", LINES_SHOWN, spoken, HINT, hint=HINT, font=font)
        tip = tr("Something that such a tool might give back, to be changed")
        self._example = push_button("call_example", tr("Use an example"), tip, kind="small", press=self._use_example)
        tip = tr("The conversation goes on with this result")
        self._send = push_button("call_send", tr("Give the result"), tip, kind="primary", press=self._answer)
        parts = (self._title, self._arguments, self._fits, self._field, in_row(self._example, ..., self._send))
        in_column(*parts, on=self, gap=GAP_PX, margins=(MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX))
        self._field.textChanged.connect(self._tell)
        self.hide()

    def show_call(
        self, title: str, arguments: Sequence[str] = (), wrong: str = "", example: str = "", typed: str = ""
    ) -> None:
        """No title: there is none. `typed` is its result so far; no `example`: it can be given none."""
        self._canned = example
        self._title.setText(title)
        shown = [line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…" for line in arguments[:MOST_LINES]]
        self._arguments.setText("\n".join((*shown, *("…" for _ in arguments[MOST_LINES : MOST_LINES + 1]))))
        self._arguments.setVisible(bool(arguments))
        self._fits.say(wrong or tr("The arguments match the tool's description."), "warning" if wrong else "muted")
        for part in (self._field, self._example, self._send):
            part.setVisible(bool(example))
        self._field.show_text(typed)
        self._send.setEnabled(bool(typed.strip()))
        self.setVisible(bool(title))

    def _tell(self) -> None:
        text = self._field.toPlainText()
        self._send.setEnabled(bool(text.strip()))
        self.edited.emit(to_the_letter(text))

    def _use_example(self) -> None:
        self._field.setPlainText(self._canned)
        self._field.setFocus()

    def _answer(self) -> None:
        self.answered.emit(to_the_letter(self._field.toPlainText()))
