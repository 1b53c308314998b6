"""A request in the words of the interface, and how a server wants it asked."""

import json
from dataclasses import dataclass, field
from enum import Enum

from app.engine.forms.grammar import OF_JSON, schema_of
from app.engine.tools import spoken, tools_of
from app.engine.types import ENDLESS, ChatPrompt, Form, FormKind, RawPrompt, Request, Role, Sampling
from app.files.json_reader import Json
from app.i18n import tr

NO_FORM = tr("This server was tested, and doesn't support this output format.")
CHAT, RAW = "/chat/completions", "/completions"
BEYOND = 1 << 24
"""More tokens than any context holds, for a server that takes no word for no limit."""


class LogprobParameter(Enum):
    """How candidates are asked for."""

    SWITCH = "logprobs is a switch, top_logprobs a number"
    NUMBER = "logprobs is the number"
    NONE = "not at all"


class LogprobDelivery(Enum):
    """How candidates come."""

    STREAMED = "each with its token"
    WHOLE = "only with an answer that comes in one piece"
    NONE = "not at all"


class Forms(Enum):
    """How answers are held to a form."""

    NONE = "not at all"
    RESPONSE_FORMAT = "in JSON, by OpenAI's response_format"
    STRUCTURED = "vLLM's structured_outputs have choices and expressions, too"


KINDS = {
    Forms.NONE: frozenset[FormKind](),
    Forms.RESPONSE_FORMAT: OF_JSON,
    Forms.STRUCTURED: OF_JSON | {FormKind.CHOICES, FormKind.REGEX},
}


@dataclass(frozen=True, slots=True)
class EndpointCapabilities:
    """How one of a server's two paths is asked, and what it gives."""

    extras: bool = True
    """It takes more than OpenAI's own parameters."""
    ask: LogprobParameter = LogprobParameter.NONE
    most: int = 0
    """So many candidates may be asked for."""
    given: LogprobDelivery = LogprobDelivery.NONE
    seeds: bool = True
    """It may be given a seed."""
    endless: bool = True
    """Without a limit it goes on until the model ends."""
    forms: Forms = Forms.NONE


@dataclass(frozen=True, slots=True)
class ServerCapabilities:
    """What a server was found to be like. A path is None where it refuses; `why` says so in a sentence."""

    chat: EndpointCapabilities | None = None
    raw: EndpointCapabilities | None = None
    why: tuple[tuple[str, str], ...] = field(default=())


def body(
    request: Request, model: str, way: EndpointCapabilities, stream: bool = True, candidates: bool = False
) -> dict[str, object]:
    """What is sent for a chat or a text; stop strings are looked for on this side."""
    said: dict[str, object] = {"model": model, "stream": stream, **_prompt(request)}
    if stream:
        said["stream_options"] = {"include_usage": True}
    if request.limits.max_tokens != ENDLESS:
        said["max_tokens"] = request.limits.max_tokens
    elif not way.endless:
        said["max_tokens"] = BEYOND
    said |= _sampling(request.sampling)
    if seeded(request, way):
        said["seed"] = request.sampling.seed
    if way.extras:
        said |= _extras(request.sampling)
    if isinstance(request.prompt, ChatPrompt) and request.prompt.arguments:
        said["chat_template_kwargs"] = dict(request.prompt.arguments)
    if request.form:
        said |= _form(request.form)
    if candidates:
        said |= _candidates(request.observe, way)
    return said


def seeded(request: Request, way: EndpointCapabilities) -> bool:
    """Greedily chosen tokens have no use for a seed."""
    return way.seeds and bool(request.sampling.temperature)


def _prompt(request: Request) -> dict[str, object]:
    source = request.prompt
    if not isinstance(source, ChatPrompt):
        return {"prompt": source.text if isinstance(source, RawPrompt) else ""}
    said: dict[str, object] = {"messages": [_message(each) for each in spoken(source.messages)]}
    return said | ({"tools": tools} if (tools := tools_of(source.tools)) else {})


def _message(said: dict[str, Json]) -> dict[str, Json]:
    """As OpenAI has it, where arguments are text. A result whose call is gone is the user's word."""
    for call in said.get("tool_calls", ()):
        call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    is_loose = said["role"] == Role.TOOL and "tool_call_id" not in said
    return said | {"role": Role.USER.value} if is_loose else said


def _sampling(sampling: Sampling) -> dict[str, object]:
    said: dict[str, object] = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p or 1.0,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
    }
    if sampling.logit_bias:
        said["logit_bias"] = {str(token): bias for token, bias in sampling.logit_bias}
    return said


def _extras(sampling: Sampling) -> dict[str, object]:
    """All of them, since a server has defaults of its own."""
    return {
        "top_k": sampling.top_k,
        "min_p": sampling.min_p,
        "repetition_penalty": sampling.repetition_penalty,
        "repetition_context_size": sampling.repetition_window,
        "presence_context_size": sampling.presence_window,
        "frequency_context_size": sampling.frequency_window,
        "xtc_probability": float(sampling.xtc_probability),
        "xtc_threshold": float(sampling.xtc_threshold),
    }


def _form(form: Form) -> dict[str, object]:
    match form.kind:
        case FormKind.CHOICES:
            return {"structured_outputs": {"choice": [*filter(None, form.text.splitlines())]}}
        case FormKind.REGEX:
            return {"structured_outputs": {"regex": form.text}}
        case FormKind.JSON:
            return {"response_format": {"type": "json_object"}}
    schema = {"name": "answer", "schema": schema_of(form), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _candidates(count: int, way: EndpointCapabilities) -> dict[str, object]:
    number = min(count, way.most)
    if way.ask is LogprobParameter.NUMBER:
        return {"logprobs": number}
    return {"logprobs": True, "top_logprobs": number} if way.ask is LogprobParameter.SWITCH else {}
