"""Vocabularies in other files than tokenizer.json, of which the libraries make a tokenizer themselves."""

from collections.abc import Iterator
from pathlib import Path

from app.engine.model_files.files import read_bytes, read_json
from app.engine.tokenizers.parts import charsmap_growth

LONGEST_PIECE = 512
"""Where all that fit are tried at every place of a text (Unigram). Known ones have sixteen."""
MOST_PIECES = 8_000_000
"""Bytes of all of them, where each beginning of one takes 330 bytes of memory (Unigram). MT5's have two million."""
MOST_WORK = 200_000_000
"""Transformers looks for the two halves of each entry in a vocabulary of this kind: lengths squared, in sum."""
PIECES, NORMALIZER = 1, 3
PIECE, CHARSMAP = 1, 2
"""The fields of SentencePiece's protocol that are looked at."""
LENGTH_DELIMITED = 2
FIXED = {1: 8, 5: 4}
"""Bytes of the kinds of fields that have a fixed length."""


def is_bounded(folder: Path) -> bool:
    """Where there is no tokenizer.json. Mistral's own format brings a pattern along, and is not read."""
    if (folder / "tekken.json").is_file():
        return False
    files = [file for file in folder.iterdir() if file.suffix in (".model", ".tiktoken") and file.is_file()]
    vocabulary = read_json(folder / "vocab.json") if (folder / "vocab.json").is_file() else {}
    return all(_is_bounded(read_bytes(file)) for file in files) and _are_short(len(word) for word in vocabulary)


def _is_bounded(content: bytes) -> bool:
    try:
        fields = list(_fields(content))
        pieces = [piece for number, value in fields if number == PIECES for piece in _inside(value, PIECE)]
        tables = [table for number, value in fields if number == NORMALIZER for table in _inside(value, CHARSMAP)]
    except (ValueError, IndexError):  # not SentencePiece's; tiktoken's has an entry in each line
        return _are_short(map(len, content.splitlines()))
    return _are_short(map(len, pieces)) and all(charsmap_growth(table) > 0 for table in tables if table)


def _are_short(lengths: Iterator[int]) -> bool:
    known = list(lengths)
    if max(known, default=0) > LONGEST_PIECE or sum(known) > MOST_PIECES:
        return False
    return sum(length * length for length in known) <= MOST_WORK


def _inside(message: bytes, wanted: int) -> Iterator[bytes]:
    return (value for number, value in _fields(message) if number == wanted)


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The numbers and contents of a protocol buffer's fields; what is no text and no message is passed over."""
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        kind = tag & 7
        if kind == LENGTH_DELIMITED:
            size, at = _varint(message, at)
            if at + size > len(message):
                raise ValueError(size)
            yield tag >> 3, message[at : at + size]
            at += size
        elif kind == 0:
            at = _varint(message, at)[1]
        else:
            at += FIXED[kind] if kind in FIXED else len(message) + 1
    if at != len(message):
        raise ValueError(at)


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        value |= (message[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if message[at - 1] < 0x80:
            return value, at
    raise ValueError(at)
