"""Characters as Python counts them, and as Qt does: those beyond the first plane take two units of a page."""

from bisect import bisect_left

LAST_NARROW = "\uffff"


def between(text: str, first: int, last: int) -> str:
    """Return the part of a text from one unit to another."""
    return text.encode("utf-16-le", "surrogatepass")[2 * first : 2 * last].decode("utf-16-le", "surrogatepass")


class TextUnits:
    """Counts along with a growing text. Where all of it is narrow the two are the same."""

    def __init__(self) -> None:
        self._length = 0
        self._wide: list[int] = []
        """Where the wide characters are, in characters…"""
        self._wide_units: list[int] = []
        """…and in units."""

    def add(self, text: str) -> None:
        """Add text."""
        if not text.isascii() and max(text) > LAST_NARROW:
            for at, character in enumerate(text, self._length):
                if character > LAST_NARROW:
                    self._wide_units.append(at + len(self._wide))
                    self._wide.append(at)
        self._length += len(text)

    def unit(self, character: int) -> int:
        """Return the unit at which a character begins."""
        return character + bisect_left(self._wide, character)

    def character(self, unit: int) -> int:
        """Return the character that a unit belongs to."""
        return unit - bisect_left(self._wide_units, unit)
