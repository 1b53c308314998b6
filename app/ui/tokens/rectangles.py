"""Positions of tokens on the page, and their rectangles on a line, in coordinates of its block."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextLayout, QTextLine

from app.engine.meter.trace import TextRange, Trace
from app.engine.types import Channel
from app.ui.document.plain_writer import SOFT, PlainWriter
from app.ui.document.soft_breaks import between
from app.ui.document.turns import PageTurn, Passage

NEAR = 64
"""Tokens searched on either side for a visible one."""
PAD_PX = 2.5
"""Padding above and below the text of a token in pixels."""
HAIRLINE_PX = 1.0
"""Gap between two tokens in pixels."""
BREAK_PX = 12.0
"""Width of a newline token at the end of its line in pixels."""
END_PX = 14.0
DISTANCE_PX = 4.0
"""Distance between the text and the end sign in pixels."""
_GLYPHS = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
)
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


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
            position = self.trace.position_at(reasoning, before + character)
            if position is None:
                return
            seen = self.trace.seen(position)
            after = character + 1
            if seen is not None and seen.reasoning is reasoning:
                after = min(max(after, seen.end - before), last)
            yield position, writer.position(character), writer.position(after, end=True)
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

    def owner(self, position: int) -> int:
        """Return the token that this one shares its rectangle with: the last part of its character."""
        return self.trace.group(position)[-1]

    def unseen_tail(self) -> range:
        """Return the last tokens without visible text: EOS, a stop string, an incomplete character."""
        last = len(self.trace)
        while last and self.trace.seen(last - 1) is None:
            last -= 1
        return range(last, len(self.trace))

    def neighbour(self, position: int) -> tuple[int, bool] | None:
        """Return the nearest visible token, and whether it comes after this one."""
        for other in range(position + 1, min(position + NEAR, len(self.trace))):
            if self.trace.seen(other) is not None:
                return other, True
        for other in range(position - 1, max(position - NEAR, -1), -1):
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


class LineEnding(Enum):
    WRAPPED = "the same block continues"
    OPEN = "the last block, or a soft break"
    BROKEN = "a newline"


class Sign(Enum):
    """The sign of a token without visible text."""

    NONE = ""
    BREAK = "a newline"
    END = "the end: EOS or a stop string"


@dataclass(frozen=True, slots=True)
class Span:
    """A rectangle of a token, which may have several."""

    position: int
    rect: QRectF
    sign: Sign = Sign.NONE


@dataclass(slots=True)
class LineSpans:
    spans: list[Span] = field(default_factory=list)
    is_complete: bool = True
    """Whether the trace reaches the end of the line."""


def spans_of(block: QTextBlock, line: QTextLine, tokens: TokenPositions) -> LineSpans:
    made = LineSpans()
    begin = block.position()
    first, last = line.textStart(), line.textStart() + line.textLength()
    broken = ending_of(block, line) is LineEnding.BROKEN
    end = begin + last + broken
    reached = begin + first
    text = block.text()
    mixed = text if _RIGHT_TO_LEFT.search(text) is not None else None
    for position, start, stop in tokens.tokens(begin + first, end):
        reached = stop
        low, high = max(start - begin, first), min(stop - begin, last)
        for left, right in _extents(line, low, high, mixed) if low < high else ():
            made.spans.append(Span(position, _rect(line, left, right)))
        if stop - begin > last and broken:
            room = _rect(line, *_range_after_text(block, line, BREAK_PX))
            if made.spans and made.spans[-1].position == position:
                room = _close_gap(room, made.spans[-1].rect)
            made.spans.append(Span(position, room, Sign.BREAK))
    made.is_complete = reached >= begin + last
    return made


def ending_of(block: QTextBlock, line: QTextLine) -> LineEnding:
    if line.textStart() + line.textLength() < block.length() - 1:
        return LineEnding.WRAPPED
    after = block.next()
    return LineEnding.BROKEN if after.isValid() and after.userState() != SOFT else LineEnding.OPEN


def end_span(block: QTextBlock, position: int) -> Span:
    layout = block.layout()
    line = layout.lineAt(layout.lineCount() - 1)
    left, right = _range_after_text(block, line, END_PX, DISTANCE_PX)
    return Span(position, _rect(line, left, right), Sign.END)


def _rect(line: QTextLine, left: float, right: float) -> QRectF:
    # Whole pixels, so that the gaps between tokens are equal.
    first, last = float(round(left)), round(right) - HAIRLINE_PX
    if left == right:  # a zero-width token lies between its neighbors
        first -= HAIRLINE_PX
    return QRectF(first, line.y() - PAD_PX, max(1, last - first), line.height() + 2 * PAD_PX)


def _close_gap(rect: QRectF, before: QRectF) -> QRectF:
    """Extend a rectangle to the previous one of the same token."""
    if 0 <= rect.left() - before.right() <= HAIRLINE_PX:
        return rect.adjusted(before.right() - rect.left(), 0, 0, 0)
    if 0 <= before.left() - rect.right() <= HAIRLINE_PX:
        return rect.adjusted(0, 0, before.left() - rect.right(), 0)
    return rect


def _extents(line: QTextLine, first: int, last: int, mixed: str | None) -> list[tuple[float, float]]:
    """Return the horizontal ranges of characters; none if an earlier token has their glyph."""
    if mixed is not None:
        return _merged(sorted(_glyph_ranges(line, mixed, first, last)))
    left, begins = _x(line, first)
    right, ends = _x(line, last)
    return [(left, right)] if begins < ends else []


def _glyph_ranges(line: QTextLine, text: str, first: int, last: int) -> list[tuple[float, float]]:
    """Return the range of each glyph of bidirectional text, where Qt's cursor position is ambiguous."""
    found = []
    for run in line.glyphRuns(first, last - first, _GLYPHS):
        glyphs, font = run.glyphIndexes(), run.rawFont()
        blank = font.glyphIndexesForString(" ")[:1]
        signs = zip(glyphs, run.stringIndexes(), run.positions(), font.advancesForGlyphIndexes(glyphs), strict=True)
        for glyph, index, at, on in signs:
            # Zero-width characters, such as a byte order mark, have the glyph of a space.
            width = 0.0 if [glyph] == blank and not between(text, index, index + 1).isspace() else on.x()
            found.append((at.x(), at.x() + width))
    left, right = sorted((_x(line, first)[0], _x(line, last)[0]))
    return found or [(left, right)]


def _merged(sides: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged = sides[:1]
    for (_, before), (left, right) in pairwise(sides):
        if left - before < HAIRLINE_PX:
            merged[-1] = merged[-1][0], right
        else:
            merged.append((left, right))
    return merged


def _x(line: QTextLine, at: int) -> tuple[float, int]:
    """Return x coordinate and index of a character; within a glyph those of the next one."""
    found: tuple[float, int] = line.cursorToX(at)  # type: ignore[assignment]
    return found


def _range_after_text(block: QTextBlock, line: QTextLine, width: float, away: float = 0.0) -> tuple[float, float]:
    """Return a range of `width` after the text of a line, in its direction."""
    if block.textDirection() is Qt.LayoutDirection.RightToLeft:
        right = line.naturalTextRect().left() - away
        return right - width, right
    end, _ = _x(line, line.textStart() + line.textLength())
    left = max(end, line.naturalTextRect().right() if line.textLength() else end) + away
    return left, left + width
