import json

import pytest

from app.engine.prompt import render
from app.engine.tools import CANNED, EXAMPLE, template_messages, tools_of, why_no_call, why_no_tools
from app.engine.types import ChatPrompt, ExactPrompt, Failure, Message, PromptPart, Role, ToolCall
from app.files import json_values
from tests.engine import made_templates as templates
from tests.engine import made_tokenizers as tokenizers
from tests.standins.samples import Samples

SEOUL = ToolCall("weather", '{"place": "Seoul"}', "…")
TALK = ChatPrompt(
    (
        Message(Role.USER, "How is it in Seoul, and what time?"),
        Message(Role.ASSISTANT, "Let me look.", (SEOUL, ToolCall("clock", '{"zone": "KST"}'))),
        Message(Role.TOOL, '{"temperature": 18}'),
        Message(Role.TOOL, '{"time": "09:41"}'),
    ),
    tools=EXAMPLE,
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[{", "The tools are not valid JSON"),
        ('"clock"', "A tool is an object with a name"),
        ('[{"name": 3}]', "A tool is an object with a name"),
        ('[{"name": "a b"}]', "A tool is an object with a name"),
        ('{"name": "a", "parameters": []}', "A tool is an object with a name"),
        (json.dumps([{"name": "a"}] * 65), "There are more than 64 tools."),
        (" " * 200_000 + "[]", "The tools are longer than 200,000 characters."),
        ("[" * 5_000, "The tools are not valid JSON"),
        ("", ""),
        (EXAMPLE, ""),
        ('{"type": "function", "function": {"name": "a"}}', ""),
    ],
)
def test_tools_of_invalid_definitions_are_refused(text: str, why: str, stand_ins: Samples) -> None:
    assert why_no_tools(text).startswith(why) and bool(why_no_tools(text)) == bool(why)
    if why:
        found = render(ChatPrompt(TALK.messages[:1], tools=text), tokenizers.load(stand_ins.path("tokenizers/qwen3")))
        assert isinstance(found, Failure) and found.what == why_no_tools(text)


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("weather", {"place": "Seoul", "unit": "celsius"}, ""),
        ("weather", {"unit": "kelvin"}, 'place is missing.\nunit: must be one of ["celsius", "fahrenheit"].'),
        ("weather", {"place": 3}, "place: must be string."),
        ("weather", {"place": "Seoul", "day": 1}, "day is not among the parameters."),
        ("search", {"query": "fox", "count": True}, "count: must be integer."),
        ("rocket", {}, "There is no tool of this name."),
    ],
)
def test_why_no_call_names_the_differences(name: str, arguments: object, why: str) -> None:
    assert why_no_call(ToolCall(name, json.dumps(arguments)), EXAMPLE) == why


def test_why_no_call_strange_schemas_are_ignored() -> None:
    odd = '[{"name": "a", "parameters": {"type": 7, "enum": 3, "required": 5, "properties": {"b": 1, "c": {"items": []}}}}]'  # noqa: E501
    assert why_no_call(ToolCall("a", '{"b": 1, "c": [1]}'), odd) == ""
    assert why_no_call(ToolCall("weather", "no JSON"), EXAMPLE) == "place is missing."
    (message,) = template_messages((Message(Role.ASSISTANT, "", (ToolCall("a", "[1]"),)),))
    assert message["tool_calls"][0]["function"]["arguments"] == {}


def test_template_messages_results_have_the_name_and_id_of_their_calls() -> None:
    *_, weather, clock = template_messages(TALK.messages)
    assert (weather["name"], clock["name"]) == ("weather", "clock")
    calls = template_messages(TALK.messages)[1]["tool_calls"]
    ids = [call["id"] for call in calls]
    assert ids == [weather["tool_call_id"], clock["tool_call_id"]] == ["call00001", "call00002"]
    assert [tool["function"]["name"] for tool in tools_of(EXAMPLE)] == list(CANNED)


WRITES = (
    "NousResearch-Hermes-3-Llama-3.1-8B-tool_use",
    "Qwen-Qwen2.5-7B-Instruct",
    "Qwen-Qwen3-0.6B",
    "mistralai-Mistral-Nemo-Instruct-2407",
)


@pytest.mark.parametrize("template", templates.TEMPLATES)
def test_render_real_templates_write_tools_calls_and_results(
    template: str, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = templates.use(template, tokenizers.load(samples.path("tokenizers/qwen3")), samples, monkeypatch)
    found = render(TALK, tokenizer)
    if template not in WRITES or samples.kind != "real":
        assert isinstance(found, ExactPrompt) or found.kind == "prompt"
        return
    assert isinstance(found, ExactPrompt), found
    assert found.call is not None and found.call.tools == EXAMPLE
    for said in ("fahrenheit", "Seoul", "KST", '{"temperature": 18}', "09:41"):
        assert said in found.text, said
    words = [found.text[span.start : span.end] for span in found.spans if span.part is PromptPart.USER]
    assert TALK.messages[0].text in words


def test_files_without_tools_are_unchanged() -> None:
    assert json_values.write(ChatPrompt, ChatPrompt(TALK.messages[:1])) == {
        "messages": [{"role": "user", "text": TALK.messages[0].text}],
        "reply_start": "",
        "arguments": [],
    }
    assert json_values.loads(ChatPrompt, json_values.dumps(ChatPrompt, TALK)) == TALK
