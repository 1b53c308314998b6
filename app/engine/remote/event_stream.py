"""The events of an answer: server-sent events from bytes, and the contents of one of them.

Every value is checked for its type, since servers differ.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

from app.engine.remote.foreign_json import BRACKETS_LIMIT, text_of, value_of
from app.engine.text import printable_piece
from app.engine.types import NO_ID, Alternative, Channel

LINE_LIMIT = 4 << 20
"""Largest event in bytes: also enough for a whole answer with alternatives."""
BOM = b"\xef\xbb\xbf"


class EventTooLongError(Exception):
    """An event beyond the limit."""


class ServerSentEvent(NamedTuple):
    """One event, or a comment, which is a keep-alive message."""

    data: str
    comment: bool = False


class EventParser:
    """Turns received bytes into complete events."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        """Parts of the incomplete line."""
        self._data: list[str] = []
        self._has_begun = self._ends_with_cr = False
        self._size = 0
        """Bytes of the incomplete event, ignored lines included."""

    def read(self, content: bytes) -> list[ServerSentEvent]:
        """Return the events that are complete now."""
        if not self._has_begun and content:
            self._has_begun, content = True, content.removeprefix(BOM)
        first, *others = self._normalize(content).split(b"\n")
        self._rest.append(first)
        self._size += len(first)
        events: list[ServerSentEvent] = []
        for line in others:
            events += self._end_line()
            self._rest.append(line)
            self._size += len(line) + 1
            self._check()
        self._check()
        return events

    def finish(self) -> list[ServerSentEvent]:
        """Return the last event of a server that omits the empty line after it."""
        return [*self._end_line(), *self._line(b"")]

    def _normalize(self, content: bytes) -> bytes:
        """Normalize line ends: CR, LF, or CRLF, which may be split over two reads."""
        if self._ends_with_cr and content:
            content, self._ends_with_cr = content.removeprefix(b"\n"), False
        if b"\r" in content:
            self._ends_with_cr = content.endswith(b"\r")
            content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return content

    def _check(self) -> None:
        if self._size > LINE_LIMIT:
            raise EventTooLongError

    def _end_line(self) -> list[ServerSentEvent]:
        line, self._rest = b"".join(self._rest), []
        return self._line(line)

    def _line(self, line: bytes) -> list[ServerSentEvent]:
        text = line.decode("utf-8", "replace")
        if not text:
            data, self._data, self._size = "\n".join(self._data), [], 0
            return [ServerSentEvent(data)] if data else []
        if text.startswith(":"):
            self._size -= len(line)
            return [ServerSentEvent(text[1:].strip(), comment=True)]
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "error" and value:  # llama.cpp's form
            self._data.append(f'{{"error": {value}}}')
        return []


LARGEST = 2**53
REASONING = ("reasoning", "reasoning_content")
"""Names of the reasoning field in a server's answer."""


@dataclass(frozen=True, slots=True)
class ChunkToken:
    """One token with its alternatives. `logprob` None: not sent."""

    text: str
    id: int
    logprob: float | None
    top: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Prompt, completion and cached tokens. None: not sent."""

    read: int | None
    written: int | None
    cached: int | None


@dataclass(frozen=True, slots=True)
class CallPart:
    """A part of a tool call. Index or id identify the call; both are often missing."""

    index: int | None
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Chunk:
    pieces: tuple[tuple[Channel, str], ...] = ()
    calls: tuple[CallPart, ...] = ()
    choices: tuple[ChunkToken, ...] = ()
    finish: str = ""
    usage: TokenUsage | None = None
    error: str = ""
    fingerprint: str = ""
    """The server's `system_fingerprint`."""


def read_chunk(data: str | bytes, brackets: int = BRACKETS_LIMIT) -> Chunk | None:
    """Read an event; None if it is malformed."""
    value = value_of(data, brackets)
    if not isinstance(value, dict):
        return None
    if error := value.get("error"):
        message = error.get("message") if isinstance(error, dict) else error
        return Chunk(error=text_of(message if isinstance(message, str) else error) or "?")
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    delta = next((each for each in (first.get("delta"), first.get("message")) if isinstance(each, dict)), first)
    calls = tuple(_call_parts(delta.get("tool_calls")))
    finish, fingerprint = first.get("finish_reason"), value.get("system_fingerprint")
    return Chunk(
        pieces=tuple(_pieces(delta, calls)),
        calls=calls,
        choices=tuple(_choices(first.get("logprobs"))),
        finish=finish if isinstance(finish, str) else "",
        usage=_usage(value.get("usage")),
        fingerprint=fingerprint if isinstance(fingerprint, str) else "",
    )


def _pieces(value: dict[str, object], calls: tuple[CallPart, ...]) -> Iterator[tuple[Channel, str]]:
    """Yield the pieces of text by channel. All tool calls are one piece."""
    reasoning = next((value[name] for name in REASONING if _is_text(value.get(name))), None)
    if _is_text(reasoning):
        yield Channel.REASONING, reasoning
    content = value.get("content", value.get("text"))
    parts = list(_parts(content))
    for channel in (Channel.REASONING, Channel.NORMAL):
        if text := "".join(text for each, text in parts if each is channel):
            yield channel, text
    if called := "".join("\n" * bool(call.index and call.name) + call.name + call.arguments for call in calls):
        yield Channel.TOOL, called


def _parts(value: object) -> Iterator[tuple[Channel, str]]:
    """Yield text; Mistral's servers send lists of parts, and nested parts for reasoning."""
    if _is_text(value):
        yield Channel.NORMAL, value
    elif isinstance(value, list):
        for each in value:
            yield from _parts(each)
    elif isinstance(value, dict):
        yield from ((Channel.REASONING, text) for _, text in _parts(value.get("thinking")))
        yield from _parts(value.get("text"))


def _call_parts(calls: object) -> Iterator[CallPart]:
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            index, arguments = call.get("index"), function.get("arguments")
            value = (call.get("id"), function.get("name"), text_of(arguments) if arguments else "")
            yield CallPart(index if _is_count(index) else None, *(each if _is_text(each) else "" for each in value))


def _choices(value: object) -> Iterator[ChunkToken]:
    """Yield tokens in the form of chat completions, or in that of completions."""
    if not isinstance(value, dict):
        return
    content, tokens = value.get("content"), value.get("tokens")
    if isinstance(content, list):
        yield from (_choice(each) for each in content if isinstance(each, dict))
    elif isinstance(tokens, list):
        logprobs, tops = value.get("token_logprobs"), value.get("top_logprobs")
        for position, token in enumerate(tokens):
            logprob, top = _at(logprobs, position), _at(tops, position)
            others = top.items() if isinstance(top, dict) else ()
            said_top = [{"token": text, "logprob": each} for text, each in others]
            yield _choice({"token": token, "logprob": logprob, "top_logprobs": said_top})


def _choice(value: dict[str, object]) -> ChunkToken:
    top = value.get("top_logprobs")
    others = [each for each in top if isinstance(each, dict)] if isinstance(top, list) else []
    known = sorted((each for each in others if _is_number(each.get("logprob"))), key=_likelihood, reverse=True)
    candidates = tuple(
        Alternative(_id(each, NO_ID - position), _text(each), _likelihood(each), math.nan)
        for position, each in enumerate(known)
    )
    text, logprob = _text(value), value.get("logprob")
    same = next((each.id for each in candidates if each.text == text), NO_ID - len(candidates))
    return ChunkToken(text, _id(value, same), float(logprob) if _is_number(logprob) else None, candidates)


def _likelihood(value: dict[str, object]) -> float:
    logprob = value.get("logprob")
    return float(logprob) if _is_number(logprob) else -math.inf


def _id(value: dict[str, object], otherwise: int) -> int:
    found = value.get("id")
    return found if _is_count(found) else otherwise


def _text(value: dict[str, object]) -> str:
    """Return the token's text, from its bytes if sent: a token may be part of a character."""
    codes, token = value.get("bytes"), value.get("token")
    if isinstance(codes, list) and codes and all(_is_count(each) and each < 256 for each in codes):
        return printable_piece(bytes(codes))
    return token if isinstance(token, str) else ""


def _usage(value: object) -> TokenUsage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    found = (value.get("prompt_tokens"), value.get("completion_tokens"), cached)
    return TokenUsage(*(each if _is_count(each) else None for each in found))


def _at(values: object, position: int) -> object:
    return values[position] if isinstance(values, list) and position < len(values) else None


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LARGEST
