"""Turns token ids into text as they arrive: whole characters only, and every character the model wrote."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Sequence
from typing import Protocol

REACH_TOKENS = 8
"""How much of the context counts: a character has at most four bytes, and a token that spells something has one."""
PATIENCE_TOKENS = 16
"""How long a window waits for a character to become whole before it takes the bytes for garbage."""


_STRAY = re.compile("[\udc80-\udcff]+")
"""Bytes that form no character, as Python keeps them."""


def named(piece: bytes) -> str:
    """A token by itself: bytes that are only parts of characters stand as ⟨E2 80⟩, so that no two tokens read alike."""
    text = piece.decode("utf-8", "surrogateescape")
    return text if text.isascii() else _STRAY.sub(_in_figures, text)


def _in_figures(stray: re.Match[str]) -> str:
    return f"⟨{stray[0].encode('utf-8', 'surrogateescape').hex(' ').upper()}⟩"


class TextStream(Protocol):
    """The text of one reply, token by token."""

    def add(self, token_id: int) -> str:
        """What may be read now that this token is there: whole characters, often none."""

    def finish(self) -> tuple[str, bytes]:
        """The text still held back, and the bytes of a character that the end cut through."""


class ByteStream:
    """For tokenizers that spell each id by itself: an incremental decoder takes the bytes and holds back three at most.

    `begin` alters the first text of all, where nothing stands before it.
    """

    __slots__ = ("_begin", "_decoder", "_piece")

    def __init__(
        self, piece: Callable[[int], bytes], context: Sequence[int] = (), begin: Callable[[str], str] | None = None
    ) -> None:
        self._piece = piece
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for token_id in context[-REACH_TOKENS:]:
            self._decoder.decode(piece(token_id))
        self._begin = _after_garbage if self._decoder.getstate()[0] else begin

    def add(self, token_id: int) -> str:
        text = self._decoder.decode(self._piece(token_id))
        if text and self._begin is not None:
            text, self._begin = self._begin(text), None
        return text

    def finish(self) -> tuple[str, bytes]:
        return "", self._decoder.getstate()[0]


def _after_garbage(text: str) -> str:
    """The prompt ended inside a character: if the reply did not complete it, the garbage is the prompt's."""
    return text.removeprefix("\ufffd")


class WindowStream:
    """For all other tokenizers: decodes the last few ids together and lets out what has settled."""

    __slots__ = ("_decode", "_ids", "_read", "_text")

    def __init__(self, decode: Callable[[Sequence[int]], str], context: Sequence[int]) -> None:
        self._decode = decode
        self._ids = list(context[-REACH_TOKENS:])
        self._read = len(self._ids)
        self._text = decode(self._ids) if self._ids else ""

    def add(self, token_id: int) -> str:
        self._ids.append(token_id)
        text = self._decode(self._ids)
        waits = len(self._ids) - self._read < PATIENCE_TOKENS
        if waits and (text.endswith("\ufffd") or len(text) <= len(self._text)):
            return ""
        out = self._new(text)
        del self._ids[: self._read]
        self._read = len(self._ids)
        self._text = self._decode(self._ids)
        return out

    def finish(self) -> tuple[str, bytes]:
        """Such a tokenizer does not tell its bytes: a cut character is the one that stands for it, U+FFFD."""
        left = self._new(self._decode(self._ids)) if len(self._ids) > self._read else ""
        whole = left.rstrip("\ufffd")
        return whole, left[len(whole) :].encode()

    def _new(self, text: str) -> str:
        same = next((i for i, pair in enumerate(zip(text, self._text, strict=False)) if pair[0] != pair[1]), None)
        return text[len(self._text) if same is None else same :]
