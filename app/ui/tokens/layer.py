"""The token layer of a page: finds the rectangles of visible tokens, and caches them until the page changes."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument, QTextLine

from app.engine.meter.trace import Trace
from app.engine.types import Role
from app.ui.document.plain_writer import PlainWriter
from app.ui.document.turns import PageTurn
from app.ui.tokens.rectangles import LineSpans, Span, TokenPositions, begin_of, end_span, ending_of, spans_of

MAX_CACHED_LINES = 1_000
CLUSTER = 16
"""Tokens that may share one glyph, such as a family emoji."""


@dataclass(frozen=True, slots=True)
class TokenRef:
    """A token: the index of its turn, and its index in the trace."""

    index: int
    position: int


@dataclass(frozen=True, slots=True)
class VisibleLine:
    """A visible line of an answer; `origin` is the position of its block on the page."""

    index: int
    origin: QPointF
    spans: list[Span]


class TokenLayer:
    """The rectangles of tokens in page coordinates. The cost of a call doesn't depend on the length of the page."""

    def __init__(self, document: QTextDocument, turns: list[PageTurn]) -> None:
        self._document = document
        self._turns = turns
        self.traces: dict[int, Trace] = {}
        self._lines: dict[tuple[object, ...], LineSpans] = {}
        self._near = 0
        """Number of the last found block, since the next one is usually near it."""

    @property
    def height(self) -> float:
        return float(self._document.size().height())

    def forget(self) -> None:
        """Clear the cache after the page or its layout has changed."""
        self._lines.clear()

    def lines(self, top: float, bottom: float) -> Iterator[VisibleLine]:
        """Yield the lines of answers between two y coordinates, with their end signs."""
        block = self._block_at(top).previous()
        block = block if block.isValid() else self._document.begin()
        turns: dict[int, PageTurn] = {}
        while block.isValid() and self._box(block).top() <= bottom:
            tokens = self._tokens_at(block)
            if tokens is not None:
                turns[tokens.turn.index] = tokens.turn
                yield from self._lines_of(block, tokens, top, bottom)
            block = block.next()
        for turn in turns.values():
            yield from self._end_of(turn)

    def missed(self, top: float, bottom: float) -> list[int]:
        """Return the indexes of the answers without a trace between two y coordinates."""
        first, last = self._turn_at(self._block_at(top)), self._turn_at(self._block_at(bottom))
        if last is None:
            return []
        begin = 0 if first is None else self._turns.index(first)
        seen = self._turns[begin : self._turns.index(last) + 1]
        return [turn.index for turn in seen if turn.role is Role.ASSISTANT and turn.index not in self.traces]

    def token_at(self, point: QPointF) -> TokenRef | None:
        for line in self.lines(point.y() - 1, point.y() + 1):
            for span in line.spans:
                if span.rect.translated(line.origin).contains(point):
                    return TokenRef(line.index, span.position)
        return None

    def rects(self, spot: TokenRef) -> list[QRectF]:
        """Return the rectangles of a token: those of its text, its character, its fold, or a gap in its position."""
        tokens = self._tokens_of(spot.index)
        if tokens is None or not 0 <= spot.position < len(tokens.trace):
            return []
        position = tokens.owner(spot.position)
        seen = tokens.trace.seen(position)
        if seen is None:
            return self._invisible_token(tokens, position)
        hidden = tokens.folded(seen)
        if hidden is not None and hidden.fold is not None:
            return [self._line_box(self._document.findBlock(hidden.fold.position))]
        # The first of the tokens that share a glyph has its rectangle.
        for other in range(position, max(position - CLUSTER, -1), -1):
            if found := self._rects_of(tokens, other):
                return found
        return []

    def start(self, spot: TokenRef) -> int | None:
        """Return the position of a token's text on the page; None if it isn't visible."""
        tokens = self._tokens_of(spot.index)
        seen = tokens.trace.seen(tokens.owner(spot.position)) if tokens is not None else None
        found = tokens.stretches(seen) if tokens is not None and seen is not None else []
        return found[0][0] if found else None

    def _rects_of(self, tokens: TokenPositions, position: int) -> list[QRectF]:
        seen = tokens.trace.seen(position)
        found: list[QRectF] = []
        for start, end in tokens.stretches(seen) if seen is not None else ():
            block = self._document.findBlock(start)
            while block.isValid() and block.position() < end:
                self._box(block)
                origin = block.layout().position()
                for line in _lines_between(block, start, end):
                    spans = self._spans(block, line, tokens).spans
                    found += _outlines([span.rect.translated(origin) for span in spans if span.position == position])
                block = block.next()
        return found

    def _invisible_token(self, tokens: TokenPositions, position: int) -> list[QRectF]:
        """Return the rectangle of a token without text: the end sign, or a gap between its neighbors."""
        if position in tokens.unseen_tail():
            return [span.rect.translated(line.origin) for line in self._end_of(tokens.turn) for span in line.spans]
        beside = tokens.neighbour(position)
        if beside is None:
            return []
        found = self.rects(TokenRef(tokens.turn.index, beside[0]))
        if not found:
            return []
        nearest = found[0] if beside[1] else found[-1]
        seam = nearest.left() if beside[1] else nearest.right()
        return [QRectF(seam - 1, nearest.top(), 2, nearest.height())]

    def _lines_of(self, block: QTextBlock, tokens: TokenPositions, top: float, bottom: float) -> Iterator[VisibleLine]:
        origin = block.layout().position()
        for number in range(block.layout().lineCount()):
            line = block.layout().lineAt(number)
            if origin.y() + line.y() > bottom + line.height():
                return
            if origin.y() + line.y() + 2 * line.height() >= top:
                spans = self._spans(block, line, tokens).spans
                if spans:
                    yield VisibleLine(tokens.turn.index, origin, spans)

    def _spans(self, block: QTextBlock, line: QTextLine, tokens: TokenPositions) -> LineSpans:
        # Relative to the passage, since the fold's line before it may grow.
        passage, start = tokens.passage_from(block.position() + line.textStart())
        from_start = block.position() + line.textStart() - start
        ending = ending_of(block, line)
        key = (tokens.turn.index, passage, from_start, line.textLength(), ending, block.textDirection())
        found = self._lines.get(key)
        if found is None:
            found = spans_of(block, line, tokens)
            if found.is_complete:
                if len(self._lines) >= MAX_CACHED_LINES:
                    self._lines.clear()
                self._lines[key] = found
        return found

    def _end_of(self, turn: PageTurn) -> Iterator[VisibleLine]:
        """Yield the end sign for the tokens after the text of a complete answer."""
        trace = self.traces.get(turn.index)
        if trace is None or not turn.done:
            return
        tail = TokenPositions(turn, trace).unseen_tail()
        block = self._last_block(turn)
        if tail and not self._box(block).isNull():
            yield VisibleLine(turn.index, block.layout().position(), [end_span(block, tail[-1])])

    def _last_block(self, turn: PageTurn) -> QTextBlock:
        last = turn.passages[-1] if turn.passages else None
        if last is not None and isinstance(last.writer, PlainWriter):
            return self._document.findBlock(last.writer.position(last.length))
        mark = last.fold if last is not None else turn.start
        return self._document.findBlock(mark.position if mark is not None else 0)

    def _tokens_at(self, block: QTextBlock) -> TokenPositions | None:
        turn = self._turn_at(block)
        trace = self.traces.get(turn.index) if turn is not None else None
        return TokenPositions(turn, trace) if turn is not None and trace is not None else None

    def _tokens_of(self, index: int) -> TokenPositions | None:
        at = bisect_right(self._turns, index, key=attrgetter("index")) - 1
        trace = self.traces.get(index)
        if at < 0 or self._turns[at].index != index or trace is None:
            return None
        return TokenPositions(self._turns[at], trace)

    def _turn_at(self, block: QTextBlock) -> PageTurn | None:
        """Return the turn at the end of a block, since on a raw page an answer can begin within a block."""
        at = bisect_right(self._turns, block.position() + block.length() - 1, key=begin_of) - 1
        return self._turns[at] if at >= 0 else None

    def _block_at(self, height: float) -> QTextBlock:
        """Return the last block above a y coordinate. Qt's hit test gets slower with the length of the page."""
        last = self._document.blockCount() - 1
        low = high = min(self._near, last)
        step = 1
        while low > 0 and self._top(low) > height:
            low, high, step = max(0, low - step), low, 2 * step
        while high < last and self._top(high) <= height:
            low, high, step = high, min(last, high + step), 2 * step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._top(middle) <= height else (low, middle)
        self._near = high if self._top(high) <= height else low
        return self._document.findBlockByNumber(self._near)

    def _top(self, number: int) -> float:
        return float(self._box(self._document.findBlockByNumber(number)).top())

    def _box(self, block: QTextBlock) -> QRectF:
        """Return the rectangle of a block, which also makes Qt lay it out."""
        return self._document.documentLayout().blockBoundingRect(block)

    def _line_box(self, block: QTextBlock) -> QRectF:
        self._box(block)
        line = block.layout().lineAt(0)
        return line.naturalTextRect().translated(block.layout().position()).adjusted(-2, -1, 2, 1)


def _outlines(rects: list[QRectF]) -> list[QRectF]:
    found = rects[:1]
    for rect in rects[1:]:
        if rect.left() == found[-1].right() or rect.right() == found[-1].left():
            found[-1] = found[-1].united(rect)
        else:
            found.append(rect)
    return found


def _lines_between(block: QTextBlock, start: int, end: int) -> Iterator[QTextLine]:
    layout = block.layout()
    first = layout.lineForTextPosition(max(0, start - block.position()))
    number = first.lineNumber() if first.isValid() else 0
    while number < layout.lineCount():
        line = layout.lineAt(number)
        if block.position() + line.textStart() >= end:
            return
        yield line
        number += 1
