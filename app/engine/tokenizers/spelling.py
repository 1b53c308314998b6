"""Bytes and text of single token ids."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.engine.text import ByteStream, TextStream, WindowStream, named
from app.engine.types import SpelledToken
from app.files import json_reader

PROBE = "The  fox, it's 3.5 °C (naïve)\n\tобъём 天地 🦊🏽‍🌾 <n> can 't"
"""A text with all that decoders treat specially: spaces, punctuation, line ends, characters of several tokens."""
LARGEST_ID = 2**31 - 1


class Tokenizer(Protocol):
    """The part of transformers' tokenizer interface that is used; mlx-lm's wrapper has it too."""

    def __len__(self) -> int: ...

    def encode(self, text: str, *, add_special_tokens: bool, verbose: bool) -> list[int]: ...

    def decode(self, ids: list[int], *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str: ...


@dataclass(frozen=True, slots=True)
class Rule:
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
    return {chr(byte): byte for byte in printable} | {chr(256 + place): byte for place, byte in enumerate(others)}


BYTE_OF = _byte_alphabet()


def rule_of(decoder: dict[str, Any]) -> Rule | None:
    """Return the rule of a decoder; None if a token's text depends on its neighbors."""
    steps = decoder["decoders"] if decoder["type"] == "Sequence" else [decoder]
    match [step["type"] for step in steps]:
        case ["ByteLevel"]:
            return Rule(byte_level=True)
        case ["Metaspace"]:
            spaces = ((steps[0]["replacement"], " "),)
            return Rule(replaced=spaces, dropped_first=steps[0]["prepend_scheme"] != "never")
        case [*first, "ByteFallback", "Fuse"] if set(first) <= {"Replace"}:
            return _fallback_rule(steps[: len(first)], "")
        case [*first, "ByteFallback", "Fuse", "Strip"] if set(first) <= {"Replace"}:
            strip = steps[-1]
            return _fallback_rule(steps[: len(first)], strip["content"]) if strip["start"] == 1 else None
    return None


def _fallback_rule(replacements: list[dict[str, Any]], stripped: str) -> Rule | None:
    if any("String" not in step["pattern"] for step in replacements):
        return None
    pairs = tuple((step["pattern"]["String"], step["content"]) for step in replacements)
    return Rule(replaced=pairs, byte_fallback=True, stripped=stripped)


class Texts(dict[int, str]):
    """Cached text of each id: recording needs eleven for each token."""

    def __init__(self, text_of: Callable[[int], str]) -> None:
        super().__init__()
        self._text_of = text_of

    def __missing__(self, token_id: int) -> str:
        text = self[token_id] = self._text_of(token_id)
        return text


class Spelling:
    """Text and bytes of token ids. One for each model, since it caches every id."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._backend: Any = getattr(tokenizer, "backend_tokenizer", None)
        self._added = frozenset(getattr(tokenizer, "added_tokens_decoder", ()))
        self._size = len(tokenizer)
        self._pieces: dict[int, bytes] = {}
        self._rule = self._find_rule()
        self.texts = Texts(self.text)

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

    def stream(self, context: Sequence[int] = ()) -> TextStream:
        """Create a detokenizer that continues after `context`, the ids of the prompt."""
        if self._rule is None:
            return WindowStream(self.decode, context)
        return ByteStream(self.piece, context, None if context else self._rule.begin)

    def decode(self, ids: Iterable[int]) -> str:
        """Decode all ids, with special tokens and spaces unchanged."""
        known = [token_id for token_id in ids if self._name(token_id) is not None]
        return self._tokenizer.decode(known, skip_special_tokens=False, clean_up_tokenization_spaces=False)

    def text(self, token_id: int) -> str:
        """Return the text of one id for display; invalid bytes are named."""
        if self._rule is None:
            text = self.decode([token_id])
            # Only its name distinguishes it from other tokens.
            return named(Rule(byte_level=True).spell(self._name(token_id) or text)) if "\ufffd" in text else text
        return named(self.piece(token_id))

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
        return name.encode() if token_id in self._added and not _is_text(piece) else piece

    def _find_rule(self) -> Rule | None:
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


def _is_text(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True
