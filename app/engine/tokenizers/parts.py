"""The parts that a tokenizer is made of: what each may be told, and how much longer it may make a text."""

import base64
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.engine.tokenizers.regex import SQUARED, EndlessError, shortest_match

LONGEST_MARK = 64
"""Bytes of what is put before, between or behind texts. Known ones have three."""
LONGEST_PATTERN = 1_000
MOST_COUNTED = 1_000
MOST_SPECIAL = 64
MOST_CHARSMAP_BYTES = 10_000_000
COMPOSED, COMPATIBLE, LOWERED = 3.0, 11.0, 1.5
"""Bytes for each, at the worst character: U+0390 taken apart, U+FDFA written out, U+023A."""

Fields = Mapping[str, Any]
Check = Callable[[object], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of part: its fields, and how many times longer a text may be behind it."""

    fields: Mapping[str, Check] = field(default_factory=dict)
    growth: Callable[[Fields], float] = lambda part: 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """The kinds of parts that may stand in one place of a tokenizer, and what a sequence of them calls them."""

    name: str
    sequence: str
    kinds: Mapping[str, Kind]


def _flag(value: object) -> bool:
    return value is None or isinstance(value, bool)


def _mark(value: object) -> bool:
    return isinstance(value, str) and 0 < _size(value) <= LONGEST_MARK


def _sign(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1


def _any_mark(value: object) -> bool:
    return isinstance(value, str) and _size(value) <= LONGEST_MARK


def is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_COUNTED


def _length(value: object) -> bool:
    return is_count(value) and value != 0


def _word(value: object) -> bool:
    """One of the library's own words; it says so where it doesn't know it."""
    return isinstance(value, str) and value.isidentifier() and len(value) <= LONGEST_MARK


def _pattern(value: object) -> bool:
    if not isinstance(value, dict) or len(value) != 1:
        return False
    (kind, pattern), *_ = value.items()
    if not isinstance(pattern, str) or kind not in ("String", "Regex"):
        return False
    if kind == "String":
        return len(pattern) <= LONGEST_PATTERN
    try:
        shortest_match(pattern)
    except EndlessError:
        return False
    return True


def _found(value: object) -> bool:
    """A pattern that finds no empty text, of which there is one at every place."""
    return isinstance(value, dict) and _pattern(value) and _shortest(value) > 0


def _shortest(pattern: Fields) -> int:
    if "String" in pattern:
        return _size(pattern["String"])
    return 0 if pattern["Regex"] in SQUARED else shortest_match(pattern["Regex"])


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _charsmap(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MOST_CHARSMAP_BYTES and charsmap_growth(_decoded(value)) > 0


def _decoded(charsmap: str) -> bytes:
    try:
        return base64.b64decode(charsmap, validate=True)
    except ValueError:
        return b""


def charsmap_growth(charsmap: bytes) -> float:
    """The bytes of the longest text that SentencePiece's table has for a character; 0 for what is no such table."""
    if len(charsmap) < 4:
        return 0.0
    (size,) = struct.unpack("<I", charsmap[:4])
    longest = max(map(len, charsmap[4 + size :].split(b"\0")))
    return float(max(1, longest)) if 4 + size <= len(charsmap) and longest <= LONGEST_MARK else 0.0


def _replaced(part: Fields) -> float:
    return max(1.0, _size(part["content"]) / max(1, _shortest(part["pattern"])))


def _prepended(part: Fields) -> float:
    return 1.0 + _size(part["prepend"])


def _metaspace(part: Fields) -> float:
    """A sign for each space, and one more before each piece, of which the shortest is one byte."""
    size = _size(part["replacement"])
    return float(size if part.get("prepend_scheme") == "never" else size + 1)


def _bytes(part: Fields) -> float:
    """Two for each, and a space before each piece."""
    return 4.0 if part.get("add_prefix_space", True) else 2.0


def _always(growth: float) -> Callable[[Fields], float]:
    return lambda part: growth


REPLACE = Kind({"pattern": _found, "content": _any_mark}, _replaced)
BYTE_LEVEL = {"add_prefix_space": _flag, "trim_offsets": _flag, "use_regex": _flag}
METASPACE = {"replacement": _sign, "prepend_scheme": _word, "split": _flag, "str_rep": _sign, "add_prefix_space": _flag}

NORMALIZER = Row(
    "normalizer",
    "normalizers",
    {
        "BertNormalizer": Kind(
            {"clean_text": _flag, "handle_chinese_chars": _flag, "strip_accents": _flag, "lowercase": _flag},
            _always(COMPOSED * COMPOSED * LOWERED),
        ),
        "ByteLevel": Kind(growth=_always(2.0)),
        "Lowercase": Kind(growth=_always(LOWERED)),
        "NFC": Kind(growth=_always(COMPOSED)),
        "NFD": Kind(growth=_always(COMPOSED)),
        "NFKC": Kind(growth=_always(COMPATIBLE)),
        "NFKD": Kind(growth=_always(COMPATIBLE)),
        "Nmt": Kind(),
        "Precompiled": Kind(
            {"precompiled_charsmap": _charsmap}, lambda part: charsmap_growth(_decoded(part["precompiled_charsmap"]))
        ),
        "Prepend": Kind({"prepend": _mark}, _prepended),
        "Replace": REPLACE,
        "Strip": Kind({"strip_left": _flag, "strip_right": _flag}),
        "StripAccents": Kind(),
    },
)
PRE_TOKENIZER = Row(
    "pre_tokenizer",
    "pretokenizers",
    {
        "BertPreTokenizer": Kind(),
        "ByteLevel": Kind(BYTE_LEVEL, _bytes),
        "CharDelimiterSplit": Kind({"delimiter": _sign}),
        "Digits": Kind({"individual_digits": _flag}),
        "FixedLength": Kind({"length": _length}),
        "Metaspace": Kind(METASPACE, _metaspace),
        "Punctuation": Kind({"behavior": _word}),
        "Split": Kind({"pattern": _pattern, "behavior": _word, "invert": _flag}),
        "UnicodeScripts": Kind(),
        "Whitespace": Kind(),
        "WhitespaceSplit": Kind(),
    },
)
DECODER = Row(
    "decoder",
    "decoders",
    {
        "BPEDecoder": Kind({"suffix": _mark}),
        "ByteFallback": Kind(),
        "ByteLevel": Kind(BYTE_LEVEL, _always(3.0)),
        "CTC": Kind({"pad_token": _mark, "word_delimiter_token": _mark, "cleanup": _flag}),
        "Fuse": Kind(),
        "Metaspace": Kind(METASPACE),
        "Replace": REPLACE,
        "Strip": Kind({"content": _sign, "start": is_count, "stop": is_count}),
        "WordPiece": Kind({"prefix": _any_mark, "cleanup": _flag}, _always(2.0)),
    },
)


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2


def _template(value: object) -> bool:
    """Each of the two texts once, and few tokens around them."""
    if not isinstance(value, list) or len(value) > MOST_SPECIAL:
        return False
    texts = [part["Sequence"].get("id") for part in value if isinstance(part, dict) and _is_text(part)]
    return len(texts) == len(set(map(str, texts)))


def _is_text(part: dict[str, Any]) -> bool:
    return isinstance(part.get("Sequence"), dict)


def _specials(value: object) -> bool:
    return (
        isinstance(value, dict)
        and len(value) <= MOST_SPECIAL
        and all(
            isinstance(each, dict) and _few(each.get("ids")) and _few(each.get("tokens")) for each in value.values()
        )
    )


def _few(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MOST_SPECIAL


POST_PROCESSOR = Row(
    "post_processor",
    "processors",
    {
        "BertProcessing": Kind({"sep": _pair, "cls": _pair}),
        "ByteLevel": Kind(BYTE_LEVEL),
        "RobertaProcessing": Kind({"sep": _pair, "cls": _pair, "trim_offsets": _flag, "add_prefix_space": _flag}),
        "TemplateProcessing": Kind({"single": _template, "pair": _template, "special_tokens": _specials}),
    },
)
