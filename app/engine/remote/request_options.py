"""Requests in OpenAI's form, adapted to a server's capabilities."""

import json
from dataclasses import dataclass, field
from enum import Enum

from app.engine.ranges import RANGES
from app.engine.structured_output.grammar import OF_JSON, schema_of
from app.engine.tools import template_messages, tools_of
from app.engine.types import ENDLESS, ChatPrompt, FormatKind, OutputFormat, RawPrompt, Request, Role, Sampling
from app.files.json_reader import Json
from app.i18n import tr

NO_FORM = tr("This server was tested, and doesn't support this output format.")
CHAT, RAW = "/chat/completions", "/completions"
BEYOND = 1 << 24
"""Max tokens for a server that has a low default: more than any context window."""


EXTRAS = {
    "top_k": "top_k",
    "min_p": "min_p",
    "xtc_probability": "xtc_probability",
    "xtc_threshold": "xtc_threshold",
    "repetition_penalty": "repetition_penalty",
    "repetition_window": "repetition_context_size",
    "presence_window": "presence_context_size",
    "frequency_window": "frequency_context_size",
}
"""Settings that OpenAI's API lacks, with their parameters in mlx_lm.server."""
LLAMA_CPP = {"top_n_sigma": "top_n_sigma"}
"""Settings that only llama.cpp's server has, with their parameters."""
OPENAI = frozenset({"temperature", "top_p", "presence_penalty", "frequency_penalty"})


class LogprobParameter(Enum):
    """Form of the logprobs parameters."""

    SWITCH = "logprobs is a switch, top_logprobs a number"
    NUMBER = "logprobs is the number"
    NONE = "not at all"


class LogprobDelivery(Enum):
    """How alternatives are sent."""

    STREAMED = "each with its token"
    WHOLE = "only with an answer that comes in one piece"
    NONE = "not at all"


class FormatSupport(Enum):
    """Support for structured output."""

    NONE = "not at all"
    RESPONSE_FORMAT = "in JSON, by OpenAI's response_format"
    STRUCTURED = "vLLM's structured_outputs have choices and expressions, too"


KINDS = {
    FormatSupport.NONE: frozenset[FormatKind](),
    FormatSupport.RESPONSE_FORMAT: OF_JSON,
    FormatSupport.STRUCTURED: OF_JSON | {FormatKind.CHOICES, FormatKind.REGEX},
}


@dataclass(frozen=True, slots=True)
class EndpointCapabilities:
    """Capabilities of one endpoint: chat completions or completions."""

    extras: bool = True
    """Whether it accepts parameters beyond OpenAI's."""
    ask: LogprobParameter = LogprobParameter.NONE
    most: int = 0
    """Largest number of alternatives."""
    given: LogprobDelivery = LogprobDelivery.NONE
    seeds: bool = True
    """Whether it supports a seed."""
    endless: bool = True
    """Whether it generates until EOS without max_tokens."""
    forms: FormatSupport = FormatSupport.NONE
    is_llama_cpp: bool = False


@dataclass(frozen=True, slots=True)
class ServerCapabilities:
    """Capabilities of a server. An endpoint is None if unsupported; `why` has the reason."""

    chat: EndpointCapabilities | None = None
    raw: EndpointCapabilities | None = None
    why: tuple[tuple[str, str], ...] = field(default=())


def body(
    request: Request, model: str, endpoint: EndpointCapabilities, stream: bool = True, candidates: bool = False
) -> dict[str, object]:
    """Return the body of a request. Stop strings are searched here and not sent."""
    fields: dict[str, object] = {"model": model, "stream": stream, **_prompt(request)}
    if stream:
        fields["stream_options"] = {"include_usage": True}
    if request.limits.max_tokens != ENDLESS:
        fields["max_tokens"] = request.limits.max_tokens
    elif not endpoint.endless:
        fields["max_tokens"] = BEYOND
    fields |= _sampling(request.sampling)
    if seeded(request, endpoint):
        fields["seed"] = request.sampling.seed
    if endpoint.extras:
        fields |= _extras(request.sampling, EXTRAS | LLAMA_CPP if endpoint.is_llama_cpp else EXTRAS)
    if isinstance(request.prompt, ChatPrompt) and request.prompt.arguments:
        fields["chat_template_kwargs"] = dict(request.prompt.arguments)
    if request.form:
        fields |= _output_format(request.form)
    if candidates:
        fields |= _candidates(request.observe, endpoint)
    return fields


def seeded(request: Request, endpoint: EndpointCapabilities) -> bool:
    """Return whether a seed is sent; greedy sampling needs none."""
    return endpoint.seeds and bool(request.sampling.temperature)


def _prompt(request: Request) -> dict[str, object]:
    source = request.prompt
    if not isinstance(source, ChatPrompt):
        return {"prompt": source.text if isinstance(source, RawPrompt) else ""}
    fields: dict[str, object] = {"messages": [_message(each) for each in template_messages(source.messages)]}
    return fields | ({"tools": tools} if (tools := tools_of(source.tools)) else {})


def _message(fields: dict[str, Json]) -> dict[str, Json]:
    """Convert a message to OpenAI's form, with arguments as text. A tool result without its call gets the user role."""
    for call in fields.get("tool_calls", ()):
        call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    is_loose = fields["role"] == Role.TOOL and "tool_call_id" not in fields
    return fields | {"role": Role.USER.value} if is_loose else fields


def _sampling(sampling: Sampling) -> dict[str, object]:
    fields: dict[str, object] = {
        "temperature": sampling.temperature,
        "top_p": sampling.top_p or 1.0,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
    }
    if sampling.logit_bias:
        fields["logit_bias"] = {str(token): bias for token, bias in sampling.logit_bias}
    return fields


def _extras(sampling: Sampling, parameters: dict[str, str]) -> dict[str, object]:
    """Return all of these parameters, since a server has its own defaults."""
    kinds = {name: int if RANGES[name].whole else float for name in parameters}
    extras: dict[str, object] = {
        parameter: kinds[name](getattr(sampling, name)) for name, parameter in parameters.items()
    }
    if "top_n_sigma" in extras and not sampling.top_n_sigma:
        extras["top_n_sigma"] = -1.0  # off: older llama.cpp servers sample greedily at 0
    return extras


def _output_format(output_format: OutputFormat) -> dict[str, object]:
    match output_format.kind:
        case FormatKind.CHOICES:
            return {"structured_outputs": {"choice": [*filter(None, output_format.text.splitlines())]}}
        case FormatKind.REGEX:
            return {"structured_outputs": {"regex": output_format.text}}
        case FormatKind.JSON:
            return {"response_format": {"type": "json_object"}}
    schema = {"name": "answer", "schema": schema_of(output_format), "strict": True}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _candidates(count: int, endpoint: EndpointCapabilities) -> dict[str, object]:
    number = min(count, endpoint.most)
    if endpoint.ask is LogprobParameter.NUMBER:
        return {"logprobs": number}
    return {"logprobs": True, "top_logprobs": number} if endpoint.ask is LogprobParameter.SWITCH else {}
