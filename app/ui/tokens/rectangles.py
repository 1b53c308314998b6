"""The rectangles that the tokens of one line of the page take, within the block that the line belongs to."""

import re
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextLayout, QTextLine

from app.ui.document.plain_writer import SOFT
from app.ui.document.text_units import between
from app.ui.tokens.positions import TokenPositions

PAD_PX = 2.5
"""Above and below the text of a token."""
HAIRLINE_PX = 1.0
"""Between two tokens."""
BREAK_PX = 12.0
"""Width of a newline, at the end of its line."""
END_PX = 14.0
AWAY_PX = 4.0
"""Between the end of the text and what stands for the end token."""

_GLYPHS = (
    QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphIndexes
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveGlyphPositions
    | QTextLayout.GlyphRunRetrievalFlag.RetrieveStringIndexes
)
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


class LineEnding(Enum):
    """How a line ends."""

    WRAPPED = "the same block goes on"
    OPEN = "with the last block, or one that goes on softly"
    BROKEN = "with a newline"


class Sign(Enum):
    """What is drawn for a token that has no ink of its own."""

    NONE = ""
    BREAK = "a newline"
    END = "nothing that is read: an end token, a stop string"


@dataclass(frozen=True, slots=True)
class Span:
    """One rectangle of a token; it may have more, on this line and others."""

    place: int
    rect: QRectF
    sign: Sign = Sign.NONE


@dataclass(slots=True)
class LineSpans:
    """What lies on a line, from its beginning to its end."""

    spans: list[Span] = field(default_factory=list)
    whole: bool = True
    """Whether the trace reaches to the line's end."""


def spans_of(block: QTextBlock, line: QTextLine, tokens: TokenPositions) -> LineSpans:
    """All tokens of a line; its newline, where it has one, is at the end of it."""
    made = LineSpans()
    begin = block.position()
    first, last = line.textStart(), line.textStart() + line.textLength()
    broken = ending_of(block, line) is LineEnding.BROKEN
    end = begin + last + broken
    reached = begin + first
    text = block.text()
    mixed = text if _RIGHT_TO_LEFT.search(text) is not None else None
    for place, start, stop in tokens.tokens(begin + first, end):
        reached = stop
        low, high = max(start - begin, first), min(stop - begin, last)
        for left, right in _extents(line, low, high, mixed) if low < high else ():
            made.spans.append(Span(place, _rect(line, left, right)))
        if stop - begin > last and broken:
            room = _rect(line, *_behind(block, line, BREAK_PX))
            if made.spans and made.spans[-1].place == place:
                room = _joined(room, made.spans[-1].rect)
            made.spans.append(Span(place, room, Sign.BREAK))
    made.whole = reached >= begin + last
    return made


def ending_of(block: QTextBlock, line: QTextLine) -> LineEnding:
    """Whether there is a newline at the end of a line."""
    if line.textStart() + line.textLength() < block.length() - 1:
        return LineEnding.WRAPPED
    after = block.next()
    return LineEnding.BROKEN if after.isValid() and after.userState() != SOFT else LineEnding.OPEN


def end_span(block: QTextBlock, place: int) -> Span:
    """What stands for the tokens behind all text, at the end of the text's last block."""
    layout = block.layout()
    line = layout.lineAt(layout.lineCount() - 1)
    left, right = _behind(block, line, END_PX, AWAY_PX)
    return Span(place, _rect(line, left, right), Sign.END)


def _rect(line: QTextLine, left: float, right: float) -> QRectF:
    # Whole pixels, or the lines between tokens would be of different weight.
    first, last = float(round(left)), round(right) - HAIRLINE_PX
    if left == right:  # what takes no room lies between the two beside it, and on neither
        first -= HAIRLINE_PX
    return QRectF(first, line.y() - PAD_PX, max(1, last - first), line.height() + 2 * PAD_PX)


def _joined(rect: QRectF, before: QRectF) -> QRectF:
    """Without the line that parts two tokens: these are of one."""
    if 0 <= rect.left() - before.right() <= HAIRLINE_PX:
        return rect.adjusted(before.right() - rect.left(), 0, 0, 0)
    if 0 <= before.left() - rect.right() <= HAIRLINE_PX:
        return rect.adjusted(0, 0, before.left() - rect.right(), 0)
    return rect


def _extents(line: QTextLine, first: int, last: int, mixed: str | None) -> list[tuple[float, float]]:
    """From where to where these characters reach; none where an earlier token has the whole of their sign.

    `mixed`: the block's text, where it runs both ways.
    """
    if mixed is not None:
        return _merged(sorted(_sides(line, mixed, first, last)))
    left, begins = _x(line, first)
    right, ends = _x(line, last)
    return [(left, right)] if begins < ends else []


def _sides(line: QTextLine, text: str, first: int, last: int) -> list[tuple[float, float]]:
    """Of each glyph, where text runs both ways: at the seams Qt's cursor may stand at either of two places."""
    found = []
    for run in line.glyphRuns(first, last - first, _GLYPHS):
        glyphs, font = run.glyphIndexes(), run.rawFont()
        blank = font.glyphIndexesForString(" ")[:1]
        signs = zip(glyphs, run.stringIndexes(), run.positions(), font.advancesForGlyphIndexes(glyphs), strict=True)
        for glyph, index, at, on in signs:
            # What takes no room, such as a byte order mark, has the glyph of a space, but not its width.
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
    """Where a character stands, and which one it is: inside of a sign it is the next one."""
    found: tuple[float, int] = line.cursorToX(at)  # type: ignore[assignment]
    return found


def _behind(block: QTextBlock, line: QTextLine, width: float, away: float = 0.0) -> tuple[float, float]:
    """So much room behind all that is written on a line, in the direction of its reading."""
    if block.textDirection() is Qt.LayoutDirection.RightToLeft:
        right = line.naturalTextRect().left() - away
        return right - width, right
    end, _ = _x(line, line.textStart() + line.textLength())
    left = max(end, line.naturalTextRect().right() if line.textLength() else end) + away
    return left, left + width
