"""Maps between page positions and tokens of one answer."""

from bisect import bisect_right
from collections.abc import Iterator

from app.engine.meter.trace import TextRange, Trace
from app.engine.types import Channel
from app.ui.document.plain_writer import PlainWriter
from app.ui.document.turns import PageTurn, Passage

NEAR = 64
"""Tokens searched on either side for a visible one."""


class TokenPositions:
    """A short-lived view of a turn and its trace."""

    def __init__(self, turn: PageTurn, trace: Trace) -> None:
        self.turn = turn
        self.trace = trace

    def tokens(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield index, start and end of each token between two positions of one passage."""
        # On a raw page an answer may begin within a line.
        found = self._writer_at(max(start, end - 1))
        if found is None:
            return
        writer, reasoning, before, length = found
        character, last = writer.character(start), min(length, writer.character(end))
        while character < last:
            place = self.trace.place_at(reasoning, before + character)
            if place is None:
                return
            seen = self.trace.seen(place)
            after = character + 1
            if seen is not None and seen.reasoning is reasoning:
                after = min(max(after, seen.end - before), last)
            yield place, writer.position(character), writer.position(after, end=True)
            character = after

    def stretches(self, seen: TextRange) -> list[tuple[int, int]]:
        """Return the page ranges of a text range; none for folded text."""
        found, before = [], 0
        for passage in self._passages(seen.reasoning):
            start, end = max(seen.start - before, 0), min(seen.end - before, passage.length)
            if start < end and isinstance(passage.writer, PlainWriter):
                found.append((passage.writer.position(start), passage.writer.position(end, end=True)))
            before += passage.length
        return found

    def folded(self, seen: TextRange) -> Passage | None:
        """Return the folded passage that hides this range."""
        before = 0
        for passage in self._passages(seen.reasoning):
            before += passage.length
            if seen.start < before:
                return passage if passage.writer is None else None
        return None

    def owner(self, place: int) -> int:
        """Return the token that this one shares its rectangle with: the last part of its character."""
        return self.trace.group(place)[-1]

    def unseen_tail(self) -> range:
        """Return the last tokens without visible text: EOS, a stop string, an incomplete character."""
        last = len(self.trace)
        while last and self.trace.seen(last - 1) is None:
            last -= 1
        return range(last, len(self.trace))

    def neighbour(self, place: int) -> tuple[int, bool] | None:
        """Return the nearest visible token, and whether it comes after this one."""
        for other in range(place + 1, min(place + NEAR, len(self.trace))):
            if self.trace.seen(other) is not None:
                return other, True
        for other in range(place - 1, max(place - NEAR, -1), -1):
            if self.trace.seen(other) is not None:
                return other, False
        return None

    def _passages(self, reasoning: bool) -> Iterator[Passage]:
        return (each for each in self.turn.passages if (each.voice is Channel.REASONING) is reasoning)

    def passage_from(self, position: int) -> tuple[int, int]:
        """Return the number and the start of the passage at a position; number −1 before the first passage."""
        at = bisect_right(self.turn.passages, position, key=begin_of) - 1
        return at, begin_of(self.turn.passages[at]) if at >= 0 else 0

    def _writer_at(self, position: int) -> tuple[PlainWriter, bool, int, int] | None:
        """Return the writer at a position, whether it is reasoning, the offset in its channel, and its length."""
        at, _ = self.passage_from(position)
        if at < 0:
            return None
        passage = self.turn.passages[at]
        if not isinstance(passage.writer, PlainWriter):
            return None
        reasoning = passage.voice is Channel.REASONING
        before = sum(each.length for each in self.turn.passages[:at] if (each.voice is Channel.REASONING) is reasoning)
        return passage.writer, reasoning, before, passage.length


def begin_of(each: Passage | PageTurn) -> int:
    return each.start.position if each.start is not None else 0
