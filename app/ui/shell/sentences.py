"""Cuts a text that is being written into what can be said aloud: whole sentences and whole lines."""

from __future__ import annotations

import re

LONGEST = 400
"""So many characters without an end are said up to their last blank: nobody waits that long."""
# A number with a dot is more likely an item of a list, or not written to its end.
_END = re.compile(r"(?<=[^\d\s][.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")


class Sentences:
    """Takes pieces of a text as they come, and gives what is whole by then."""

    def __init__(self) -> None:
        self._open = ""

    def take(self, text: str) -> tuple[str, ...]:
        """The sentences that `text` completes."""
        self._open += text
        ends = [found.end() for found in _END.finditer(self._open)]
        if not ends and len(self._open) > LONGEST:
            ends = [self._open.rfind(" ") + 1 or len(self._open)]
        starts = [0, *ends]
        whole = tuple(self._open[start:end].strip() for start, end in zip(starts, ends, strict=False))
        self._open = self._open[starts[-1] :]
        return tuple(filter(None, whole))

    def rest(self) -> str:
        """What was begun and has no end: there is nothing more to come."""
        rest, self._open = self._open.strip(), ""
        return rest
