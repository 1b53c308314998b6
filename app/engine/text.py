"""Text and bytes of token ids, alone and in a stream, which is detokenized into complete characters."""

import codecs
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.engine.types import SpelledToken
from app.files import json_reader

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


def printable_piece(piece: bytes) -> str:
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
    return next((start + index for index, (one, other) in enumerate(pairs) if one != other), end)


RECURS = 16
"""A repeated sequence of this length is no coincidence, and longer than what a chat template writes between two turns.
"""


def count_repeated(before: Sequence[int], ids: Sequence[int]) -> int:
    """Return the number of ids in sequences that also occur in `before`."""
    stretches = {tuple(before[start : start + RECURS]) for start in range(0, len(before) - RECURS + 1, RECURS)}
    count = index = 0
    while stretches and index + RECURS <= len(ids):
        found = tuple(ids[index : index + RECURS]) in stretches
        count += RECURS * found
        index += RECURS if found else 1
    return count


class Detokenizer(Protocol):
    """Text of one reply, token by token."""

    def add(self, token_id: int) -> str:
        """Return text completed by a token, often none."""

    def finish(self) -> tuple[str, bytes]:
        """Return the text held back, and the bytes of an incomplete last character."""


class ByteDetokenizer:
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


class WindowDetokenizer:
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


PROBE = "The  fox, it's 3.5 °C (naïve)\n\tобъём 天地 🦊🏽‍🌾 <n> can 't"
"""A text with all that decoders treat specially: spaces, punctuation, line ends, characters of several tokens."""
LARGEST_ID = 2**31 - 1


class Tokenizer(Protocol):
    """The part of transformers' tokenizer interface that is used; mlx-lm's wrapper has it too."""

    def __len__(self) -> int: ...

    def encode(self, text: str, *, add_special_tokens: bool, verbose: bool) -> list[int]: ...

    def decode(self, ids: list[int], *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str: ...


@dataclass(frozen=True, slots=True)
class DecoderRule:
    """Rule of a fast tokenizer's decoder that converts a token's name into bytes."""

    byte_level: bool = False
    replaced: tuple[tuple[str, str], ...] = ()
    byte_fallback: bool = False
    dropped_first: bool = False
    """The first token of a text loses its spaces (Metaspace)."""
    stripped: str = ""
    """Character removed once from the beginning of a text (Strip)."""

    def begin(self, text: str) -> str:
        """Return the first text without the added space."""
        return text.lstrip(" ") if self.dropped_first else text.removeprefix(self.stripped)

    def spell(self, name: str) -> bytes:
        if self.byte_level:
            spelled = [BYTE_OF.get(character) for character in name]
            known = [byte for byte in spelled if byte is not None]
            return bytes(known) if len(known) == len(spelled) else name.encode()
        for old, new in self.replaced:
            name = name.replace(old, new)
        if self.byte_fallback and len(name) == 6 and name.startswith("<0x") and name.endswith(">"):
            try:
                return bytes((int(name[3:5], 16),))
            except ValueError:
                return name.encode()
        return name.encode()


def _byte_alphabet() -> dict[str, int]:
    """Return GPT-2's table: printable bytes map to themselves, the others to characters from U+0100 on."""
    printable = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)}
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + index): byte for index, byte in enumerate(others)}


BYTE_OF = _byte_alphabet()


def rule_of(decoder: dict[str, Any]) -> DecoderRule | None:
    """Return the rule of a decoder; None if a token's text depends on its neighbors."""
    steps = decoder["decoders"] if decoder["type"] == "Sequence" else [decoder]
    match [step["type"] for step in steps]:
        case ["ByteLevel"]:
            return DecoderRule(byte_level=True)
        case ["Metaspace"]:
            spaces = ((steps[0]["replacement"], " "),)
            return DecoderRule(replaced=spaces, dropped_first=steps[0]["prepend_scheme"] != "never")
        case [*first, "ByteFallback", "Fuse"] if set(first) <= {"Replace"}:
            return _fallback_rule(steps[: len(first)], "")
        case [*first, "ByteFallback", "Fuse", "Strip"] if set(first) <= {"Replace"}:
            strip = steps[-1]
            return _fallback_rule(steps[: len(first)], strip["content"]) if strip["start"] == 1 else None
    return None


def _fallback_rule(replacements: list[dict[str, Any]], stripped: str) -> DecoderRule | None:
    if any("String" not in step["pattern"] for step in replacements):
        return None
    pairs = tuple((step["pattern"]["String"], step["content"]) for step in replacements)
    return DecoderRule(replaced=pairs, byte_fallback=True, stripped=stripped)


class TextCache(dict[int, str]):
    """Cached text of each id: recording needs eleven for each token."""

    def __init__(self, text_of: Callable[[int], str]) -> None:
        super().__init__()
        self._text_of = text_of

    def __missing__(self, token_id: int) -> str:
        text = self[token_id] = self._text_of(token_id)
        return text


class TokenDecoder:
    """Text and bytes of token ids. One for each model, since it caches every id."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._backend: Any = getattr(tokenizer, "backend_tokenizer", None)
        self._added = frozenset(getattr(tokenizer, "added_tokens_decoder", ()))
        self._size = len(tokenizer)
        self._pieces: dict[int, bytes] = {}
        self._rule = self._find_rule()
        self.texts = TextCache(self.text)

    @property
    def has_rule(self) -> bool:
        """Whether the bytes of each id are known, independent of its neighbors."""
        return self._rule is not None

    def token_texts(self, ids: Sequence[int]) -> tuple[SpelledToken, ...]:
        """Return the text of each id; an incomplete character at the end belongs to the last one."""
        stream = self.stream()
        texts = list(map(stream.add, ids))
        if texts:
            texts[-1] += stream.finish()[0]
        pieces = map(self.piece, ids)
        return tuple(SpelledToken(*each) for each in zip(ids, pieces, texts, strict=True))

    def stream(self, context: Sequence[int] = ()) -> Detokenizer:
        """Create a detokenizer that continues after `context`, the ids of the prompt."""
        if self._rule is None:
            return WindowDetokenizer(self.decode, context)
        return ByteDetokenizer(self.piece, context, None if context else self._rule.begin)

    def decode(self, ids: Iterable[int]) -> str:
        """Decode all ids, with special tokens and spaces unchanged."""
        known = [token_id for token_id in ids if self._name(token_id) is not None]
        return self._tokenizer.decode(known, skip_special_tokens=False, clean_up_tokenization_spaces=False)

    def text(self, token_id: int) -> str:
        """Return the text of one id for display; invalid bytes are named."""
        if self._rule is None:
            text = self.decode([token_id])
            # Only its name distinguishes it from other tokens.
            return (
                printable_piece(DecoderRule(byte_level=True).spell(self._name(token_id) or text))
                if "\ufffd" in text
                else text
            )
        return printable_piece(self.piece(token_id))

    def _name(self, token_id: int) -> str | None:
        """Return the name of an id; None for padding of the vocabulary."""
        if not 0 <= token_id <= LARGEST_ID:
            return None
        if self._backend is None:
            return "" if token_id < self._size else None
        name: str | None = self._backend.id_to_token(token_id)
        return name

    def piece(self, token_id: int) -> bytes:
        """Return the bytes of one id; empty if unknown."""
        piece = self._pieces.get(token_id)
        if piece is None:
            piece = self._pieces[token_id] = self._spell(token_id)
        return piece

    def _spell(self, token_id: int) -> bytes:
        name = self._name(token_id)
        if name is None or self._rule is None:
            return b""
        piece = self._rule.spell(name)
        # An added token such as "café" is plain text, but the byte-level rule would decode its é as a single byte.
        is_text = GARBAGE not in piece.decode("utf-8", "replace")
        return piece if is_text or token_id not in self._added else name.encode()

    def _find_rule(self) -> DecoderRule | None:
        """Return the decoder's rule, if a probe text confirms it against the tokenizer."""
        decoder = getattr(self._backend, "decoder", None)
        try:
            self._rule = rule_of(json_reader.parse(decoder.__getstate__())) if decoder is not None else None
        except (TypeError, ValueError, KeyError):
            return None
        if self._rule is None:
            return None
        ids = self._tokenizer.encode(PROBE, add_special_tokens=False, verbose=False)
        return self._rule if "".join(map(self.stream().add, ids)) == self.decode(ids) else None
