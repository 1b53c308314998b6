"""Tool calls in a conversation: which wait for a result, and how they are sent."""

from dataclasses import replace
from pathlib import Path

from app.bridge.conversation import delete_turn, edit_turn, prompt_of, waiting_calls
from app.controls import Controls
from app.engine.types import Channel, ChatPrompt, Message, Model, Role, ToolCall, VisibleText
from app.state import Turn
from app.ui.conversation.transcript_update import _content
from tests.ui.conversation.runs import run

WEATHER = ToolCall("weather", '{"place": "Seoul"}', '{"name": "weather"}')
CLOCK = ToolCall("clock", "{}", '{"name": "clock"}')
ASKED = Turn(Role.USER, "How is it?")
RUN = replace(run(), finish=replace(run().finish, calls=(WEATHER, CLOCK)))
CALLING = Turn(Role.ASSISTANT, "I look. " + WEATHER.text + CLOCK.text, runs=(RUN,))
RAIN, NINE = Turn(Role.TOOL, "rain"), Turn(Role.TOOL, "nine")
SAID = Turn(Role.ASSISTANT, "It rains.")


def test_waiting_calls_with_results_returns_the_rest() -> None:
    assert waiting_calls((ASKED, CALLING)) == (WEATHER, CLOCK)
    assert waiting_calls((ASKED, CALLING, RAIN)) == (CLOCK,)
    assert waiting_calls((ASKED, CALLING, RAIN, NINE)) == waiting_calls((ASKED,)) == waiting_calls(()) == ()
    assert waiting_calls((ASKED, CALLING, RAIN, NINE, SAID)) == ()


def test_prompt_of_without_tools_sends_results_as_user_text() -> None:
    said = Model("demo", Path("demo"), "llama", 1, 4, 100, 64, ())
    turns, controls = (ASKED, CALLING, RAIN), Controls(tools=" [] ")
    able = replace(said, can=replace(said.can, tools=True))
    told = prompt_of(turns, controls, able)
    assert isinstance(told, ChatPrompt) and told.tools == "[]"
    assert told.messages[1:] == (
        Message(Role.ASSISTANT, "I look.", (WEATHER, CLOCK)),
        Message(Role.TOOL, "rain"),
    )
    plain = prompt_of(turns, controls, replace(said, can=replace(said.can, tools=False)))
    assert isinstance(plain, ChatPrompt) and plain.tools == ""
    assert [(each.role, each.calls) for each in plain.messages] == [
        (Role.USER, ()),
        (Role.ASSISTANT, ()),
        (Role.USER, ()),
    ]


def test_edits_of_tool_results_keep_or_remove_their_turn() -> None:
    turns = (ASKED, CALLING, RAIN, NINE, SAID, ASKED)
    assert delete_turn(turns, 0) == (ASKED,)
    assert delete_turn(turns, 1) == (ASKED, SAID, ASKED)
    assert delete_turn(turns, 3) == (ASKED, CALLING, RAIN, ASKED)
    assert edit_turn(turns, 3, "ten") == (ASKED, CALLING, RAIN, Turn(Role.TOOL, "ten"))


def test_content_of_an_answer_splits_tool_calls() -> None:
    assert _content(CALLING) == (
        VisibleText(Channel.NORMAL, "I look. "),
        VisibleText(Channel.TOOL, WEATHER.text),
        VisibleText(Channel.TOOL, CLOCK.text),
    )
    assert SAID.calls == () and _content(SAID) == (VisibleText(Channel.NORMAL, "It rains."),)
