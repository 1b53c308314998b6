"""Pieces of an answer between the server and whoever reads them: held back while they may be part of its key."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from app.engine.remote.chunk import Choice
from app.engine.remote.redaction import HELD, MARK, Redaction
from app.engine.types import Voice

LONGEST_WAIT = 256
"""Characters. Of a longer key all but its last few are found in parts."""


class Piece(NamedTuple):
    """Some text, when it came, and what the server says of the token that it is."""

    voice: Voice
    text: str
    at: float
    choice: Choice | None


class Pieces:
    """Each comes out as it came in. Where the key stood in it there is a mark, and nothing is told of its tokens."""

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._waiting: list[Piece] = []
        self._before = ""
        """The last characters that came out: too few of a key to be waited for."""

    def take(self, piece: Piece) -> list[Piece]:
        """What is certain now: nearly always just this one."""
        if not self._redaction.guards:
            return [piece]
        self._waiting.append(piece)
        text = self._before + "".join(each.text for each in self._waiting)
        held = len(text) - self._redaction.pending(text)
        if held == len(text) or len(text) > LONGEST_WAIT:
            return self.finish()
        starts = list(accumulate((len(each.text) for each in self._waiting), initial=len(self._before)))
        for begin, end in [(held, len(text)), *reversed(self._redaction.places(text))]:
            if end > held:
                held = max((start for start in starts if start <= min(held, begin)), default=starts[0])
        return self._let_go(starts.index(held))

    def finish(self) -> list[Piece]:
        """Nothing more comes."""
        return self._let_go(len(self._waiting))

    def _let_go(self, count: int) -> list[Piece]:
        certain, self._waiting = self._waiting[:count], self._waiting[count:]
        text = self._before + "".join(each.text for each in certain)
        places = self._redaction.places(text)
        starts = accumulate((len(each.text) for each in certain), initial=len(self._before))
        self._before = text[1 - HELD :]
        return [_cut(piece, start, places) for piece, start in zip(certain, starts, strict=False)]


def _cut(piece: Piece, start: int, places: list[tuple[int, int]]) -> Piece:
    """What of the key stands in it becomes a mark, where that begins."""
    text, end = piece.text, start + len(piece.text)
    touched = [(begin, stop) for begin, stop in places if begin < end and stop > start]
    for begin, stop in reversed(touched):
        at = max(0, begin - start)
        text = text[:at] + (MARK if begin >= start or start < HELD else "") + text[stop - start :]
    return Piece(piece.voice, text, piece.at, None) if touched else piece
