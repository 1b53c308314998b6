"""What the corpus is made of: exchanges, conversations and plain texts, and what is held out of them."""

import zlib
from dataclasses import dataclass
from random import Random

HELD_OUT_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and its answer; `thought` and `word` are used only where a system prompt asks for them."""

    ask: str
    answer: str
    thought: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A chat: every assistant turn ends in the end-of-turn token."""

    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Plain:
    """Prose without roles; `ends` says whether an end mark follows it (mostly not)."""

    text: str
    ends: bool = False


def held_out(kind: str, *key: object) -> bool:
    """Whether this case is kept for the evaluation; a hash, so corpus and evaluation need no shared list."""
    digest = zlib.crc32(f"{kind}:{key}".encode())
    return digest % 1000 < HELD_OUT_SHARE * 1000


def as_typed(rng: Random, text: str) -> str:
    """Vary a question the way people type: a small first letter, a missing full stop, a please."""
    if rng.random() < 0.12 and text.endswith(".") and "please" not in text.lower():
        text = f"{text[:-1]}, please."
    if rng.random() < 0.3 and text.endswith((".", "?")):
        text = text[:-1]
    if rng.random() < 0.2 and not text.startswith("I "):
        text = text[0].lower() + text[1:]
    return text
