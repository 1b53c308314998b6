"""A call in the window: the card comes with it, no typed result is lost, and the conversation goes on with the last."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit

from app.engine.echo.engine import EchoEngine
from app.engine.protocol import Emit, StopFlag
from app.engine.tools import EXAMPLE
from app.engine.types import (
    ChatPrompt,
    Failure,
    Finish,
    LoadRequest,
    Model,
    Request,
    Role,
    Stopped,
    ToolCall,
)
from app.state import Phase
from app.ui.conversation.call_card import CallCard
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import QUICK, Desk, act, named

CALLS = (ToolCall("weather", '{"place": "Seoul", "unit": "kelvin"}', "Hello"), ToolCall("clock", '{"zone": "KST"}'))


class Calling(EchoEngine):
    """Each question makes it call twice; what it was asked last stays."""

    asked: ChatPrompt | None = None

    def load(self, request: LoadRequest, emit: Emit, stop: StopFlag) -> Model | Failure | Stopped:
        found = super().load(request, emit, stop)
        return replace(found, can=replace(found.can, tools=True)) if isinstance(found, Model) else found

    def generate(self, request: Request, emit: Emit, stop: StopFlag) -> Finish:
        assert isinstance(request.prompt, ChatPrompt)
        type(self).asked = request.prompt
        finish = super().generate(request, emit, stop)
        return replace(finish, calls=CALLS) if request.prompt.messages[-1].role is Role.USER else finish


@pytest.fixture
def window(desk: Desk) -> MainWindow:
    made = desk.open(knobs=replace(QUICK, replies=("Hello you",)), engine=Calling)
    desk.until(made, Phase.READY)
    controls = made.playground.state.controls
    made.playground.set_controls(replace(controls, tools=EXAMPLE))
    return made


def result(window: MainWindow, text: str) -> None:
    named(window, QPlainTextEdit, "call_result").setPlainText(text)
    named(window, QAbstractButton, "call_send").click()


def test_the_conversation_goes_on_with_the_last_result(window: MainWindow, desk: Desk) -> None:
    card = named(window, CallCard, "call")
    assert card.isHidden()
    desk.send(window, "How is it?")
    assert not card.isHidden()
    assert named(window, QLabel, "call_arguments").text() == 'place: "Seoul"\nunit: "kelvin"'
    assert named(window, QLabel, "call_fits").text() == 'unit: one of ["celsius", "fahrenheit"] is wanted.'
    result(window, "rain")
    assert named(window, QLabel, "call_title").text() == "The model calls clock, 2 of 2"
    assert named(window, QLabel, "call_fits").text() == "The arguments match the tool's description."
    result(window, " nine ")
    desk.until(window, Phase.READY)
    turns = window.playground.state.turns
    assert [(turn.role, turn.text) for turn in turns[2:]] == [
        (Role.TOOL, "rain"),
        (Role.TOOL, "nine"),
        (Role.ASSISTANT, "Hello you"),
    ]
    assert card.isHidden()
    assert Calling.asked is not None and Calling.asked.tools == EXAMPLE
    assert [message.calls for message in Calling.asked.messages] == [(), CALLS, (), ()]
    assert window.playground.regenerate(4) is True
    desk.until(window, Phase.READY)


def test_a_result_that_is_changed_asks_for_the_others_again(window: MainWindow, desk: Desk) -> None:
    desk.send(window, "How is it?")
    result(window, "rain")
    result(window, "nine")
    desk.until(window, Phase.READY)
    assert window.playground.edit(2, "snow")
    assert window.playground.state.phase is Phase.READY, "one call has no result"
    assert [turn.text for turn in window.playground.state.turns[2:]] == ["snow"]
    assert named(window, QLabel, "call_title").text() == "The model calls clock, 2 of 2"


def test_what_was_typed_comes_back_with_its_call(window: MainWindow, desk: Desk) -> None:
    desk.send(window, "How is it?")
    field = named(window, QPlainTextEdit, "call_result")
    field.setPlainText("half a resu")
    desk.send(window, "Never mind. And now?")
    assert field.toPlainText() == "", "another call"
    window.playground.delete(2)
    assert field.toPlainText() == "half a resu"
    act(window, "new_session").trigger()
    assert named(window, CallCard, "call").isHidden()


def test_a_call_that_cannot_be_read_says_so(window: MainWindow, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(__name__ + ".CALLS", (ToolCall("", "{}", "Hello", "mlx-lm can't read this call: no"),))
    desk.send(window, "How is it?")
    assert named(window, QLabel, "call_title").text() == "The model's call can't be read"
    assert named(window, QPlainTextEdit, "call_result").isHidden()
    desk.send(window, "Say it in words.")
    assert Calling.asked is not None and Calling.asked.messages[1].text == "Hello you"
