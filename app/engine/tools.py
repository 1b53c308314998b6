"""Tools: parsing of definitions and calls, conversion for chat templates, checks of calls."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from app.engine.errors import UserError
from app.engine.ranges import LONGEST_FORM
from app.engine.types import Message, Role, ToolCall
from app.files import json_reader, json_values
from app.files.json_reader import Json
from app.files.json_values import json_object
from app.i18n import tr

KIND = "tools"
MOST_TOOLS = 64
NAME = re.compile(r"[\w.-]{1,100}")
SIMPLE: dict[str, type | tuple[type, ...]] = {"string": str, "integer": int, "number": (int, float)}
TYPES = SIMPLE | {"object": dict, "array": list, "boolean": bool, "null": type(None)}
MOST_FAULTS = 3
MOST_CALLS = 16
LONGEST_CALL = 10_000
"""Maximum number of characters of a tool call."""
EXAMPLE = """[
  {"name": "clock", "description": "time in a place", "parameters":
    {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]}},
  {"name": "weather", "description": "weather in a place", "parameters":
    {"type": "object", "required": ["place"],
     "properties": {"place": {"type": "string"}, "unit": {"enum": ["celsius", "fahrenheit"]}}}},
  {"name": "search", "description": "pages about something", "parameters":
    {"type": "object", "required": ["query"],
     "properties": {"query": {"type": "string"}, "count": {"type": "integer"}}}}
]"""
CANNED = {
    "clock": '{"time": "09:41"}',
    "weather": '{"temperature": 18, "sky": "light rain"}',
    "search": '[{"title": "red fox", "text": "lives in woods, fields and towns"}]',
}
ANY_RESULT = '{"result": "done"}'


def tools_of(text: str) -> list[Json]:
    """Parse tool definitions. Raises UserError if they are invalid."""
    if not text.strip():
        return []
    if len(text) > LONGEST_FORM:
        raise _refused(tr("The tools are longer than {most} characters.").format(most=f"{LONGEST_FORM:,}"))
    try:
        said = json_reader.parse(text)
    except ValueError as error:
        raise _refused(tr("The tools are not valid JSON: {why}.").format(why=error)) from None
    tools = said if isinstance(said, list) else [said]
    if len(tools) > MOST_TOOLS:
        raise _refused(tr("There are more than {most} tools.").format(most=MOST_TOOLS))
    return [_tool(each) for each in tools]


def why_no_tools(text: str) -> str:
    try:
        tools_of(text)
    except UserError as refused:
        return refused.failure.what
    return ""


def call_of(said: Json, text: str) -> ToolCall:
    """Parse a tool call. Raises KeyError, TypeError or ValueError if it is invalid."""
    name, arguments = said["name"], said.get("arguments") or {}
    if isinstance(arguments, str):
        arguments = json_reader.parse(arguments)
    if not isinstance(name, str) or not NAME.fullmatch(name) or not isinstance(arguments, dict):
        raise ValueError("no name, or no object of arguments")
    told = json_values.clean(json.dumps(arguments, ensure_ascii=False, allow_nan=False))
    json_reader.parse(told)  # checks the depth
    return ToolCall(name, told, json_values.clean(text))


def too_long(text: str) -> ToolCall:
    """Return a placeholder for a call of more than `LONGEST_CALL` characters."""
    return ToolCall("", "{}", text, tr("This call is too long."))


def why_no_call(call: ToolCall, tools: str) -> str:
    """Return why a call doesn't match the tools; empty if it does."""
    if wrong := call.wrong or why_no_tools(tools):
        return wrong
    known = {tool["function"]["name"]: tool["function"] for tool in tools_of(tools)}
    if call.name not in known:
        return tr("There is no tool of this name.")
    found = islice(_faults(json_object(call.arguments), known[call.name].get("parameters", {}), ""), MOST_FAULTS)
    return "\n".join(found)


def template_messages(messages: Sequence[Message]) -> list[dict[str, Json]]:
    """Convert messages for chat templates; a result gets the name and id of its call."""
    said: list[dict[str, Json]] = []
    count, waiting = 0, list[dict[str, str]]()
    for message in messages:
        told: dict[str, Json] = {"role": str(message.role), "content": message.text}
        if message.calls:
            told["tool_calls"], waiting = [], []
        for call in message.calls:
            count += 1
            number = f"call{count:05}"  # nine characters, as some templates require
            function = {"name": call.name, "arguments": json_object(call.arguments)}
            told["tool_calls"].append({"type": "function", "id": number, "function": function})
            waiting.append({"name": call.name, "tool_call_id": number})
        if message.role is Role.TOOL and waiting:
            told |= waiting.pop(0)
        said.append(told)
    return said


def _tool(said: Json) -> Json:
    function = said.get("function", said) if isinstance(said, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    parameters = function.get("parameters", {}) if isinstance(function, dict) else None
    if not isinstance(name, str) or not NAME.fullmatch(name) or not isinstance(parameters, dict):
        what = tr("A tool is an object with a name, a description, and parameters as a JSON schema of an object.")
        raise _refused(what)
    return {"type": "function", "function": function}


def _faults(value: Json, schema: Json, path: str) -> Iterator[str]:
    """Yield differences from a schema. Checks type, enum, properties, required and items."""
    if not isinstance(schema, dict):
        return
    named = path or tr("The arguments")
    kind, choices = schema.get("type"), schema.get("enum")
    kinds = [each for each in (kind if isinstance(kind, list) else [kind]) if isinstance(each, str) and each in TYPES]
    if kinds and not any(_is(value, each) for each in kinds):
        yield tr("{place}: must be {kind}.").format(place=named, kind=", ".join(kinds))
    elif isinstance(choices, list) and value not in choices:
        yield tr("{place}: must be one of {choices}.").format(place=named, choices=json.dumps(choices)[:200])
    elif isinstance(value, list):
        for at, item in enumerate(value):
            yield from _faults(item, schema.get("items"), f"{path}[{at}]")
    elif isinstance(value, dict):
        yield from _member_faults(value, schema, path)


def _member_faults(value: dict[str, Json], schema: dict[str, Json], path: str) -> Iterator[str]:
    known, required = schema.get("properties"), schema.get("required")
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in value:
            yield tr("{place} is missing.").format(place=f"{path}.{name}".lstrip("."))
    for name, item in value.items():
        if isinstance(known, dict) and name in known:
            yield from _faults(item, known[name], f"{path}.{name}".lstrip("."))
        elif schema.get("additionalProperties") is False or (known and not path):
            yield tr("{place} is not among the parameters.").format(place=f"{path}.{name}".lstrip("."))


def _is(value: Json, kind: str) -> bool:
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    return isinstance(value, TYPES[kind]) or (kind == "integer" and isinstance(value, float) and value.is_integer())


def _refused(what: str) -> UserError:
    return UserError(what, tr("Change the tools, or remove them."), kind=KIND)
