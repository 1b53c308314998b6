"""Puts the difference between two conversations onto the transcript: what stands already is left alone."""

from __future__ import annotations

from app.bridge.state import Turn
from app.engine.types import Role, Shown, Voice
from app.widgets.transcript import Transcript
from app.window.endings import line_of

Turns = tuple[Turn, ...]


class ConversationView:
    """Applies turns to the transcript. The text of an open answer comes in frames, not from here."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript

    def apply(self, old: Turns, new: Turns) -> None:
        """Make the transcript show `new`, given that it shows `old`."""
        same = _same(old, new)
        if same == len(new) - 1 == len(old) - 1 and old[-1].open and not new[-1].open:
            self._transcript.end_answer(_ending(new[-1]), _reasoning_tokens(new[-1]))
        elif same == len(new) - 1 == len(old) - 1 and new[-1].open and new[-1].runs and old[-1].runs == new[-1].runs:
            self._transcript.continue_answer()
        elif new != old:
            self._replace(same, new)

    def _replace(self, same: int, new: Turns) -> None:
        self._transcript.remove_from(same)
        for index, turn in enumerate(new[same:], start=same):
            if turn.open:
                self._transcript.begin_answer(index)
            else:
                self._transcript.add_turn(index, turn.role, _content(turn), _ending(turn))


def _same(old: Turns, new: Turns) -> int:
    """How many turns at the beginning are the very same."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one is not other:
            break
        count += 1
    return count


def _content(turn: Turn) -> tuple[Shown, ...]:
    reasoning = (Shown(Voice.REASONING, turn.reasoning),) if turn.reasoning else ()
    return (*reasoning, Shown(Voice.NORMAL, turn.text)) if turn.text else reasoning


def _ending(turn: Turn) -> str:
    return line_of(turn.runs[-1]) if turn.role is Role.ASSISTANT and turn.runs else ""


def _reasoning_tokens(turn: Turn) -> int:
    return sum(run.summary.figures.reasoning for run in turn.runs)
