"""Calls of tools that wait for a result: the card of the first of them, and the conversation that goes on with it."""

import json

from PySide6.QtCore import QObject

from app.bridge.conversation import waiting_calls
from app.bridge.playground import Playground
from app.engine.tools import ANY_RESULT, CANNED, why_no_call
from app.engine.types import Role
from app.files.json_values import json_object
from app.i18n import tr
from app.state import Phase, State
from app.ui.conversation.call_card import CallCard


class CallsController(QObject):
    """What was typed for a call stays as long as the window, also while another conversation is in sight."""

    def __init__(self, playground: Playground, card: CallCard, parent: QObject) -> None:
        super().__init__(parent)
        self._playground, self._card = playground, card
        self._typed: dict[tuple[int, int], str] = {}
        self._present = (0, 0)
        playground.changed.connect(self._on_changed)
        card.edited.connect(self._keep)
        card.answered.connect(self._answer)

    def _on_changed(self, old: State, new: State) -> None:
        if (old.turns, old.phase, old.controls.tools) != (new.turns, new.phase, new.controls.tools):
            self._show(new)

    def _show(self, state: State) -> None:
        turns = state.turns if state.phase is Phase.READY else ()
        if waiting := waiting_calls(turns):
            answer, call = next(turn for turn in reversed(turns) if turn.role is Role.ASSISTANT), waiting[0]
            of = len(answer.calls)
            self._present = answer.id, of - len(waiting) + 1
            words = tr("The model calls {name}, {number} of {of}") if of > 1 else tr("The model calls {name}")
            given = json_object(call.arguments).items()
            self._card.show_call(
                words.format(name=call.name, number=self._present[1], of=of),
                [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in given],
                why_no_call(call, state.controls.tools),
                CANNED.get(call.name, ANY_RESULT),
                self._typed.get(self._present, ""),
            )
            return
        calls = [call for run in turns[-1].runs for call in run.finish.calls if call.wrong] if turns else []
        title = tr("The model's call can't be read") if calls else ""
        self._card.show_call(title, wrong="\n".join(call.wrong for call in calls[:1]))

    def _keep(self, text: str) -> None:
        self._typed[self._present] = text

    def _answer(self, text: str) -> None:
        place = self._present
        if self._playground.give_result(text.strip()):
            self._typed.pop(place, None)
