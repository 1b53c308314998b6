"""Soft breaks in very long lines, since Qt lays out the whole line for each insertion."""

import re
import unicodedata

WANTED = 2_000
"""Length of a line in characters after which it is cut at the next space."""
LATEST = 2_100
"""Length in characters at which a line without a space is cut."""

_LONG_LINE = re.compile(rf"[^\n]{{{WANTED},}}")
_ZERO_WIDTH_JOINER = "\u200d"
_FLAGS = range(0x1F1E6, 0x1F200)
_SKINS = range(0x1F3FB, 0x1F400)
_JAMO = range(0x1100, 0x1200)


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
