"""Text whose voices the server tells itself, with stop strings looked for on this side, in all that is written."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from app.engine.stops import NO_PATTERNS, Patterns, Scanner, StopMatch
from app.engine.types import Shown, Voice


class VoicedReader:
    """Does for a server's answer what a `ReplyReader` does by the marks in a model's own.

    Servers look for stop strings too, but each in its way (some miss one that straddles tokens), and none says which
    it found: so they are not told of any.
    """

    def __init__(self, stop_strings: Sequence[str]) -> None:
        self._strings = tuple(stop_strings)
        self._finder = Scanner(Patterns(self._strings))
        self._voices: deque[tuple[Voice, int]] = deque()
        """Voices of what is not shown yet, and how many characters each has."""
        self._written = self._read = 0
        self._half = ""
        self.stopped: StopMatch | None = None

    def read(self, voice: Voice, piece: str) -> tuple[str, tuple[Shown, ...]]:
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

    def finish(self) -> tuple[Shown, ...]:
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

    def _show(self, text: str) -> Iterator[Shown]:
        while text:
            voice, size = self._voices.popleft()
            part, text = text[:size], text[size:]
            if len(part) < size:
                self._voices.appendleft((voice, size - len(part)))
            yield Shown(voice, part, self._read)
            self._read += len(part)
