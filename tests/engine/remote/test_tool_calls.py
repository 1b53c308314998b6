import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.remote.address import reference
from app.engine.remote.engine import RemoteEngine
from app.engine.remote.request_options import EndpointCapabilities, FormatSupport
from app.engine.tools import EXAMPLE, LONGEST_CALL, MOST_CALLS, tools_of
from app.engine.types import (
    Channel,
    ChatPrompt,
    FormatKind,
    Limits,
    LoadRequest,
    Message,
    Model,
    OutputFormat,
    Reason,
    Request,
    Role,
    ToolCall,
)
from tests import tool_model
from tests.engine.remote.faults import SECRET, Asked, Faults, Line, body, plain
from tests.engine.remote.playing import Played, after, chat, opened, play, raw
from tests.engine.remote.real import serving, widened

SEOUL = ToolCall("weather", '{"place": "Seoul"}', 'weather{"place": "Seoul"}')
CLOCK = ToolCall("clock", "{}", "clock{}")
ASKED, ANSWERED = Message(Role.USER, "How is it?"), Message(Role.ASSISTANT, "I look.", (SEOUL, CLOCK))
TALK = (ASKED, ANSWERED, Message(Role.TOOL, "rain"), Message(Role.TOOL, "nine"))
Piece = dict[str, object]


def asking(*messages: Message, tools: str = EXAMPLE) -> Request:
    return replace(chat("Hi", tokens=64), prompt=ChatPrompt(messages or (ASKED,), tools=tools))


def piece(name: str = "", arguments: str = "", **more: object) -> Piece:
    function = {key: text for key, text in (("name", name), ("arguments", arguments)) if text}
    return {"function": function, "type": "function"} | more


def called(faults: Faults, *pieces: object, reason: str = "tool_calls", key: str = "") -> Played:
    def say(_: Asked, line: Line) -> None:
        line.head()
        line.text("I look.")
        for each in pieces:
            line.event({"choices": [{"delta": {"tool_calls": [each]}}]})
        line.end(reason)

    return after(faults, say, replace(asking(), limits=Limits(1000)), key=key)


def calling(_: Asked, line: Line) -> None:
    line.head()
    line.event({"choices": [{"delta": {"tool_calls": [piece("clock", "{}")]}}]})
    line.end("tool_calls")


PARTS = ("", '{"pla', 'ce": ', '"Seoul"}')


@pytest.mark.parametrize(
    "pieces",
    [
        [
            piece("weather", index=0, id="a"),
            *(piece("", part, index=0) for part in PARTS),
            piece("clock", "{}", index=1),
        ],
        [piece("weather"), *(piece("", part) for part in PARTS), piece("clock", "{}")],
        [piece("weather", SEOUL.arguments, index=0, id="a"), piece("clock", "{}", index=0, id="b")],
        [{"function": {"name": "weather", "arguments": {"place": "Seoul"}}}, piece("clock", "{}")],
    ],
    ids=["in order", "no index", "one index", "an object"],
)
def test_calls_in_parts_are_joined(faults: Faults, pieces: list[Piece]) -> None:
    played = called(faults, *pieces)
    assert played.finish.calls == (SEOUL, CLOCK) and played.finish.reason is Reason.STOP
    assert played.shown() == "I look."
    line = "\n" if "index" in pieces[-1] and pieces[-1]["index"] else ""
    assert played.shown(Channel.TOOL) == SEOUL.text + line + CLOCK.text


def test_calls_interleaved_parts_are_separated(faults: Faults) -> None:
    first, second = [piece("weather", index=0), piece("clock", index=1)], [piece("", "{}", index=1)]
    found = called(faults, *first, *second, piece("", SEOUL.arguments, index=0)).finish.calls
    assert [(call.name, call.arguments) for call in found] == [("weather", SEOUL.arguments), ("clock", "{}")]


def test_calls_without_streaming_are_read(faults: Faults) -> None:
    calls = [piece(call.name, call.arguments) for call in (SEOUL, CLOCK)]
    content = json.dumps({"choices": [{"message": {"tool_calls": calls}, "finish_reason": "tool_calls"}]}).encode()
    assert after(faults, body(content), asking()).finish.calls == (SEOUL, CLOCK)


def test_calls_cut_off_are_dropped(faults: Faults) -> None:
    assert called(faults, piece("weather", '{"pl'), reason="length").finish.calls == ()


def test_call_instead_of_a_form_is_no_fault(faults: Faults) -> None:
    engine, _ = opened(faults.address)
    faults.answer = calling
    with_forms = EndpointCapabilities(forms=FormatSupport.RESPONSE_FORMAT)
    engine._capabilities = replace(engine._capabilities, chat=with_forms)
    wire = play(engine, replace(asking(), form=OutputFormat(FormatKind.JSON))).finish.wire
    assert wire is not None and not wire.disobeyed


def test_calls_in_raw_mode_are_ignored(faults: Faults) -> None:
    assert after(faults, calling, raw("Once")).finish.calls == ()


def test_calls_beyond_the_limits_are_dropped(faults: Faults) -> None:
    many = called(faults, *(piece("clock", "{}", index=10**9 * at) for at in range(3 * MOST_CALLS)))
    assert many.finish.calls == (CLOCK,) * MOST_CALLS
    long = called(faults, piece("clock", index=0), *[piece("", "9" * 1000, index=0)] * (LONGEST_CALL // 1000)).finish
    assert long.calls[0].wrong == "This call is too long."


@pytest.mark.parametrize("said", ["{not json", "[1]", "3", '{"a": 1e999}', "[" * 90])
def test_calls_malformed_are_reported(faults: Faults, said: str) -> None:
    (found,) = called(faults, piece("clock", said)).finish.calls
    assert found.wrong.startswith("The server's call can't be read: ") and (found.name, found.arguments) == ("", "{}")


def test_calls_of_wrong_types_are_dropped(faults: Faults) -> None:
    numbered = {"function": {"name": 3, "arguments": {}}, "index": True}
    strange: tuple[object, ...] = ({"function": [1]}, numbered, [], None, {"index": 4})
    played = called(faults, *strange, piece("clock", "{}", index="x", id=5))
    assert played.finish.calls == (CLOCK,) and played.finish.failure is None


def test_call_name_alone_is_not_searched_in_the_text(faults: Faults) -> None:
    assert called(faults, piece("look")).finish.calls == (ToolCall("look", "{}"),)


def test_calls_with_the_key_are_masked(faults: Faults) -> None:
    escaped = json.dumps({"zone": SECRET}).replace("e", "\\u0065")
    played = called(faults, piece("clock", escaped), piece(SECRET[:9], SECRET[9:]), key=SECRET)
    assert "…" in played.finish.calls[0].arguments
    assert not any(part in repr(played.finish) for part in (SECRET, SECRET[3:], SECRET[:-3]))


def test_request_has_tools_and_results(faults: Faults) -> None:
    engine, model = opened(faults.address)
    assert model.can.tools and "tools" not in dict(model.can.refusals)
    text = play(engine, asking(*TALK)).prompted.prompt.text
    sent = faults.asked[-1].body
    assert sent["tools"] == tools_of(EXAMPLE)
    assert sent["messages"] == [
        {"role": "user", "content": "How is it?"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"type": "function", "id": "call00001", "function": {"name": "weather", "arguments": SEOUL.arguments}},
                {"type": "function", "id": "call00002", "function": {"name": "clock", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "content": "rain", "name": "weather", "tool_call_id": "call00001"},
        {"role": "tool", "content": "nine", "name": "clock", "tool_call_id": "call00002"},
    ]
    assert text.startswith("tools: [") and f"assistant: I look. {SEOUL.text} clock{{}}\ntool: rain\n" in text
    play(engine, asking(ASKED, Message(Role.TOOL, "rain"), tools=""))
    assert "tools" not in faults.asked[-1].body
    assert faults.asked[-1].body["messages"] == [{"role": "user", "content": each} for each in ("How is it?", "rain")]


def test_request_invalid_tools_are_not_sent(faults: Faults) -> None:
    engine, _ = opened(faults.address)
    before = len(faults.asked)
    finish = play(engine, asking(tools="{")).finish
    assert finish.failure is not None and finish.failure.what.startswith("The tools are not valid JSON")
    assert len(faults.asked) == before


def test_server_refusing_tools_gets_one_request(faults: Faults) -> None:
    def refuse(asked: Asked, line: Line) -> None:
        refusal = body(b'{"error": {"message": "one does not support tools"}}', "400 Bad Request")
        (refusal if "tools" in asked.body else plain)(asked, line)

    faults.answer = refuse
    engine, _ = opened(faults.address)
    before = len(faults.asked)
    failure = play(engine, asking()).finish.failure
    assert failure is not None and failure.what.endswith("refuses this request: one does not support tools")
    assert failure.todo.startswith("Remove the tools") and len(faults.asked) == before + 1
    assert play(engine, asking(tools="")).finish.failure is None


def test_server_without_chat_has_no_tools(faults: Faults) -> None:
    def refuse(asked: Asked, line: Line) -> None:
        refusal = body(b'{"error": "no chats"}', "400 Bad Request")
        (refusal if asked.path.endswith("/chat/completions") else plain)(asked, line)

    faults.answer = refuse
    _, model = opened(faults.address)
    assert not model.can.tools and "no chats" in model.can.refusal("tools")


@pytest.mark.slow
def test_real_server_gets_the_same_tools(demo_model: Path, tmp_path: Path) -> None:
    folder = widened(tool_model.made(demo_model, tmp_path / "caller"), tmp_path / "wide")
    here = MlxEngine()
    assert isinstance(here.load(LoadRequest(str(folder)), lambda _: None, StopFlag()), Model)
    with serving(folder, tmp_path / "home") as address:
        there = RemoteEngine()
        loaded = there.load(LoadRequest(reference(address, str(folder))), lambda _: None, StopFlag())
        assert isinstance(loaded, Model) and loaded.can.tools
        for asked in (asking(), asking(*TALK), asking(*TALK, tools="")):
            mine, theirs = play(here, asked), play(there, asked)
            assert (theirs.finish.failure, theirs.shown()) == (None, mine.shown())
            assert theirs.finish.reused + theirs.finish.new == len(mine.prompted.prompt.ids)
