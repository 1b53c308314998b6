"""The tokens of several columns in aligned slots, wrapped into blocks with one line per column."""

from bisect import bisect_right
from math import exp

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from app.comparison.columns import surprisal_of
from app.comparison.comparison import LETTERS, Comparison
from app.engine.types import PromptPart
from app.i18n import tr
from app.number_format import bits, chance
from app.records.types import TokenRecord
from app.ui.look import GAP_PX, GRID_PX, Color, Size, Theme
from app.ui.tokens.chip_lines import CONTINUED, PADDING_PX, SPACE_PX, paint_chip
from app.ui.tokens.colors import LEVELS, PLAIN, Coloring, Tone, ground, logprob_strength
from app.ui.tokens.words import legible
from app.ui.widgets import Announcer, as_tip, named

WIDEST = 24
"""Characters of a token in its chip; the description has all."""
MARK_PX = 2
STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
ROWS = tr("The tokens of each column in a row, equal ones below each other")
Place = tuple[int, int]
"""A slot and a column."""


class AlignedTokens(QAbstractScrollArea):
    """Colors the tokens of all columns on one scale. A line below marks a token that differs from the first column."""

    pointed = Signal(str)
    """Description of the token at the pointer or the keyboard cursor; empty for none."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        named(self, name, tr("Aligned tokens"), description=ROWS)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self._theme = theme
        self._found: Comparison | None = None
        self._coloring = Coloring.PROBABILITY
        self._current: Place | None = None
        self._announcer = Announcer(self)
        self._widths: list[float] = []
        self._begins: list[int] = [0]
        """The first slot of each block."""
        self._take_font()
        self.verticalScrollBar().valueChanged.connect(self.viewport().update)
        theme.changed.connect(self.viewport().update)
        theme.resized.connect(self._resize)

    def show_comparison(self, found: Comparison | None) -> None:
        self._found, self._current = found, None
        self.setAccessibleDescription(" ".join(found.sentences) if found is not None else ROWS)
        self._measure()
        self._lay_out()
        self.verticalScrollBar().setValue(0)

    @property
    def has_probabilities(self) -> bool:
        """Whether a token has a recorded probability."""
        columns = self._found.columns if self._found is not None else ()
        return any(token.observed is not None for column in columns for token in column.tokens)

    def color_by(self, coloring: Coloring) -> None:
        self._coloring = coloring
        self.viewport().update()

    def show_next_difference(self) -> None:
        """Go to the next passage in which the columns differ; after the last one, to the first."""
        starts = self._found.alignment.starts if self._found is not None else ()
        if starts:
            at = -1 if self._current is None else self._current[0]
            slot = starts[bisect_right(starts, at) % len(starts)]
            assert self._found is not None
            self._go_to((slot, min(self._found.alignment.different[slot])))

    def describe(self, place: Place) -> str:
        """Describe the token at a place, and that of the first column in the same slot."""
        assert self._found is not None
        slot, column = place
        words = self._describe_token(slot, column)
        return words if not column else f"{words}. {self._describe_token(slot, 0)}"

    def _describe_token(self, slot: int, column: int) -> str:
        token = self._token(slot, column)
        if token is None:
            return tr("{column}: no token here").format(column=LETTERS[column])
        nats = surprisal_of(token)
        words = tr("{column}, token {number}: {text}").format(
            column=LETTERS[column], number=f"{token.index + 1:,}", text=f"“{legible(token.text)}”"
        )
        return words if nats is None else ", ".join((words, chance(exp(-nats)), bits(nats)))

    def _token(self, slot: int, column: int) -> TokenRecord | None:
        assert self._found is not None
        index = self._found.alignment.slots[slot][column]
        return None if index is None else self._found.columns[column].tokens[index]

    def _take_font(self) -> None:
        self._font = self._theme.font(Size.NORMAL, mono=True)
        self._metrics = QFontMetricsF(self._font)

    def _resize(self) -> None:
        self._take_font()
        self._measure()
        self._lay_out()
        self.updateGeometry()

    def _measure(self) -> None:
        """Measure the widest token of each slot."""
        known: dict[str, float] = {}
        self._widths = []
        found = self._found
        for slot in found.alignment.slots if found is not None else ():
            widest = 0.0
            for column, index in enumerate(slot):
                if index is not None and found is not None:
                    text = found.columns[column].tokens[index].text
                    if text not in known:
                        known[text] = self._metrics.horizontalAdvance(_chip_text(text))
                    widest = max(widest, known[text])
            self._widths.append(widest + 2 * PADDING_PX + SPACE_PX)

    def _lay_out(self) -> None:
        room, left = self.viewport().width() - self._gutter() - GAP_PX, 0.0
        self._begins = [0]
        for slot, wide in enumerate(self._widths):
            if left + wide > room and left:
                self._begins.append(slot)
                left = 0.0
            left += wide
        bar, height = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(height)
        bar.setSingleStep(self._line_height())
        bar.setRange(0, max(0, len(self._begins) * self._block_height() + GAP_PX - height))
        self.viewport().update()

    def _gutter(self) -> int:
        """Width for the letter of a line and the number of its first token."""
        return round(self._metrics.horizontalAdvance("A 00,000")) + GAP_PX

    def _line_height(self) -> int:
        return round(self._metrics.height()) + 2 * GRID_PX

    def _block_height(self) -> int:
        columns = len(self._found.columns) if self._found is not None else 0
        return columns * self._line_height() + 2 * GAP_PX

    def _slots_of(self, block: int) -> range:
        begins = self._begins
        return range(begins[block], begins[block + 1] if block + 1 < len(begins) else len(self._widths))

    def _place_at(self, point: QPoint) -> Place | None:
        block, below = divmod(point.y() + self.verticalScrollBar().value() - GAP_PX, self._block_height())
        column, left = below // self._line_height(), float(self._gutter())
        if self._found is None or not 0 <= block < len(self._begins) or column >= len(self._found.columns):
            return None
        for slot in self._slots_of(block):
            if left <= point.x() < left + self._widths[slot]:
                return slot, column
            left += self._widths[slot]
        return None

    def _go_to(self, place: Place) -> None:
        """Make this the current token, scroll to it and describe it."""
        self._current = place
        block = bisect_right(self._begins, place[0]) - 1
        bar, top = self.verticalScrollBar(), block * self._block_height()
        if not bar.value() <= top <= bar.value() + bar.pageStep() - self._block_height():
            bar.setValue(top)
        self.viewport().update()
        self.pointed.emit(self.describe(place))
        self._announcer.say(self.describe(place))

    def _tone(self, token: TokenRecord) -> Tone:
        strength = logprob_strength(token.observed, self._coloring) if token.observed is not None else None
        return PLAIN if strength is None else min(LEVELS - 1, int(strength * LEVELS))

    def _ground(self, token: TokenRecord) -> QColor:
        return ground(self._tone(token), self._theme)

    def sizeHint(self) -> QSize:
        return QSize(600, 2 * self._block_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 2 * self._line_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.color(Color.SURFACE))
        if self._found is None or not self._widths:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        height, offset = self._block_height(), self.verticalScrollBar().value() - GAP_PX
        first = max(0, (event.rect().top() + offset) // height)
        last = min(len(self._begins) - 1, (event.rect().bottom() + offset) // height)
        for block in range(first, last + 1):
            for column in range(len(self._found.columns)):
                self._paint_line(painter, block, column, block * height - offset + column * self._line_height())

    def _paint_line(self, painter: QPainter, block: int, column: int, top: int) -> None:
        assert self._found is not None
        left, height = float(self._gutter()), self._line_height()
        tokens = [(slot, self._token(slot, column)) for slot in self._slots_of(block)]
        begin = next((f"{token.index + 1:,}" for _, token in tokens if token is not None), "")
        head = QRect(0, top, self._gutter() - GRID_PX, height)
        painter.setPen(self._theme.color(Color.MUTED))
        painter.drawText(head.adjusted(GRID_PX, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, LETTERS[column])
        painter.drawText(head, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, begin)
        for slot, token in tokens:
            room = QRectF(left, top + 1, self._widths[slot] - SPACE_PX, height - 2)
            self._paint_token(painter, room, token, (slot, column))
            left += self._widths[slot]

    def _paint_token(self, painter: QPainter, room: QRectF, token: TokenRecord | None, place: Place) -> None:
        assert self._found is not None
        slot, column = place
        if token is None:
            painter.setPen(QPen(self._theme.color(Color.LINE), 1))
            middle = QPointF(room.width() / 2 - GRID_PX, 0)
            painter.drawLine(room.center() - middle, room.center() + middle)
        else:
            paint_chip(
                painter,
                room,
                _chip_text(token.text),
                PromptPart.MODEL,
                self._theme,
                cached=False,
                chosen=place == self._current,
                background=self._ground(token),
            )
        if column in self._found.alignment.different[slot]:
            mark = QRectF(room.left(), room.bottom() - MARK_PX, room.width(), MARK_PX)
            painter.fillRect(mark, self._theme.color(Color.ERROR))
            if self._found.alignment.firsts.get(column) == slot:
                painter.setPen(QPen(self._theme.color(Color.ERROR), MARK_PX))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(room.adjusted(1, 1, -1, -1))

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self._place_at(event.pos())
            if place is not None:
                QToolTip.showText(event.globalPos(), as_tip(self.describe(place)), self.viewport())
            else:
                QToolTip.hideText()
            return True
        if event.type() == QEvent.Type.Leave:
            self.pointed.emit("")
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position().toPoint())
        self.pointed.emit("" if place is None else self.describe(place))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (place := self._place_at(event.position().toPoint())) is not None:
            self._go_to(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or self._found is None or not self._widths:
            super().keyPressEvent(event)
            return
        slot, column = self._current or (-step[0], -step[1])
        last = len(self._widths) - 1, len(self._found.columns) - 1
        self._go_to((min(max(0, slot + step[0]), last[0]), min(max(0, column + step[1]), last[1])))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()


def _chip_text(text: str) -> str:
    """Return a token's text for its chip: whitespace alone is visible, and a long text is cut."""
    if not text:
        return CONTINUED
    shown = text.replace("\n", "⏎").replace("\t", "⇥") if text.strip(" ") else "·" * len(text)
    return shown if len(shown) <= WIDEST else f"{shown[: WIDEST - 1]}…"
