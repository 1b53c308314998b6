"""Runs requests on a server, and collects the events."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.protocol import Engine, StopFlag
from app.engine.remote.address import reference
from app.engine.remote.answer import Timeouts
from app.engine.remote.engine import RemoteEngine
from app.engine.types import (
    Channel,
    ChatPrompt,
    Event,
    Finish,
    Limits,
    LoadRequest,
    Message,
    Model,
    Prefill,
    PromptEvent,
    RawPrompt,
    Request,
    Role,
    Sampling,
    Token,
)
from tests.engine.remote.faults import Answer, Asked, Faults, Line

PATIENT = Timeouts(last_words=0.5, opening=5.0)
"""A machine that is busy keeps a server of the tests silent for a second, too."""
HASTY = replace(PATIENT, silence=1.0)
"""For those that wait until it is over."""
GREEDY = Sampling(temperature=0.0)


def chat(*texts: str, tokens: int = 16, observe: int = 0, stop: tuple[str, ...] = (), heat: float = 0.0) -> Request:
    roles = (Role.USER, Role.ASSISTANT)
    messages = tuple(Message(roles[index % 2], text) for index, text in enumerate(texts))
    return Request(ChatPrompt(messages), Sampling(temperature=heat, seed=7), Limits(tokens, stop), observe=observe)


def raw(text: str, tokens: int = 16, observe: int = 0) -> Request:
    return Request(RawPrompt(text), GREEDY, Limits(tokens), observe=observe)


@dataclass
class Played:
    events: list[Event] = field(default_factory=list)
    finish: Finish = field(default_factory=lambda: Finish(None))  # type: ignore[arg-type]

    @property
    def tokens(self) -> list[Token]:
        return [event for event in self.events if isinstance(event, Token)]

    @property
    def prompted(self) -> PromptEvent:
        return next(event for event in self.events if isinstance(event, PromptEvent))

    @property
    def prefills(self) -> list[Prefill]:
        return [event for event in self.events if isinstance(event, Prefill)]

    @property
    def written(self) -> str:
        return "".join(token.text for token in self.tokens)

    def shown(self, voice: Channel = Channel.NORMAL) -> str:
        pieces = [piece for token in self.tokens for piece in token.shown] + list(self.finish.released)
        return "".join(piece.text for piece in pieces if piece.voice is voice)


def play(engine: Engine, request: Request, stop: StopFlag | None = None) -> Played:
    played = Played()
    played.finish = engine.generate(request, played.events.append, stop or StopFlag())
    return played


def opened(address: str, model: str = "one", patience: Timeouts = PATIENT, key: str = "") -> tuple[RemoteEngine, Model]:
    engine = RemoteEngine(lambda _: key, patience)
    model_opened = engine.load(LoadRequest(reference(address, model)), lambda _: None, StopFlag())
    assert isinstance(model_opened, Model), model_opened
    return engine, model_opened


def after(faults: Faults, answer: Answer, request: Request | None = None, **options: Any) -> Played:
    """Open a model on a server in order, and run a request that gets this answer."""
    engine, _ = opened(faults.address, **options)
    faults.answer = answer
    return play(engine, request or chat("Hi"))


def signed(fingerprint: str) -> Answer:
    """A server in order that tells its version."""

    def answer(_: Asked, line: Line) -> None:
        line.head()
        line.event({"choices": [{"delta": {"content": "Hi"}}], "system_fingerprint": fingerprint})
        line.end()

    return answer


def answered(faults: Faults, say: Callable[[Line], None], request: Request | None = None) -> Played:
    """Run a request that gets a stream which `say` writes after its head."""

    def answer(_: Asked, line: Line) -> None:
        line.head()
        say(line)

    return after(faults, answer, request)
