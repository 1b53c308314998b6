"""Detokenizes a stream into complete characters."""

import codecs
import re
from collections.abc import Callable, Sequence
from typing import Protocol

REACH_TOKENS = 8
"""Number of context tokens: a character has at most four bytes, and a token that spells something has at least one."""
PATIENCE_TOKENS = 16
"""Tokens after which an incomplete character counts as invalid bytes."""


GARBAGE = "\ufffd"
"""Replaces bytes that form no character."""
LONGEST_CHARACTER = 4
"""In bytes."""
_STRAY = re.compile("[\udc80-\udcff]+")
"""Bytes that form no character, as `surrogateescape` represents them."""


def named(piece: bytes) -> str:
    """Return a token's text; incomplete characters appear as ⟨E2 80⟩, so that all tokens look different."""
    text = piece.decode("utf-8", "surrogateescape")
    return text if text.isascii() else _STRAY.sub(_in_figures, text)


def _in_figures(stray: re.Match[str]) -> str:
    return f"⟨{stray[0].encode('utf-8', 'surrogateescape').hex(' ').upper()}⟩"


STRETCH = 256


def common_prefix(left: Sequence[object], right: Sequence[object]) -> int:
    """Return the length of the common prefix, compared in blocks, which is ten times as fast."""
    start, end = 0, min(len(left), len(right))
    while start < end and left[start : start + STRETCH] == right[start : start + STRETCH]:
        start += STRETCH
    pairs = zip(left[start:], right[start:], strict=False)
    return next((start + place for place, (one, other) in enumerate(pairs) if one != other), end)


RECURS = 16
"""A repeated sequence of this length is no coincidence, and longer than what a chat template writes between two turns.
"""


def recurring(before: Sequence[int], ids: Sequence[int]) -> int:
    """Return the number of ids in sequences that also occur in `before`."""
    stretches = {tuple(before[start : start + RECURS]) for start in range(0, len(before) - RECURS + 1, RECURS)}
    count = place = 0
    while stretches and place + RECURS <= len(ids):
        found = tuple(ids[place : place + RECURS]) in stretches
        count += RECURS * found
        place += RECURS if found else 1
    return count


class TextStream(Protocol):
    """Text of one reply, token by token."""

    def add(self, token_id: int) -> str:
        """Return text completed by a token, often none."""

    def finish(self) -> tuple[str, bytes]:
        """Return the text held back, and the bytes of an incomplete last character."""


class ByteStream:
    """Detokenizer for tokenizers with a fixed spelling of each id; it holds back three bytes at most.

    `begin` changes the first text if nothing precedes it.
    """

    __slots__ = ("_begin", "_decoder", "_piece")

    def __init__(
        self, piece: Callable[[int], bytes], context: Sequence[int] = (), begin: Callable[[str], str] | None = None
    ) -> None:
        self._piece = piece
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        for token_id in context[-REACH_TOKENS:]:
            self._decoder.decode(piece(token_id))
        self._begin = _without_invalid_prefix if self._decoder.getstate()[0] else begin

    def add(self, token_id: int) -> str:
        text = self._decoder.decode(self._piece(token_id))
        if text and self._begin is not None:
            text, self._begin = self._begin(text), None
        return text

    def finish(self) -> tuple[str, bytes]:
        return "", self._decoder.getstate()[0]


def _without_invalid_prefix(text: str) -> str:
    """Return the text without invalid bytes of the prompt, which ended inside a character."""
    return text.removeprefix(GARBAGE)


class WindowStream:
    """Detokenizer for all other tokenizers: decodes the last ids together and releases settled text.

    A decoder with byte fallback replaces a whole run of bytes if one character is incomplete, so settled text is
    compared without the bytes after it.
    """

    __slots__ = ("_decode", "_ids", "_pending", "_read", "_text")

    def __init__(self, decode: Callable[[Sequence[int]], str], context: Sequence[int]) -> None:
        self._decode = decode
        self._ids, self._text, self._pending = _split_context(decode, context)
        """`_pending`: number of ids at the end of the prompt that belong to an incomplete character."""
        self._read = len(self._ids) - self._pending

    def add(self, token_id: int) -> str:
        self._ids.append(token_id)
        text = self._decode(self._ids)
        waits = len(self._ids) - self._read < PATIENCE_TOKENS
        if waits and (text.endswith(GARBAGE) or len(text) <= len(self._text)):
            return ""
        out = self._new(text)
        del self._ids[: self._read]
        self._read, self._pending = len(self._ids), 0
        self._text = self._decode(self._ids)
        return out

    def finish(self) -> tuple[str, bytes]:
        """Return the text held back. Bytes are unknown, so an incomplete character is U+FFFD."""
        left = self._new(self._decode(self._ids)) if len(self._ids) > self._read + self._pending else ""
        whole = left.rstrip(GARBAGE)
        return whole, left[len(whole) :].encode()

    def _new(self, text: str) -> str:
        if text.startswith(self._text):
            new = text[len(self._text) :]
        elif GARBAGE in text:
            new = self._decode(self._ids[self._read :])
        else:
            same = next((i for i, pair in enumerate(zip(text, self._text, strict=False)) if pair[0] != pair[1]), None)
            new = text[len(self._text) if same is None else same :]
        for _ in range(self._pending):  # bytes that the reply did not complete belong to the prompt
            new = new.removeprefix(GARBAGE)
        return new


def _split_context(decode: Callable[[Sequence[int]], str], context: Sequence[int]) -> tuple[list[int], str, int]:
    """Return the last ids of a prompt, the text of the complete ones, and the number of incomplete ones."""
    length = len(context)
    for pending in range(min(LONGEST_CHARACTER, length)):
        for start in range(max(0, length - REACH_TOKENS), max(0, length - REACH_TOKENS - LONGEST_CHARACTER) - 1, -1):
            ids = list(context[start:])
            text = decode(ids[: len(ids) - pending])
            if GARBAGE not in text:
                whole = decode(ids).rstrip(GARBAGE)  # an id may have a space before the bytes
                return ids, whole if whole.startswith(text) else text, pending
    ids = list(context[-REACH_TOKENS:])
    return ids, decode(ids) if ids else "", 0
