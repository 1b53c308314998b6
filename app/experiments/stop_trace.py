"""A reply read token by token: the characters that each completes, what is let out, and what is held back and why."""

import codecs
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.stop_strings import ReplyReader


@dataclass(frozen=True, slots=True)
class Reading:
    """What one token did."""

    token: int
    """Counted from 1; the step after the last one is the end of the reply, which has no id."""
    id: int | None
    text: str
    """The characters that it completed."""
    shown: str
    """What could be shown now."""
    held: str
    """Written, and still waiting: it may become a stop string or a marker."""
    unfinished: int
    """How many tokens so far wait for the rest of their character."""
    stop: str
    """The stop string that was complete here."""
    begins: tuple[str, ...] = ()
    """The stop strings that may have begun in what is held."""
    piece: bytes = b""
    """The token's own, where they are known."""
    waiting: bytes = b""
    """The bytes so far of a character that is not complete."""


def readings(
    tokens: Iterable[tuple[int, str]], reader: ReplyReader, pieces: Sequence[bytes] = ()
) -> tuple[Reading, ...]:
    """Each token's id and the text it completed, read as the engine reads them; `pieces` are the tokens' own bytes."""
    found: list[Reading] = []
    unfinished = 0
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for at, (token_id, text) in enumerate(tokens):
        own = pieces[at] if at < len(pieces) else b""
        decoder.decode(own)
        unfinished = 0 if text else unfinished + 1
        shown = "".join(piece.text for piece in reader.read(text))
        stop = reader.stopped.text if reader.stopped else ""
        begins, waiting = reader.may_begin, decoder.getstate()[0]
        found.append(Reading(at + 1, token_id, text, shown, reader.held, unfinished, stop, begins, own, waiting))
        if reader.stopped:
            return tuple(found)
    rest = "".join(piece.text for piece in reader.finish())
    if rest:
        found.append(Reading(len(found) + 1, None, "", rest, "", 0, ""))
    return tuple(found)
