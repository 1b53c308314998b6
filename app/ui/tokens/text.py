"""A text page with tokens behind the text: pointer, clicks and arrow keys."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QTextBrowser, QToolTip

from app.engine.meter.trace import Trace
from app.i18n import tr
from app.ui.document.turns import AnswerView, PageTurn, turn_of
from app.ui.look import GAP_PX, Theme
from app.ui.tokens.colors import Coloring, Scale, is_observed, top_gap
from app.ui.tokens.layer import TokenLayer, TokenRef, VisibleLine
from app.ui.tokens.painter import EDGE_PX, TokenMarks, paint_ghost, paint_tokens
from app.ui.tokens.words import describe_token
from app.ui.widgets import as_tip

Key = Qt.Key
SIDEWAYS = {Key.Key_Left: -1, Key.Key_Right: 1}
UPWARDS = {Key.Key_Up: -1, Key.Key_Down: 1}
EDGES = {Key.Key_Home: 0, Key.Key_End: -1}
KEYS = frozenset((*SIDEWAYS, *UPWARDS, *EDGES))
REACH_PX = 400.0
"""Height in pixels of one step of the search for the next line."""
NOWHERE = -1
"""Index that means no token."""
GROWTH = 1.25
"""The latency scale is recomputed when the answer has grown by this factor."""
CONVERSATION = tr("The conversation; new text is added at its end")


class ArrowKeys:
    """Token navigation by arrow keys, which keeps the column while moving up and down."""

    def __init__(self, layer: TokenLayer) -> None:
        self._layer = layer
        self._column: float | None = None

    def step(self, key: Key, spot: TokenRef) -> TokenRef | None:
        """Return the token that a key moves to; None if there is none."""
        if key not in UPWARDS:
            self._column = None
        if key in SIDEWAYS:
            return self._neighbor(spot, SIDEWAYS[key])
        rects = self._layer.rects(spot)
        if not rects:
            return None
        at = rects[0].center()
        if key in EDGES:
            lines = list(self._layer.lines(at.y(), at.y()))
            line = min(lines, key=lambda each: abs(_middle(each) - at.y()), default=None)
            return (
                None if line is None else TokenRef(line.index, sorted(span.position for span in line.spans)[EDGES[key]])
            )
        return self._across(at, UPWARDS[key])

    def _neighbor(self, spot: TokenRef, step: int) -> TokenRef | None:
        """Return the neighbor, which may be in another answer."""
        position = spot.position + step
        if 0 <= position < len(self._layer.traces[spot.index]):
            return TokenRef(spot.index, position)
        others = sorted(index for index, trace in self._layer.traces.items() if (index - spot.index) * step > 0)
        for index in others[::step]:
            if length := len(self._layer.traces[index]):
                return TokenRef(index, 0 if step > 0 else length - 1)
        return None

    def _across(self, at: QPointF, step: int) -> TokenRef | None:
        column = self._column = at.x() if self._column is None else self._column
        line = self._next_line(at.y(), step)
        if line is None:
            return None
        nearest = min(line.spans, key=lambda span: abs(span.rect.center().x() + line.origin.x() - column))
        return TokenRef(line.index, nearest.position)

    def _next_line(self, height: float, step: int) -> VisibleLine | None:
        near, end = height, self._layer.height
        while 0 <= near <= end:
            far = near + step * REACH_PX
            lines = [each for each in self._layer.lines(min(near, far), max(near, far)) if each.spans]
            beyond = [each for each in lines if (_middle(each) - height) * step > each.spans[0].rect.height() / 2]
            if beyond:
                return min(beyond, key=lambda each: abs(_middle(each) - height))
            near = far
        return None


def _middle(line: VisibleLine) -> float:
    return float(line.origin.y() + line.spans[0].rect.center().y())


class TokenText(QTextBrowser):
    """The token view, used in `AnswerView.TOKENS` only. A token is addressed by its turn and its place."""

    token_pointed = Signal(int, int)
    """Index of the turn and place of the token at the pointer; place NOWHERE for none."""
    token_picked = Signal(int, int)
    """Index of the turn, and place of the token picked by a click or the arrow keys."""
    trace_missed = Signal(int)
    """Index of a visible answer without a trace."""
    scale_changed = Signal(object)
    """The new Scale."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._turns: list[PageTurn] = []
        self.view = AnswerView.MARKDOWN
        self.scale = Scale(Coloring.PROBABILITY)
        self._measured = 0
        """Length of the last answer when its scale was computed."""
        self._layer = TokenLayer(self.document(), self._turns)
        self._steps = ArrowKeys(self._layer)
        self._marks = TokenMarks()
        self._missed: set[int] = set()
        self._pressed = QPoint()

    def show_trace(self, index: int, trace: Trace | None) -> None:
        self._missed.discard(index)
        if self._layer.traces.get(index) is trace:
            return
        self._layer.forget()
        if trace is None:
            del self._layer.traces[index]
        else:
            self._layer.traces[index] = trace
            self._measured = 0
            self._measure(index)
        self.viewport().update()

    def trace_grew(self, index: int) -> None:
        """Update the tokens of a grown trace; their text comes with the same frame."""
        if index in self._layer.traces:
            self._measure(index)
            if self._is_done(index):
                self.viewport().update()
            elif self.view is AnswerView.TOKENS:
                # The background of the line above extends a little below it.
                new = self.document().documentLayout().blockBoundingRect(self.document().lastBlock())
                top = round(new.top() - self._offset().y()) - GAP_PX
                self.viewport().update(self.viewport().rect().adjusted(0, top, 0, 0))

    def set_coloring(self, coloring: Coloring) -> None:
        self._set_scale(replace(self.scale, coloring=coloring))

    def mark_token(self, index: int, position: int | None) -> None:
        self._set_marks(replace(self._marks, marked=None if position is None else TokenRef(index, position)))

    def mark_pointed_token(self, index: int, position: int | None) -> None:
        """Mark a token that is pointed at in another view, without emitting a signal."""
        self._set_marks(replace(self._marks, pointed=None if position is None else TokenRef(index, position)))

    def mark_stretch(self, index: int, first: int | None, last: int | None) -> None:
        stretch = None if first is None or last is None else (index, first, last)
        if stretch != self._marks.stretch:
            self._marks = replace(self._marks, stretch=stretch)
            self.viewport().update()

    def reveal_token(self, index: int, position: int) -> None:
        """Scroll to a token that isn't visible."""
        rects = self._layer.rects(TokenRef(index, position)) if self.view is AnswerView.TOKENS else []
        if not rects:
            return
        bar, height = self.verticalScrollBar(), self.viewport().height()
        top, bottom = rects[0].top(), min(rects[-1].bottom(), rects[0].top() + height)
        if top < bar.value() or bottom > bar.value() + height:
            near = bar.value() - height < top < bar.value() + 2 * height
            above = top < bar.value()
            bar.setValue(round((top - GAP_PX if above else bottom + GAP_PX - height) if near else top - height / 2))

    def forget_tokens(self, index: int = 0) -> None:
        self._layer.forget()
        for gone in [each for each in self._layer.traces if each >= index]:
            del self._layer.traces[gone]
        self._missed = {each for each in self._missed if each < index}
        self._marks = self._marks.before(index)
        if self._marks.marked is None:
            self.setAccessibleDescription(CONVERSATION)

    def take_key(self, event: QKeyEvent) -> bool:
        """Step between tokens by arrow keys. Return whether the key was used; with Shift it selects text."""
        key = Qt.Key(event.key())
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if self.view is not AnswerView.TOKENS or key not in KEYS or not plain:
            return False
        before = self._marks.marked
        if before is None or before.index not in self._layer.traces:
            spot = self._first_in_sight()
        else:
            spot = self._steps.step(key, before) or before
        if spot is not None:
            self._pick(spot)
            self.reveal_token(spot.index, spot.position)
        return spot is not None

    def pick_at(self, position: QPoint) -> None:
        spot = self._token_at(position)
        if spot is not None and not self.textCursor().hasSelection():
            self._pick(spot)

    def _pick(self, spot: TokenRef) -> None:
        """Mark a token, set the accessible description, and move the text cursor to it."""
        self.mark_token(spot.index, spot.position)
        trace = self._layer.traces[spot.index]
        words = tr("Token {number} of {count}: {details}")
        details = describe_token(trace, spot.position)
        self.setAccessibleDescription(words.format(number=spot.position + 1, count=len(trace), details=details))
        start = self._layer.start(spot)
        if start is not None:
            cursor = self.textCursor()
            cursor.setPosition(start)
            at = self.verticalScrollBar().value()
            self.setTextCursor(cursor)
            self.verticalScrollBar().setValue(at)
        self.token_picked.emit(spot.index, spot.position)

    def _point(self, spot: TokenRef | None) -> None:
        before = self._marks.pointed
        if spot != before:
            self._set_marks(replace(self._marks, pointed=spot))
            if spot is not None:
                self.token_pointed.emit(spot.index, spot.position)
            elif before is not None:
                self.token_pointed.emit(before.index, NOWHERE)

    def _set_marks(self, marks: TokenMarks) -> None:
        """Repaint only around the marks."""
        before, self._marks = self._marks, marks
        if self.view is AnswerView.TOKENS and marks != before:
            if any(map(self._ghost_of, (before, marks))):
                self.viewport().update()
            for spot in {before.marked, before.pointed} ^ {marks.marked, marks.pointed}:
                self._update(self._layer.rects(spot) if spot is not None else ())

    def _update(self, rects: Iterable[QRectF]) -> None:
        for rect in rects:
            around = rect.translated(-self._offset()).adjusted(-EDGE_PX, -EDGE_PX, EDGE_PX, EDGE_PX)
            self.viewport().update(around.toAlignedRect())

    def _set_scale(self, scale: Scale) -> None:
        if scale != self.scale:
            self.scale = scale
            self.viewport().update()
            self.scale_changed.emit(scale)

    def _measure(self, index: int) -> None:
        """Compute the latency scale from the last answer."""
        trace = self._layer.traces[index]
        if index == max(self._layer.traces) and (self._is_done(index) or len(trace) >= GROWTH * self._measured):
            self._measured = len(trace)
            recorded = any(map(is_observed, self._layer.traces.values()))
            self._set_scale(replace(self.scale, top_s=top_gap(trace), observed=recorded))

    def _is_done(self, index: int) -> bool:
        turn = turn_of(self._turns, index)
        return turn is not None and turn.done

    def _first_in_sight(self) -> TokenRef | None:
        top = self._offset().y()
        lines = (line for line in self._layer.lines(top, top + self.viewport().height()) if line.spans)
        found = next((line for line in lines if line.origin.y() + line.spans[0].rect.top() >= top - GAP_PX), None)
        return None if found is None else TokenRef(found.index, min(span.position for span in found.spans))

    def _token_at(self, position: QPoint) -> TokenRef | None:
        return self._layer.token_at(QPointF(position) + self._offset()) if self.view is AnswerView.TOKENS else None

    def _offset(self) -> QPointF:
        """Return the offset of the viewport in the page."""
        return QPointF(self.horizontalScrollBar().value(), self.verticalScrollBar().value())

    def _show_tip(self, event: QHelpEvent) -> bool:
        """Show the tooltip of the token at the pointer. Return whether there is one."""
        spot = self._token_at(event.pos())
        if spot is None:
            return False
        words = describe_token(self._layer.traces[spot.index], spot.position)
        positions = [rect.translated(-self._offset()).toAlignedRect() for rect in self._layer.rects(spot)]
        around = next((each for each in positions if each.contains(event.pos())), QRect())
        QToolTip.showText(event.globalPos(), as_tip(words), self.viewport(), around)
        return True

    def _ghost_of(self, marks: TokenMarks) -> str:
        spot = marks.pointed or marks.marked
        trace = self._layer.traces.get(spot.index) if spot is not None and self.view is AnswerView.TOKENS else None
        return trace.rejected(spot.position) if spot is not None and trace is not None else ""

    def _paint_below(self, position: QRect) -> None:
        area = QRectF(position).translated(self._offset())
        for index in self._layer.missed(area.top(), area.bottom()):
            if index not in self._missed:
                self._missed.add(index)
                self.trace_missed.emit(index)
        with QPainter(self.viewport()) as painter:
            painter.translate(-self._offset())
            lines = self._layer.lines(area.top(), area.bottom())
            paint_tokens(painter, lines, self._layer, self.scale, self._marks, self._theme)

    def _paint_draft(self, draft: str) -> None:
        spot = self._marks.pointed or self._marks.marked
        rects = self._layer.rects(spot) if spot is not None else []
        if rects:
            with QPainter(self.viewport()) as painter:
                painter.translate(-self._offset())
                paint_ghost(painter, rects[0], draft, self._offset().x() + self.viewport().width(), self._theme)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint tokens behind the text, and a rejected draft over it."""
        if self.view is AnswerView.TOKENS:
            self._paint_below(event.rect())
        super().paintEvent(event)
        if draft := self._ghost_of(self._marks):
            self._paint_draft(draft)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._show_tip(event):
            return True
        if event.type() == QEvent.Type.Leave:
            self._point(None)
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if event.buttons() == Qt.MouseButton.NoButton:
            self._point(self._token_at(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()
        position = event.position().toPoint()
        moved = (position - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if event.button() == Qt.MouseButton.LeftButton and not moved:
            self.pick_at(position)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Point at the token that scrolling moved to the pointer."""
        super().wheelEvent(event)
        self._point(self._token_at(event.position().toPoint()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._layer.forget()
