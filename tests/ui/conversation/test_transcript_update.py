"""The difference of two conversations, as calls of a transcript."""

from dataclasses import replace
from typing import cast

import pytest
from PySide6.QtCore import QObject

from app.bridge import conversation
from app.engine.types import Channel, Role, VisibleText, WeightFormat
from app.state import Turn
from app.ui.conversation.transcript import Transcript
from app.ui.conversation.transcript_update import TranscriptUpdate
from app.ui.document.turns import ONLY, Branch
from tests.ui.conversation.runs import run

Call = tuple[object, ...]
ASKED = conversation.with_user((), "Hello")
OPEN = conversation.with_open_answer(ASKED)
ANSWERED = conversation.with_run(OPEN, run())
REOPENED = conversation.reopen_answer(ANSWERED)
TWICE = conversation.with_run(conversation.with_open_answer(conversation.with_user(ANSWERED, "More")), run())


class Recorder(QObject):
    """Records the calls in place of a Transcript."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Call] = []
        self.writers: dict[int, str] = {}

    def remove_from(self, index: int) -> None:
        self.calls.append(("remove_from", index))

    def add_turn(
        self, index: int, role: Role, content: object, ending: str = "", branch: Branch = ONLY, writer: str = ""
    ) -> None:
        self.writers[index] = writer
        self.calls.append(("add_turn", index, role, content, bool(ending)))

    def begin_answer(self, index: int, branch: Branch = ONLY, writer: str = "") -> None:
        self.writers[index] = writer
        self.calls.append(("begin_answer", index))

    def continue_answer(self) -> None:
        self.calls.append(("continue_answer",))

    def end_answer(self, ending: str, reasoning_tokens: int = 0) -> None:
        self.calls.append(("end_answer", bool(ending)))


def said(text: str) -> tuple[VisibleText, ...]:
    return (VisibleText(Channel.NORMAL, text),)


def calls(old: tuple[Turn, ...], new: tuple[Turn, ...]) -> list[Call]:
    transcript = Recorder()
    TranscriptUpdate(cast(Transcript, transcript)).apply(old, new)
    return transcript.calls


QUESTION = ("add_turn", 0, Role.USER, said("Hello"), False)
ANSWER = ("add_turn", 1, Role.ASSISTANT, said("An answer."), True)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ((), (), []),
        ((), OPEN, [("remove_from", 0), QUESTION, ("begin_answer", 1)]),
        (OPEN, ANSWERED, [("end_answer", True)]),
        (ANSWERED, REOPENED, [("continue_answer",)]),
        (REOPENED, conversation.with_run(REOPENED, run()), [("end_answer", True)]),
        (ANSWERED, OPEN, [("remove_from", 1), ("begin_answer", 1)]),
        (ANSWERED, (), [("remove_from", 0)]),
        ((), ANSWERED, [("remove_from", 0), QUESTION, ANSWER]),
        (ANSWERED, ASKED, [("remove_from", 1)]),
        (
            TWICE,
            conversation.delete_turn(TWICE, 0),
            [("remove_from", 0), ("add_turn", 0, Role.USER, said("More"), False), ANSWER],
        ),
    ],
)
def test_apply_changes_only_the_difference(old: tuple[Turn, ...], new: tuple[Turn, ...], expected: list[Call]) -> None:
    assert calls(old, new) == expected


def test_content_has_reasoning_before_the_answer() -> None:
    thought = (*ASKED, replace(ANSWERED[1], reasoning="Hm."))
    assert calls(ASKED, thought)[1][3] == (VisibleText(Channel.REASONING, "Hm."), *said("An answer."))


def test_answer_by_another_model_is_marked() -> None:
    quantized = replace(run(), format=WeightFormat("float16", bits=4))
    asked = conversation.with_user(TWICE, "And?")
    turns = conversation.with_run(conversation.with_open_answer(asked), quantized)
    transcript = Recorder()
    update = TranscriptUpdate(cast(Transcript, transcript))
    update.apply((), turns)
    assert transcript.writers == {0: "", 1: "", 2: "", 3: "", 4: "", 5: "demo, 4-bit"}
    for open_model, marked in (("demo", "demo"), ("demo, 4-bit", "")):
        update.open_model = open_model
        update.apply(turns, conversation.with_open_answer(conversation.with_user(turns, "Go on")))
        assert transcript.writers[7] == marked
