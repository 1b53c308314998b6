"""Positions in Qt's UTF-16 units, and soft breaks in very long lines: Qt lays out a whole line for each insertion."""

import re
import unicodedata
from bisect import bisect_left

LAST_NARROW = "\uffff"
WANTED = 2_000
"""Length of a line in characters after which it is cut at the next space."""
LATEST = 2_100
"""Length in characters at which a line without a space is cut."""
_LONG_LINE = re.compile(rf"[^\n]{{{WANTED},}}")
_ZERO_WIDTH_JOINER = "\u200d"
_FLAGS = range(0x1F1E6, 0x1F200)
_SKINS = range(0x1F3FB, 0x1F400)
_JAMO = range(0x1100, 0x1200)


def between(text: str, first: int, last: int) -> str:
    """Return the part of a text between two UTF-16 units."""
    return text.encode("utf-16-le", "surrogatepass")[2 * first : 2 * last].decode("utf-16-le", "surrogatepass")


class TextUnits:
    """A map from characters to UTF-16 units and back in a growing text."""

    def __init__(self) -> None:
        self._length = 0
        self._wide: list[int] = []
        """Indexes of the characters that take two units."""
        self._wide_units: list[int] = []
        """Positions of these characters in units."""

    def add(self, text: str) -> None:
        if not text.isascii() and max(text) > LAST_NARROW:
            for at, character in enumerate(text, self._length):
                if character > LAST_NARROW:
                    self._wide_units.append(at + len(self._wide))
                    self._wide.append(at)
        self._length += len(text)

    def unit(self, character: int) -> int:
        """Return the unit where a character begins."""
        return character + bisect_left(self._wide, character)

    def character(self, unit: int) -> int:
        """Return the index of the character that a unit belongs to."""
        return unit - bisect_left(self._wide_units, unit)


class SoftBreaks:
    """Splits streamed text into pieces. Callers mark the cuts, so that copies omit them."""

    def __init__(self) -> None:
        self._column = 0
        self._last = ""

    def cut_made(self, left: int) -> None:
        """Register a cut by the caller, `left` characters before the end."""
        self._column = left

    def split(self, text: str) -> list[str]:
        """Return `text` in pieces with a cut between any two of them."""
        if self._column + len(text) < WANTED:
            newline = text.rfind("\n")
            self._column = self._column + len(text) if newline < 0 else len(text) - newline - 1
            self._last = text[-1:] or self._last
            return [text]
        return self._cut(text)

    def _cut(self, text: str) -> list[str]:
        pieces = []
        start = 0
        first = text.find("\n") if "\n" in text else len(text)
        for at, end in [(0, first), *(line.span() for line in _LONG_LINE.finditer(text, first))]:
            while (cut := self._find_cut(text, at, end)) is not None:
                pieces.append(text[start:cut])
                start = at = cut
                self._column = 0
            if end < len(text):
                self._column = 0
        line = text.rfind("\n") + 1
        self._column = len(text) - max(line, start) + (self._column if line == start == 0 else 0)
        self._last = text[-1]
        pieces.append(text[start:])
        return pieces

    def _find_cut(self, text: str, at: int, end: int) -> int | None:
        """Return where to cut a line with the rest `text[at:end]`: at a space or between two glyphs; None: nowhere."""
        wanted = max(at, at + WANTED - self._column)
        latest = max(at, at + LATEST - self._column)
        space = text.find(" ", max(at, wanted - 1), min(latest, end))
        while space >= 0:
            if space + 1 < end and not _may_join(" ", text[space + 1]):
                return space + 1
            space = text.find(" ", space + 1, min(latest, end))
        if self._last == " " and at >= wanted and at < end and not _may_join(" ", text[at]):
            return at
        for cut in range(latest, min(end, latest + LATEST)):
            if not _may_join(text[cut - 1] if cut else self._last, text[cut]):
                return cut
        return latest + LATEST if latest + LATEST < end else None


def _may_join(before: str, character: str) -> bool:
    if _ZERO_WIDTH_JOINER in (before, character) or unicodedata.category(character) in ("Mn", "Mc", "Me"):
        return True
    code = ord(character)
    return code in _SKINS or code in _FLAGS or code in _JAMO
