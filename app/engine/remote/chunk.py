"""One event of an answer, as far as it can be read: text by voice, tokens with their candidates, an end, counts.

Nothing that a server sends is believed to be of the type that it should be.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from app.engine.remote.foreign_json import BRACKETS_LIMIT, text_of, value_of
from app.engine.text import named
from app.engine.types import NO_ID, Alternative, Channel

LARGEST = 2**53
REASONING = ("reasoning", "reasoning_content")
"""How servers call it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One token and what else might have stood there, as the server tells it. `logprob` None: it does not."""

    text: str
    id: int
    logprob: float | None
    top: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """How many tokens it read, wrote, and found in its cache. None: it doesn't say."""

    read: int | None
    written: int | None
    cached: int | None


@dataclass(frozen=True, slots=True)
class CallPart:
    """A piece of a call of a tool. Of which call, its index tells, or its id; both are often missing."""

    index: int | None
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one event says."""

    pieces: tuple[tuple[Channel, str], ...] = ()
    calls: tuple[CallPart, ...] = ()
    choices: tuple[Choice, ...] = ()
    finish: str = ""
    usage: Usage | None = None
    error: str = ""
    fingerprint: str = ""
    """What the server says of itself."""


def read_chunk(data: str | bytes, brackets: int = BRACKETS_LIMIT) -> Chunk | None:
    """None for what is no such event."""
    said = value_of(data, brackets)
    if not isinstance(said, dict):
        return None
    if error := said.get("error"):
        message = error.get("message") if isinstance(error, dict) else error
        return Chunk(error=text_of(message if isinstance(message, str) else error) or "?")
    choices = said.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    news = next((each for each in (first.get("delta"), first.get("message")) if isinstance(each, dict)), first)
    calls = tuple(_called(news.get("tool_calls")))
    finish, fingerprint = first.get("finish_reason"), said.get("system_fingerprint")
    return Chunk(
        pieces=tuple(_pieces(news, calls)),
        calls=calls,
        choices=tuple(_choices(first.get("logprobs"))),
        finish=finish if isinstance(finish, str) else "",
        usage=_usage(said.get("usage")),
        fingerprint=fingerprint if isinstance(fingerprint, str) else "",
    )


def _pieces(said: dict[str, object], calls: tuple[CallPart, ...]) -> Iterator[tuple[Channel, str]]:
    """However many calls there are, they came as one piece, each on a line where it is told which one it is."""
    reasoning = next((said[name] for name in REASONING if _is_text(said.get(name))), None)
    if _is_text(reasoning):
        yield Channel.REASONING, reasoning
    content = said.get("content", said.get("text"))
    parts = list(_parts(content))
    for voice in (Channel.REASONING, Channel.NORMAL):
        if text := "".join(text for each, text in parts if each is voice):
            yield voice, text
    if called := "".join("\n" * bool(call.index and call.name) + call.name + call.arguments for call in calls):
        yield Channel.TOOL, called


def _parts(said: object) -> Iterator[tuple[Channel, str]]:
    """Text as it is; Mistral's servers cut it in parts, and thoughts are parts with further ones in them."""
    if _is_text(said):
        yield Channel.NORMAL, said
    elif isinstance(said, list):
        for each in said:
            yield from _parts(each)
    elif isinstance(said, dict):
        yield from ((Channel.REASONING, text) for _, text in _parts(said.get("thinking")))
        yield from _parts(said.get("text"))


def _called(calls: object) -> Iterator[CallPart]:
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            index, arguments = call.get("index"), function.get("arguments")
            said = (call.get("id"), function.get("name"), text_of(arguments) if arguments else "")
            yield CallPart(index if _is_count(index) else None, *(each if _is_text(each) else "" for each in said))


def _choices(said: object) -> Iterator[Choice]:
    """In the way of chats, and in the older one of completions."""
    if not isinstance(said, dict):
        return
    content, tokens = said.get("content"), said.get("tokens")
    if isinstance(content, list):
        yield from (_choice(each) for each in content if isinstance(each, dict))
    elif isinstance(tokens, list):
        logprobs, tops = said.get("token_logprobs"), said.get("top_logprobs")
        for place, token in enumerate(tokens):
            logprob, top = _at(logprobs, place), _at(tops, place)
            others = top.items() if isinstance(top, dict) else ()
            said_top = [{"token": text, "logprob": each} for text, each in others]
            yield _choice({"token": token, "logprob": logprob, "top_logprobs": said_top})


def _choice(said: dict[str, object]) -> Choice:
    top = said.get("top_logprobs")
    others = [each for each in top if isinstance(each, dict)] if isinstance(top, list) else []
    known = sorted((each for each in others if _is_number(each.get("logprob"))), key=_likelihood, reverse=True)
    candidates = tuple(
        Alternative(_id(each, NO_ID - place), _text(each), _likelihood(each), math.nan)
        for place, each in enumerate(known)
    )
    text, logprob = _text(said), said.get("logprob")
    same = next((each.id for each in candidates if each.text == text), NO_ID - len(candidates))
    return Choice(text, _id(said, same), float(logprob) if _is_number(logprob) else None, candidates)


def _likelihood(said: dict[str, object]) -> float:
    logprob = said.get("logprob")
    return float(logprob) if _is_number(logprob) else -math.inf


def _id(said: dict[str, object], otherwise: int) -> int:
    found = said.get("id")
    return found if _is_count(found) else otherwise


def _text(said: dict[str, object]) -> str:
    """By its bytes, where they are told: a token may be part of a character."""
    spelt, token = said.get("bytes"), said.get("token")
    if isinstance(spelt, list) and spelt and all(_is_count(each) and each < 256 for each in spelt):
        return named(bytes(spelt))
    return token if isinstance(token, str) else ""


def _usage(said: object) -> Usage | None:
    if not isinstance(said, dict):
        return None
    details = said.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    found = (said.get("prompt_tokens"), said.get("completion_tokens"), cached)
    return Usage(*(each if _is_count(each) else None for each in found))


def _at(values: object, place: int) -> object:
    return values[place] if isinstance(values, list) and place < len(values) else None


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST
