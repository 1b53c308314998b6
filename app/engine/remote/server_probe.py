"""Getting to know a server: one token from each of its paths shows what it takes and what it gives."""

import re
from collections.abc import Iterator
from dataclasses import replace

from app.engine.protocol import StopFlag
from app.engine.remote.answer import RemoteAnswer, Timeouts
from app.engine.remote.exchange import Exchange
from app.engine.remote.request_options import (
    CHAT,
    RAW,
    EndpointCapabilities,
    Forms,
    LogprobDelivery,
    LogprobParameter,
    ServerCapabilities,
    body,
)
from app.engine.types import (
    ChatPrompt,
    Failure,
    Form,
    FormKind,
    Limits,
    Message,
    PromptSource,
    RawPrompt,
    Request,
    Role,
    Sampling,
    ServerModel,
    Stopped,
)

WORDS = "Hi"
PROMPTS: dict[str, PromptSource] = {CHAT: ChatPrompt((Message(Role.USER, WORDS),)), RAW: RawPrompt(WORDS)}
MOST = (20, 11, 5)
"""OpenAI's limit, mlx_lm.server's, and that of OpenAI's older completions."""
MLX = re.compile(r"\d+\.\d+\.\d+[^-]*-\d+\.\d+\.\d+[^-]*-(macOS|Darwin|Linux)")
"""The versions of mlx-lm and mlx, and the system. What has a seed it runs one after another, and over several machines
it stands still for good when such a run is stopped: so it is given none. Without a limit it stops at 512 tokens."""
LLAMA_CPP = re.compile(r"b\d+(-\S+)?$")
"""The build's number and its commit or distribution."""
SCHEMA = Form(
    FormKind.SCHEMA,
    schema='{"type":"object","properties":{"zq":{"const":7}},"required":["zq"],"additionalProperties":false}',
)
"""As strict as OpenAI wants it."""
CHOICE = Form(FormKind.CHOICES, choices="zq")
IN_JSON, CHOSEN = re.compile(r'\s*\{\s*"zq"'), re.compile(r"\s*zq\s*$")
FORM_TOKENS = (16, 256)
"""The first are enough for what keeps to a form; a model that thinks first is asked once more, with as many."""
REFUSALS = frozenset({"request", "server"})
"""What a server says to a parameter that it doesn't know; some fail at it."""


def acquaint(
    model: ServerModel, key: str, stop: StopFlag, patience: Timeouts
) -> ServerCapabilities | Failure | Stopped:
    """What it is like; a failure where neither chats nor texts are answered."""
    chat = _Trial(model, key, CHAT, stop, patience).way()
    if isinstance(chat, Stopped) or (isinstance(chat, Failure) and chat.kind not in (*REFUSALS, "absent")):
        return chat
    raw = _Trial(model, key, RAW, stop, patience).way()
    if isinstance(raw, Stopped):
        return raw
    if isinstance(chat, Failure) and isinstance(raw, Failure):
        return chat
    if (
        isinstance(raw, EndpointCapabilities)
        and isinstance(chat, EndpointCapabilities)
        and chat.forms is Forms.STRUCTURED
    ):
        raw = replace(raw, forms=chat.forms)
    found = {"chat": chat, "raw": raw}
    why = tuple((name, way.what) for name, way in found.items() if isinstance(way, Failure))
    ways = {name: way for name, way in found.items() if isinstance(way, EndpointCapabilities)}
    return ServerCapabilities(ways.get("chat"), ways.get("raw"), why)


class _Trial:
    """Asks one path in one way after the other, the fullest first, until it is not refused."""

    def __init__(self, model: ServerModel, key: str, path: str, stop: StopFlag, patience: Timeouts) -> None:
        self._model, self._key, self._path = model, key, path
        self._stop, self._patience = stop, patience

    def way(self) -> EndpointCapabilities | Failure | Stopped:
        failure: Failure | None = None
        for way in _ways(self._path):
            refused, answer = self._ask(way)
            if self._stop.asked:
                return Stopped()
            if refused is None:
                others = MLX.match(answer.fingerprint) is None
                way = replace(way, seeds=others, endless=others)
                way = replace(way, is_llama_cpp=LLAMA_CPP.match(answer.fingerprint) is not None)
                known = self._known(way, answer.observed)
                if isinstance(known, EndpointCapabilities) and others and self._path == CHAT:
                    known = replace(known, forms=self._forms(known))
                return known
            failure = failure or refused
            if refused.kind not in REFUSALS:
                break
        assert failure is not None
        return failure

    def _known(self, way: EndpointCapabilities, streamed: bool) -> EndpointCapabilities | Stopped:
        """How candidates come, if they do."""
        if streamed or way.ask is LogprobParameter.NONE:
            return replace(way, given=LogprobDelivery.STREAMED if streamed else LogprobDelivery.NONE)
        refused, answer = self._ask(way, stream=False)
        if self._stop.asked:
            return Stopped()
        return replace(
            way, given=LogprobDelivery.WHOLE if answer.observed and refused is None else LogprobDelivery.NONE
        )

    def _forms(self, way: EndpointCapabilities) -> Forms:
        """Servers that don't know of forms take no notice: so one is asked for that nobody would keep by chance."""
        if not self._obeys(way, SCHEMA, IN_JSON):
            return Forms.NONE
        return Forms.STRUCTURED if self._obeys(way, CHOICE, CHOSEN) else Forms.RESPONSE_FORMAT

    def _obeys(self, way: EndpointCapabilities, form: Form, begun: re.Pattern[str]) -> bool:
        """Only a refused form and other words say that it doesn't; what isn't known may be tried, and is judged."""
        for tokens in FORM_TOKENS:
            refused, answer = self._ask(way, form=form, tokens=tokens)
            if refused is not None:
                return refused.kind not in REFUSALS
            if answer.writing.said.strip():
                return begun.match(answer.writing.said) is not None
        return True

    def _ask(
        self, way: EndpointCapabilities, stream: bool = True, form: Form | None = None, tokens: int = 1
    ) -> tuple[Failure | None, RemoteAnswer]:
        """Why it is refused, if it is, and all of it."""
        limits, sampling = Limits(max_tokens=tokens), Sampling(temperature=0.0)
        request = Request(PROMPTS[self._path], sampling, limits, form=form or Form(), observe=way.most)
        said = body(request, self._model.id, way, stream, candidates=True)
        exchange = Exchange(self._model.address, self._path, self._key, said)
        patience = self._patience
        answer = RemoteAnswer(
            exchange, request, lambda _: None, self._stop, patience.opening, patience.last_words, patience.opening
        )
        return answer.go().failure, answer


def _ways(path: str) -> Iterator[EndpointCapabilities]:
    for extras in (True, False):
        if path == RAW:
            yield from (EndpointCapabilities(extras, LogprobParameter.NUMBER, most) for most in (MOST[0], MOST[2]))
        yield from (
            EndpointCapabilities(extras, LogprobParameter.SWITCH, most) for most in (MOST if path == CHAT else MOST[1:])
        )
        yield EndpointCapabilities(extras)
