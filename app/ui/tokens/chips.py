"""The tokens of a prompt as chips. Paints only visible lines, and lays out long prompts in steps."""

import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip

from app.engine.types import ExactPrompt, TokenScore
from app.i18n import tr
from app.ui.document.text_finds import OPACITY
from app.ui.look import GAP_PX, GRID_PX, MARGIN_PX, Color, Size, Theme
from app.ui.tokens.chip_lines import NAMES, PADDING_PX, SPACE_PX, ChipLines, paint_chip
from app.ui.tokens.colors import ground
from app.ui.tokens.words import describe_prompt, describe_prompt_token, describe_surprisal, surprisal_tone
from app.ui.widgets import Announcer, as_tip, named

STEP_S = 0.004
"""Maximum time of one layout step in seconds."""
ARC_PX, ARC_OPACITY = 1.5, 0.85
Ground = Callable[[int], QColor]
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class TokenChips(QAbstractScrollArea):
    pointed = Signal(str)
    """Description of the token at the pointer or the keyboard cursor; empty for none."""
    selected = Signal(object)
    """The selected range of tokens, or None."""

    def __init__(self, theme: Theme, name: str, spoken: str, at_end: bool = True, selects: bool = False) -> None:
        """`at_end`: begins scrolled to the end. `selects`: tokens can be selected."""
        super().__init__()
        named(self, name, spoken, description=describe_prompt(None, 0))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self._theme = theme
        self._widths: dict[str, float] = {}
        self._take_font()
        self._lines: ChipLines | None = None
        self.prompt: ExactPrompt | None = None
        self.reused = 0
        self._ground: Ground | None = None
        self._describe: Callable[[int], str] = str
        self._found: frozenset[int] = frozenset()
        self._links: dict[int, float] = {}
        """Tokens that the last token has arcs to, and the strengths of the arcs."""
        self._whitespace = False
        self._current: int | None = None
        self._selects = selects
        self._announcer = Announcer(self)
        self.selection: range | None = None
        self._anchor: int | None = None
        self._at_end = at_end
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        theme.changed.connect(self.viewport().update)
        theme.resized.connect(self._resize)

    @property
    def laid_out(self) -> bool:
        return self._lines is not None and self._lines.is_done

    def show_prompt(self, prompt: ExactPrompt | None, reused: int = 0) -> None:
        """Show these tokens; the first `reused` ones are cached."""
        if prompt is None or (self._current is not None and self._current >= len(prompt.ids)):
            self._current = None
        same = prompt == self.prompt
        self.prompt, self.reused = prompt, reused
        self.setAccessibleDescription(describe_prompt(prompt, reused))
        if same:
            self.viewport().update()
        else:
            self._ground = None
            self._select(None)
            self._links = {}
            self._lay_out()

    def show_links(self, links: Mapping[int, float]) -> None:
        """Draw arcs from the last token to these, with strengths up to 1."""
        self._links = dict(links)
        self.viewport().update()

    def show_weights(self, weights: Sequence[TokenScore | None]) -> None:
        """Color by surprisal, or without weights by part."""
        if weights:
            self.show_grounds(
                lambda at: ground(surprisal_tone(weights[at]), self._theme), lambda at: describe_surprisal(weights[at])
            )
        else:
            self.show_grounds(None)

    def show_grounds(self, ground_of: Ground | None, describe: Callable[[int], str] = str) -> None:
        """Set the background color and the description of each token; None for the colors of the parts."""
        self._ground, self._describe = ground_of, describe
        self.viewport().update()

    def mark_found(self, tokens: frozenset[int]) -> None:
        self._found = tokens
        self.viewport().update()

    def set_whitespace(self, visible: bool) -> None:
        if visible != self._whitespace:
            self._whitespace = visible
            self._lay_out()

    def reveal(self, token: int) -> None:
        """Make this the current token and scroll to it."""
        if self._lines is None:
            return
        self._lines.extend(lambda: self._lines is None or self._lines.line_of(token) < len(self._lines) - 1)
        self._fit()
        self._current = token
        top = self._lines.line_of(token) * self._line_height()
        bar = self.verticalScrollBar()
        if not bar.value() <= top <= bar.value() + bar.pageStep() - self._line_height():
            bar.setValue(top - bar.pageStep() // 2)
        self.viewport().update()
        self.pointed.emit(self.describe(token))

    def describe(self, token: int) -> str:
        assert self._lines is not None
        details = NAMES[self._lines.part(token)]
        if self._ground is not None:
            details = self._describe(token)
        elif token < self.reused:
            details = tr("{part}, cached").format(part=details)
        return describe_prompt_token(self._lines.prompt, token, details)

    def _select(self, last: int | None) -> None:
        """Select from the anchor to this token; None for nothing."""
        first = self._anchor if last is not None else None
        found = range(min(first, last), max(first, last) + 1) if first is not None and last is not None else None
        if found != self.selection:
            self.selection = found
            self.selected.emit(found)
            self.viewport().update()

    def _take_font(self) -> None:
        self._font = self._theme.font(Size.NORMAL, mono=True)
        self._metrics = QFontMetricsF(self._font)
        self._widths.clear()

    def _resize(self) -> None:
        self._take_font()
        self._lines = None
        self._lay_out()
        self.updateGeometry()

    def _lay_out(self) -> None:
        self._timer.stop()
        before, self._lines = self._lines, None
        width = self.viewport().width() - 2 * MARGIN_PX
        if self.prompt is not None and width > 0 and self.isVisible():
            self._lines = ChipLines(self.prompt, width, self._width, self._whitespace)
            if before is not None:
                self._lines.reuse_lines(before)
            self._go_on()
        self.viewport().update()

    def _go_on(self) -> None:
        if self._lines is None:
            return
        until = time.perf_counter() + STEP_S
        self._lines.extend(lambda: time.perf_counter() > until)
        self._fit()
        if self._lines.is_done:
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _fit(self) -> None:
        height = self.viewport().height()
        lines = len(self._lines) if self._lines is not None else 0
        bar, at_end = self.verticalScrollBar(), self._at_end
        bar.setPageStep(height)
        bar.setSingleStep(self._line_height())
        bar.setRange(0, max(0, lines * self._line_height() + 2 * GAP_PX - height))
        if at_end:
            bar.setValue(bar.maximum())
            self._at_end = True
        self.viewport().update()

    def _on_scrolled(self) -> None:
        bar = self.verticalScrollBar()
        self._at_end = bar.value() >= bar.maximum()
        self.viewport().update()

    def _width(self, text: str) -> float:
        wide = self._widths.get(text)
        if wide is None:
            wide = self._metrics.horizontalAdvance(text) + 2 * PADDING_PX + SPACE_PX
            self._widths[text] = wide
        return wide

    def _line_height(self) -> int:
        return round(self._metrics.height()) + 2 * GRID_PX

    def _token_at(self, position: QPoint) -> int | None:
        if self._lines is None:
            return None
        line = (position.y() + self.verticalScrollBar().value() - GAP_PX) // self._line_height()
        if not 0 <= line < len(self._lines):
            return None
        left = float(MARGIN_PX)
        for token in self._lines.tokens(line):
            right = left + self._width(self._lines.text(token))
            if left <= position.x() < right:
                return token
            left = right
        return None

    def _paint_line(self, painter: QPainter, line: int, top: float) -> None:
        assert self._lines is not None
        left, height = float(MARGIN_PX), self._line_height()
        room = self.viewport().width() - MARGIN_PX
        for token in self._lines.tokens(line):
            text = self._lines.text(token)
            wide = min(self._width(text), room - left)
            position = QRectF(left, top + 1, wide - SPACE_PX, height - 2)
            background = self._ground(token) if self._ground is not None else None
            if token in self._found:
                background = self._theme.color(Color.TOKEN, OPACITY)
            paint_chip(
                painter,
                position,
                text,
                self._lines.part(token),
                self._theme,
                cached=token < self.reused,
                chosen=token == self._current or (self.selection is not None and token in self.selection),
                background=background,
            )
            left += wide

    def sizeHint(self) -> QSize:
        return QSize(400, 5 * self._line_height() + 2 * GAP_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(100, self._line_height() + 2 * GAP_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.color(Color.SURFACE))
        if self._lines is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        height, offset = self._line_height(), self.verticalScrollBar().value() - GAP_PX
        first = max(0, (event.rect().top() + offset) // height)
        last = min(len(self._lines) - 1, (event.rect().bottom() + offset) // height)
        for line in range(first, last + 1):
            self._paint_line(painter, line, line * height - offset)
        if self._links and self._lines.is_done:
            self._paint_links(painter)

    def _paint_links(self, painter: QPainter) -> None:
        assert self._lines is not None
        begin, rise = self._top_of(len(self._lines.prompt.ids) - 1), self._line_height() / 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for token, share in self._links.items():
            end = self._top_of(token)
            painter.setPen(QPen(self._theme.color(Color.ACCENT, ARC_OPACITY), 1 + ARC_PX * share))
            path = QPainterPath(begin)
            path.cubicTo(begin - QPointF(0, rise), end - QPointF(0, rise), end)
            painter.drawPath(path)

    def _top_of(self, token: int) -> QPointF:
        """Return the center of the token's upper edge."""
        assert self._lines is not None
        line = self._lines.line_of(token)
        before = range(self._lines.tokens(line).start, token)
        left = MARGIN_PX + sum(self._width(self._lines.text(each)) for each in before)
        top = line * self._line_height() + GAP_PX - self.verticalScrollBar().value()
        return QPointF(left + self._width(self._lines.text(token)) / 2, top + 1)

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            token = self._token_at(event.pos())
            if token is not None:
                QToolTip.showText(event.globalPos(), as_tip(self.describe(token)), self.viewport())
            else:
                QToolTip.hideText()
            return True
        if event.type() == QEvent.Type.Leave:
            self.pointed.emit("")
        return super().viewportEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        token = self._token_at(event.position().toPoint())
        self.pointed.emit("" if token is None else self.describe(token))
        if event.buttons() & Qt.MouseButton.LeftButton and token is not None:
            self._select(token)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self._select(None)
        self._anchor = self._token_at(event.position().toPoint()) if self._selects else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or self.prompt is None or not self.prompt.ids:
            super().keyPressEvent(event)
            return
        wanted = 0 if self._current is None else self._current + step
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._select(None)
            self._anchor = None
        elif self._anchor is None and self._selects:
            self._anchor = self._current
        self.reveal(min(max(0, wanted), len(self.prompt.ids) - 1))
        self._select(self._current if self._anchor is not None else None)
        if self._current is not None and self._lines is not None:
            self._announcer.say(self.describe(self._current))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._current = None
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._lines is None or event.size().width() != event.oldSize().width():
            self._lay_out()
        else:
            self._fit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Drop the layout of a hidden widget."""
        super().hideEvent(event)
        self._timer.stop()
        self._lines = None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()
