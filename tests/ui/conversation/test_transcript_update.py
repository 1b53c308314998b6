"""The difference of two conversations, on a transcript that only remembers what it was asked."""

from dataclasses import replace
from typing import cast

import pytest

from app.bridge import conversation
from app.engine.types import Channel, Role, VisibleText
from app.state import Turn
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.transcript_update import TranscriptFilling, TranscriptUpdate
from app.ui.document.turns import ONLY, Branch
from tests.ui.conversation.runs import run

Call = tuple[object, ...]
ASKED = conversation.with_user((), "Hello")
OPEN = conversation.with_open_answer(ASKED)
ANSWERED = conversation.with_run(OPEN, run())
TWICE = conversation.with_run(conversation.with_open_answer(conversation.with_user(ANSWERED, "More")), run())


class Remembering:
    """Stands where a Transcript does."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def remove_from(self, index: int) -> None:
        self.calls.append(("remove_from", index))

    def add_turn(self, index: int, role: Role, content: object, ending: str = "", branch: Branch = ONLY) -> None:
        self.calls.append(("add_turn", index, role, content, bool(ending)))

    def begin_answer(self, index: int, branch: Branch = ONLY) -> None:
        self.calls.append(("begin_answer", index))

    def continue_answer(self) -> None:
        self.calls.append(("continue_answer",))

    def end_answer(self, ending: str, reasoning_tokens: int = 0) -> None:
        self.calls.append(("end_answer", bool(ending)))


class Unused:
    """Stands where a Filling does, which short conversations don't need."""

    def finish(self) -> None: ...

    def drop(self) -> None: ...


def said(text: str) -> tuple[VisibleText, ...]:
    return (VisibleText(Channel.NORMAL, text),)


def calls(old: tuple[Turn, ...], new: tuple[Turn, ...]) -> list[Call]:
    transcript = Remembering()
    TranscriptUpdate(cast(Transcript, transcript), cast(TranscriptFilling, Unused())).apply(old, new)
    return transcript.calls


QUESTION = ("add_turn", 0, Role.USER, said("Hello"), False)
ANSWER = ("add_turn", 1, Role.ASSISTANT, said("An answer."), True)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ((), (), []),
        ((), OPEN, [("remove_from", 0), QUESTION, ("begin_answer", 1)]),
        (OPEN, ANSWERED, [("end_answer", True)]),
        (ANSWERED, conversation.reopen_answer(ANSWERED), [("continue_answer",)]),
        (
            conversation.reopen_answer(ANSWERED),
            conversation.with_run(conversation.reopen_answer(ANSWERED), run()),
            None,
        ),
        (ANSWERED, OPEN, [("remove_from", 1), ("begin_answer", 1)]),
        (ANSWERED, (), [("remove_from", 0)]),
        ((), ANSWERED, [("remove_from", 0), QUESTION, ANSWER]),
        (ANSWERED, ASKED, [("remove_from", 1)]),
    ],
)
def test_apply_changes_only_the_difference(
    old: tuple[Turn, ...], new: tuple[Turn, ...], expected: list[Call] | None
) -> None:
    assert calls(old, new) == (expected if expected is not None else [("end_answer", True)])


def test_apply_after_deleting_the_first_pair_moves_the_rest_up() -> None:
    assert calls(TWICE, conversation.delete_turn(TWICE, 0)) == [
        ("remove_from", 0),
        ("add_turn", 0, Role.USER, said("More"), False),
        ("add_turn", 1, Role.ASSISTANT, said("An answer."), True),
    ]


def test_content_has_reasoning_before_the_answer() -> None:
    thought = (*ASKED, replace(ANSWERED[1], reasoning="Hm."))
    assert calls(ASKED, thought)[1][3] == (VisibleText(Channel.REASONING, "Hm."), *said("An answer."))
