"""The card of a tool call that waits for its result."""

import json
from collections.abc import Sequence

from PySide6.QtWidgets import QFrame

from app.bridge.conversation import waiting_calls
from app.bridge.playground import Playground
from app.engine.tools import ANY_RESULT, CANNED, why_no_call
from app.engine.types import Role
from app.files.json_values import json_object
from app.i18n import tr
from app.state import Phase, State
from app.ui.look import GAP_PX, MARGIN_PX, Size, Theme
from app.ui.widgets import ProseField, SmallPrint, in_column, in_row, named, plain_label, push_button
from app.ui.widgets.plain_text import keep_byte_order_mark

LINES_SHOWN = 2
MAX_LINES, MAX_LINE_CHARACTERS = 6, 120
HINT = tr("Type the tool's result. Sluice runs no tools.")


class CallCard(QFrame):
    """The card of the first waiting call with its arguments. Sends the result that the user types.

    Typed results are preserved until the window closes, also while another conversation is shown.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "call", tr("Tool call"))
        self._playground: Playground | None = None
        self._typed: dict[tuple[int, int], str] = {}
        self._current = (0, 0)
        """Id of the answer, and index of its call."""
        self._example_text = ""
        self._title = plain_label("call_title", font=theme.font(Size.NORMAL, bold=True), wraps=True)
        self._arguments = plain_label("call_arguments", font=theme.font(Size.SMALL, mono=True), wraps=True)
        self._check = SmallPrint(theme, "call_fits")
        spoken, font = tr("Result of the tool"), theme.font(Size.SMALL, mono=True)
        self._field = ProseField(theme, "call_result", LINES_SHOWN, spoken, HINT, hint=HINT, font=font)
        tip = tr("Insert an example result, which you can edit")
        self._example = push_button("call_example", tr("Use an example"), tip, kind="small", press=self._use_example)
        tip = tr("Send this result to the model, which continues with it")
        self._send = push_button("call_send", tr("Send result"), tip, kind="primary", press=self._answer)
        parts = (self._title, self._arguments, self._check, self._field, in_row(self._example, ..., self._send))
        in_column(*parts, on=self, gap=GAP_PX, margins=(MARGIN_PX, GAP_PX, MARGIN_PX, GAP_PX))
        self._field.textChanged.connect(self._on_typed)
        self.hide()

    def follow(self, playground: Playground) -> None:
        """Show the calls of this playground's conversation from now on."""
        self._playground = playground
        playground.follow(("turns", "phase", "controls"), self._show)

    def _show(self, state: State) -> None:
        turns = state.turns if state.phase is Phase.READY else ()
        if waiting := waiting_calls(turns):
            answer, call = next(turn for turn in reversed(turns) if turn.role is Role.ASSISTANT), waiting[0]
            count = len(answer.calls)
            self._current = answer.id, count - len(waiting) + 1
            words = tr("The model calls {name}, {number} of {of}") if count > 1 else tr("The model calls {name}")
            self.show_call(
                words.format(name=call.name, number=self._current[1], of=count),
                [
                    f"{name}: {json.dumps(value, ensure_ascii=False)}"
                    for name, value in json_object(call.arguments).items()
                ],
                why_no_call(call, state.controls.tools),
                CANNED.get(call.name, ANY_RESULT),
            )
            return
        wrong = [call.wrong for run in turns[-1].runs for call in run.finish.calls if call.wrong] if turns else []
        self.show_call(tr("The model's call can't be parsed") if wrong else "", wrong="\n".join(wrong[:1]))

    def show_call(self, title: str, arguments: Sequence[str] = (), wrong: str = "", example: str = "") -> None:
        """Show a call. Without a title the card is hidden; without an example no result can be given."""
        self._example_text = example
        self._title.setText(title)
        lines = [
            line if len(line) <= MAX_LINE_CHARACTERS else f"{line[:MAX_LINE_CHARACTERS]}…"
            for line in arguments[:MAX_LINES]
        ]
        self._arguments.setText("\n".join((*lines, *("…" for _ in arguments[MAX_LINES : MAX_LINES + 1]))))
        self._arguments.setVisible(bool(arguments))
        self._check.say(wrong or tr("The arguments match the tool's description."), "warning" if wrong else "muted")
        for part in (self._field, self._example, self._send):
            part.setVisible(bool(example))
        typed = self._typed.get(self._current, "") if example else ""
        self._field.show_text(typed)
        self._send.setEnabled(bool(typed.strip()))
        self.setVisible(bool(title))

    def _on_typed(self) -> None:
        text = self._field.toPlainText()
        self._send.setEnabled(bool(text.strip()))
        self._typed[self._current] = keep_byte_order_mark(text)

    def _use_example(self) -> None:
        self._field.setPlainText(self._example_text)
        self._field.setFocus()

    def _answer(self) -> None:
        current, result = self._current, keep_byte_order_mark(self._field.toPlainText()).strip()
        if self._playground is not None and self._playground.submit_tool_result(result):
            self._typed.pop(current, None)
