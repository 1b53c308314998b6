"""The texts and the tokenizer of the scripted engine."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.engine.types import (
    ChatPrompt,
    ExactPrompt,
    Failure,
    PromptPart,
    PromptSource,
    PromptSpan,
    RawPrompt,
    Role,
    TokenPrompt,
)
from app.i18n import tr

VOCABULARY = 65_536
END_ID = 2
END_TEXT = "<|end|>"
SPECIAL = {END_TEXT: END_ID, "<|system|>": 3, "<|user|>": 4, "<|model|>": 5}
FIRST_PIECE_ID = 16
BYTES_IN_WIDE = 3
"""A character beyond the basic plane takes this many tokens, as in small real vocabularies."""

REPLIES = (
    "I am the scripted engine of Sluice. No model is loaded: these words were written beforehand, "
    "and I speak them at a steady pace, so that the window, its speed graph and its gauges can be "
    "tried, tested and photographed.\n\n"
    "What you see is otherwise real. Each piece of text is one token, it crossed a thread, it was "
    "counted and timed. Press Stop and I stop; lower the limit and I end early, and Continue goes on "
    "where I was.",
    "# A sample of everything\n\n"
    "Some *emphasis*, some **weight**, some `code` in a line.\n\n"
    "- a list\n- with three\n- short items\n\n"
    "| unit | meaning |\n| --- | --- |\n| tok/s | tokens in a second |\n| ms | a thousandth of it |\n\n"
    '```python\ndef greet(name: str) -> str:\n    return f"Hello, {name}!"\n```\n\n'
    "And a sentence that ends it.",
    "Emoji take several tokens each: 🌊 🚀 🧪. So do rarer letters: 𝛑 and 𐍈. None of them is ever shown half written.",
)
THINK_MARKS = ("<think>", "</think>")

_PIECE = re.compile(r"<\|\w+\|>| ?[^\W\U00010000-\U0010ffff]{1,8}|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ScriptedToken:
    """One scripted token: its id and the text that it completes."""

    id: int
    text: str


def pieces(text: str) -> Iterator[ScriptedToken]:
    """Split `text` into tokens whose texts join to it exactly."""
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece in SPECIAL:
            yield ScriptedToken(SPECIAL[piece], piece)
        elif len(piece) == 1 and ord(piece) > 0xFFFF:
            yield from (ScriptedToken(_id(f"{piece}{part}"), "") for part in range(BYTES_IN_WIDE - 1))
            yield ScriptedToken(_id(piece), piece)
        else:
            yield ScriptedToken(_id(piece), piece)


def reply(text: str, reasoning: str = "") -> Iterator[ScriptedToken]:
    """Yield the pieces of the reasoning section, if there is one, and of the text."""
    if reasoning:
        opening, closing = THINK_MARKS
        yield ScriptedToken(_id(opening), opening)
        yield from pieces(reasoning)
        yield ScriptedToken(_id(closing), closing)
    yield from pieces(text)


def render(source: PromptSource, known: dict[int, str]) -> ExactPrompt | Failure:
    """Return the exact prompt. `known`: texts of the ids emitted so far, for a prompt of ids."""
    if isinstance(source, ChatPrompt):
        parts = _chat_parts(source)
    elif isinstance(source, RawPrompt):
        parts = [(PromptPart.USER, source.text)]
    else:
        exact = _of_ids(source, known)
        return replace(exact, raw=True, opens_reasoning=False) if source.raw else exact
    said = [(part, piece) for part, text in parts for piece in pieces(text)]
    prompt = _exact([(PromptPart.SPECIAL if piece.id in SPECIAL.values() else part, piece) for part, piece in said])
    prompt = replace(prompt, raw=isinstance(source, RawPrompt))
    if isinstance(source, ChatPrompt):
        taken = (offset for (part, piece), offset in zip(said, prompt.offsets, strict=True) if _is_taken(part, piece))
        prompt = replace(prompt, taken_for_special=tuple(taken))
    return prompt if prompt.ids else Failure(tr("There is nothing to send."), tr("Write a prompt first."), kind="empty")


def _of_ids(source: TokenPrompt, known: dict[int, str]) -> ExactPrompt:
    said = [ScriptedToken(each, known.get(each, "")) for each in source.ids]
    begun = source.begun
    said += pieces(begun.text) if begun else ()
    prompt = _exact([(PromptPart.USER, piece) for piece in said])
    if begun is None:
        return prompt
    texts = tuple(piece.text for piece in said[begun.start :])
    return replace(prompt, begun=texts, opens_reasoning=begun.reasoning)


def _chat_parts(source: ChatPrompt) -> list[tuple[PromptPart, str]]:
    owners = {
        Role.SYSTEM: PromptPart.SYSTEM,
        Role.USER: PromptPart.USER,
        Role.ASSISTANT: PromptPart.MODEL,
        Role.TOOL: PromptPart.USER,
    }
    tags = {Role.SYSTEM: "<|system|>", Role.USER: "<|user|>", Role.ASSISTANT: "<|model|>", Role.TOOL: "<|tool|>"}
    parts: list[tuple[PromptPart, str]] = []
    for message in source.messages:
        parts.append((PromptPart.SPECIAL, tags[message.role]))
        parts.append((owners[message.role], message.text))
        parts.append((PromptPart.SPECIAL, END_TEXT))
    parts.append((PromptPart.SPECIAL, "<|model|>"))
    parts.append((PromptPart.MODEL, source.reply_start))
    return parts


def _is_taken(part: PromptPart, piece: ScriptedToken) -> bool:
    return part in (PromptPart.SYSTEM, PromptPart.USER) and piece.id in SPECIAL.values()


def _exact(parts: list[tuple[PromptPart, ScriptedToken]]) -> ExactPrompt:
    offsets: list[tuple[int, int]] = []
    spans: list[PromptSpan] = []
    end = 0
    for part, piece in parts:
        start, end = end, end + len(piece.text)
        offsets.append((start, end))
        if spans and spans[-1].part is part:
            spans[-1] = PromptSpan(part, spans[-1].start, end)
        else:
            spans.append(PromptSpan(part, start, end))
    text = "".join(piece.text for _, piece in parts)
    return ExactPrompt(text, tuple(piece.id for _, piece in parts), tuple(offsets), tuple(spans))


def _id(text: str) -> int:
    return FIRST_PIECE_ID + zlib.crc32(text.encode()) % (VOCABULARY - FIRST_PIECE_ID)
