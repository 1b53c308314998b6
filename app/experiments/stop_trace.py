"""Trace of a reply, token by token: completed characters, displayed text, and text held back for stop strings."""

import codecs
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.stop_strings import ReplyReader


@dataclass(frozen=True, slots=True)
class StopTraceStep:
    """The effect of one token on the displayed text."""

    token: int
    """Number of the token, from 1. The end of the reply is a step without `id`."""
    id: int | None
    text: str
    """The characters that the token completed."""
    shown: str
    """The text that is displayed at this step."""
    held: str
    """The text that is held back: it may become a stop string or a marker."""
    unfinished: int
    """Number of tokens of an incomplete character."""
    stop: str
    """The stop string that this token completed."""
    begins: tuple[str, ...] = ()
    """The stop strings that may have begun in `held`."""
    piece: bytes = b""
    """The bytes of the token; empty if unknown."""
    waiting: bytes = b""
    """The bytes of an incomplete character."""


def readings(
    tokens: Iterable[tuple[int, str]], reader: ReplyReader, pieces: Sequence[bytes] = ()
) -> tuple[StopTraceStep, ...]:
    """Return the steps of a reply. `tokens`: id and completed text of each; `pieces`: the bytes of each token."""
    found: list[StopTraceStep] = []
    unfinished = 0
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for at, (token_id, text) in enumerate(tokens):
        own = pieces[at] if at < len(pieces) else b""
        decoder.decode(own)
        unfinished = 0 if text else unfinished + 1
        shown = "".join(piece.text for piece in reader.read(text))
        stop = reader.stopped.text if reader.stopped else ""
        begins, waiting = reader.may_begin, decoder.getstate()[0]
        found.append(StopTraceStep(at + 1, token_id, text, shown, reader.held, unfinished, stop, begins, own, waiting))
        if reader.stopped:
            return tuple(found)
    rest = "".join(piece.text for piece in reader.finish())
    if rest:
        found.append(StopTraceStep(len(found) + 1, None, "", rest, "", 0, ""))
    return tuple(found)
