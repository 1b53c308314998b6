"""What a server writes, between it and whoever reads it: pieces are held back while they may be part of its key.

Text whose voices the server tells itself has its stop strings looked for on this side, in all that is written.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from app.engine.remote.chunk import Choice
from app.engine.remote.redaction import HELD, MARK, Redaction
from app.engine.stop_strings import NO_PATTERNS, Patterns, Scanner, StopMatch
from app.engine.types import Channel, VisibleText

LONGEST_WAIT = 256
"""Characters. Of a longer key all but its last few are found in parts."""


class VoicedReader:
    """Does for a server's answer what a `ReplyReader` does by the marks in a model's own.

    Servers look for stop strings too, but each in its way (some miss one that straddles tokens), and none says which
    it found: so they are not told of any.
    """

    def __init__(self, stop_strings: Sequence[str]) -> None:
        self._strings = tuple(stop_strings)
        self._finder = Scanner(Patterns(self._strings))
        self._voices: deque[tuple[Channel, int]] = deque()
        """Voices of what is not shown yet, and how many characters each has."""
        self._written = self._read = 0
        self._half = ""
        self.stopped: StopMatch | None = None

    def read(self, voice: Channel, piece: str) -> tuple[str, tuple[VisibleText, ...]]:
        """The text that is whole now, and what may be shown."""
        text = self._whole(piece)
        if self.stopped is not None or not text:
            return text, ()
        self._voices.append((voice, len(text)))
        held = len(self._finder.held)
        certain, which, rest = self._finder.read(text)
        shown = tuple(self._show(certain))
        if which is not None:
            string = self._strings[which]
            self.stopped = StopMatch(string, self._written - held + len(certain), string + rest)
        self._written += len(text)
        return text, shown

    def finish(self) -> tuple[VisibleText, ...]:
        """What was held back turned out to begin nothing."""
        if self.stopped is not None:
            return ()
        held, self._finder = self._finder.held, Scanner(NO_PATTERNS)
        return tuple(self._show(held))

    def _whole(self, piece: str) -> str:
        """A server that cuts its text in UTF-16 sends half a character at the end of one piece and half in the next."""
        text, self._half = self._half + piece, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _show(self, text: str) -> Iterator[VisibleText]:
        while text:
            voice, size = self._voices.popleft()
            part, text = text[:size], text[size:]
            if len(part) < size:
                self._voices.appendleft((voice, size - len(part)))
            yield VisibleText(voice, part, self._read)
            self._read += len(part)


class Piece(NamedTuple):
    """Some text, when it came, and what the server says of the token that it is."""

    voice: Channel
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
