"""Requests a server's list of models and its health, and probes its capabilities with one-token requests."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from app.engine.protocol import StopFlag
from app.engine.remote import failures
from app.engine.remote.address import host_of
from app.engine.remote.answer import RemoteAnswer, Timeouts
from app.engine.remote.exchange import BODY_LIMIT, Exchange, ResponseStart
from app.engine.remote.foreign_json import is_name, value_of
from app.engine.remote.request_options import (
    CHAT,
    RAW,
    EndpointCapabilities,
    FormatSupport,
    LogprobDelivery,
    LogprobParameter,
    ServerCapabilities,
    body,
)
from app.engine.types import (
    Cancellation,
    ChatPrompt,
    Failure,
    FormatKind,
    Limits,
    Message,
    OutputFormat,
    PromptSource,
    RawPrompt,
    ReachedServer,
    Request,
    Role,
    Sampling,
    Server,
    ServerModel,
)
from app.i18n import tr

SILENCE_S = 30.0
LIST_LIMIT, MODELS_LIMIT = 4 << 20, 10_000
REDACTED_LIMIT = 8_000
"""Bytes of a malformed answer that are searched for the key and shown."""
LARGEST_CONTEXT = 1 << 32
CONTEXTS = ("max_model_len", "context_length", "max_context_length", "n_ctx")
"""Names of the context length."""
HEALTH_SILENCE_S = 5.0


def list_models(server: Server, key: str = "", silence_s: float = SILENCE_S) -> tuple[ServerModel, ...] | Failure:
    """Return the server's models in its order."""
    reached = test(server, key, silence_s)
    return reached if isinstance(reached, Failure) else reached.models


def test(server: Server, key: str = "", silence_s: float = SILENCE_S) -> ReachedServer | Failure:
    """Connect and request the list of models."""
    with closing(Exchange(server.address, "/models", key)) as exchange:
        found = exchange.read_all(silence_s, LIST_LIMIT)
    return found if isinstance(found, Failure) else _read(found[1], exchange, found[0])


def _read(content: bytes, exchange: Exchange, opened: ResponseStart) -> ReachedServer | Failure:
    address = exchange.address
    if not content.strip():
        what = tr("{host} answers, but lists no models.")
        todo = tr("Enter the name of a model. mlx_lm.server's own model has the name default_model.")
        return Failure(what.format(host=host_of(address)), todo, kind="unlisted")
    value = value_of(content)
    data = value.get("data") if isinstance(value, dict) else None
    if not isinstance(data, list):
        return failures.not_model_server(address, exchange.redact(content[:REDACTED_LIMIT].decode("utf-8", "replace")))
    models: dict[str, ServerModel] = {}
    for each in data:
        name = each.get("id") if isinstance(each, dict) else None
        # A model name that contains the key can't be requested without revealing it.
        if is_name(name) and exchange.redact(name) == name and len(models) < MODELS_LIMIT:
            models.setdefault(name, ServerModel(address, name, _context(each)))
    return ReachedServer(tuple(models.values()), opened.connect, opened.first_byte)


def _context(entry: dict[str, object]) -> int | None:
    meta = entry.get("meta")
    known = {**(meta if isinstance(meta, dict) else {}), **entry}
    found = next((known[name] for name in CONTEXTS if name in known), None)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found <= LARGEST_CONTEXT else None


def health_failure(address: str, silence_s: float = HEALTH_SILENCE_S) -> Failure | None:
    """Request /health and return the failure; None if the server is healthy. Kind "server": it reported an error."""
    with closing(Exchange(address.removesuffix("/v1"), "/health")) as exchange:
        value = exchange.read_all(silence_s, BODY_LIMIT)
    return value if isinstance(value, Failure) else None


WORDS = "Hi"
PROMPTS: dict[str, PromptSource] = {CHAT: ChatPrompt((Message(Role.USER, WORDS),)), RAW: RawPrompt(WORDS)}
MOST = (20, 11, 5)
"""Largest numbers of alternatives: OpenAI's chat, mlx_lm.server, OpenAI's completions."""
MLX = re.compile(r"\d+\.\d+\.\d+[^-]*-\d+\.\d+\.\d+[^-]*-(macOS|Darwin|Linux)")
"""mlx_lm.server's fingerprint: versions and system. It runs seeded requests one after another, and hangs when one is
stopped over several machines, so it gets no seed. Without max_tokens it stops at 512 tokens."""
LLAMA_CPP = re.compile(r"b\d+(-\S+)?$")
"""llama.cpp's fingerprint: build number, and commit or distribution."""
SCHEMA = OutputFormat(
    FormatKind.SCHEMA,
    schema='{"type":"object","properties":{"zq":{"const":7}},"required":["zq"],"additionalProperties":false}',
)
"""A schema in OpenAI's strict form."""
CHOICE = OutputFormat(FormatKind.CHOICES, choices="zq")
IN_JSON, CHOSEN = re.compile(r'\s*\{\s*"zq"'), re.compile(r"\s*zq\s*$")
FORM_TOKENS = (16, 256)
"""Max tokens of a structured-output probe, and of a second one for reasoning models."""
REFUSALS = frozenset({"request", "server"})
"""Kinds of failure for an unknown parameter."""


def probe(
    model: ServerModel, key: str, stop: StopFlag, timeouts: Timeouts
) -> ServerCapabilities | Failure | Cancellation:
    """Return the server's capabilities; a failure if neither endpoint works."""
    chat = _Probe(model, key, CHAT, stop, timeouts).endpoint()
    if isinstance(chat, Cancellation) or (isinstance(chat, Failure) and chat.kind not in (*REFUSALS, "absent")):
        return chat
    raw = _Probe(model, key, RAW, stop, timeouts).endpoint()
    if isinstance(raw, Cancellation):
        return raw
    if isinstance(chat, Failure) and isinstance(raw, Failure):
        return chat
    if (
        isinstance(raw, EndpointCapabilities)
        and isinstance(chat, EndpointCapabilities)
        and chat.forms is FormatSupport.STRUCTURED
    ):
        raw = replace(raw, forms=chat.forms)
    found = {"chat": chat, "raw": raw}
    why = tuple((name, endpoint.what) for name, endpoint in found.items() if isinstance(endpoint, Failure))
    endpoints = {name: endpoint for name, endpoint in found.items() if isinstance(endpoint, EndpointCapabilities)}
    return ServerCapabilities(endpoints.get("chat"), endpoints.get("raw"), why)


class _Probe:
    """Probes one endpoint with fewer and fewer parameters until it accepts the request."""

    def __init__(self, model: ServerModel, key: str, path: str, stop: StopFlag, timeouts: Timeouts) -> None:
        self._model, self._key, self._path = model, key, path
        self._stop, self._timeouts = stop, timeouts

    def endpoint(self) -> EndpointCapabilities | Failure | Cancellation:
        failure: Failure | None = None
        for endpoint in _variants(self._path):
            refused, answer = self._ask(endpoint)
            if self._stop.asked:
                return Cancellation()
            if refused is None:
                others = MLX.match(answer.fingerprint) is None
                endpoint = replace(endpoint, seeds=others, endless=others)
                endpoint = replace(endpoint, is_llama_cpp=LLAMA_CPP.match(answer.fingerprint) is not None)
                known = self._with_delivery(endpoint, answer.observed)
                if isinstance(known, EndpointCapabilities) and others and self._path == CHAT:
                    known = replace(known, forms=self._forms(known))
                return known
            failure = failure or refused
            if refused.kind not in REFUSALS:
                break
        assert failure is not None
        return failure

    def _with_delivery(self, endpoint: EndpointCapabilities, streamed: bool) -> EndpointCapabilities | Cancellation:
        if streamed or endpoint.ask is LogprobParameter.NONE:
            return replace(endpoint, given=LogprobDelivery.STREAMED if streamed else LogprobDelivery.NONE)
        refused, answer = self._ask(endpoint, stream=False)
        if self._stop.asked:
            return Cancellation()
        return replace(
            endpoint, given=LogprobDelivery.WHOLE if answer.observed and refused is None else LogprobDelivery.NONE
        )

    def _forms(self, endpoint: EndpointCapabilities) -> FormatSupport:
        """Probe structured output with a schema that no model follows by chance: servers ignore unknown parameters."""
        if not self._supports_format(endpoint, SCHEMA, IN_JSON):
            return FormatSupport.NONE
        return (
            FormatSupport.STRUCTURED
            if self._supports_format(endpoint, CHOICE, CHOSEN)
            else FormatSupport.RESPONSE_FORMAT
        )

    def _supports_format(self, endpoint: EndpointCapabilities, form: OutputFormat, begun: re.Pattern[str]) -> bool:
        """Return False if the output format was refused or ignored; an unknown result counts as support."""
        for tokens in FORM_TOKENS:
            refused, answer = self._ask(endpoint, form=form, tokens=tokens)
            if refused is not None:
                return refused.kind not in REFUSALS
            if answer.writing.said.strip():
                return begun.match(answer.writing.said) is not None
        return True

    def _ask(
        self, endpoint: EndpointCapabilities, stream: bool = True, form: OutputFormat | None = None, tokens: int = 1
    ) -> tuple[Failure | None, RemoteAnswer]:
        limits, sampling = Limits(max_tokens=tokens), Sampling(temperature=0.0)
        request = Request(PROMPTS[self._path], sampling, limits, form=form or OutputFormat(), observe=endpoint.most)
        value = body(request, self._model.id, endpoint, stream, candidates=True)
        exchange = Exchange(self._model.address, self._path, self._key, value)
        timeouts = self._timeouts
        answer = RemoteAnswer(
            exchange, request, lambda _: None, self._stop, timeouts.opening, timeouts.last_words, timeouts.opening
        )
        return answer.go().failure, answer


def _variants(path: str) -> Iterator[EndpointCapabilities]:
    for extras in (True, False):
        if path == RAW:
            yield from (EndpointCapabilities(extras, LogprobParameter.NUMBER, most) for most in (MOST[0], MOST[2]))
        yield from (
            EndpointCapabilities(extras, LogprobParameter.SWITCH, most) for most in (MOST if path == CHAT else MOST[1:])
        )
        yield EndpointCapabilities(extras)
