"""Conversion between character indexes and Qt's UTF-16 units."""

from bisect import bisect_left

LAST_NARROW = "\uffff"


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
