"""The page of a window without results: a drawing of a result, what it will be, and a button that runs a sample."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.i18n import tr
from app.ui.look import GRID_PX, MARGIN_PX, Color, Theme, scaled
from app.ui.widgets.buttons import push_button
from app.ui.widgets.labels import plain_label
from app.ui.widgets.rows import in_column, in_row

Draw = Callable[[QPainter, QRectF, Theme], None]
DRAWING_PX, LEAST_DRAWING_PX, WORDS_PX = (360, 150), 64, 480
MOST_OF_IT = 1_000
"""A stretch factor so large that the gaps get only the rest."""
DIM, DIMMER = 0.4, 0.16
"""Opacities: a drawing must not look like a result."""


class EmptyPage(QWidget):
    """`draw` is one of the functions below. `tip` says what the sample does; without it there is no button."""

    sample_wanted = Signal()

    def __init__(self, theme: Theme, name: str, words: str, draw: Draw, tip: str = "") -> None:
        super().__init__()
        self._words = plain_label(name, words, muted=True, wraps=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        scaled(theme, self._words, QWidget.setMaximumWidth, WORDS_PX)
        around = in_row(..., (self._words, MOST_OF_IT), ..., gap=0)
        words = tr("Run a Sample")
        self._sample = push_button(f"{name}_sample", words, tip, press=self.sample_wanted) if tip else None
        below = ((self._sample, 0, Qt.AlignmentFlag.AlignHCenter),) if self._sample is not None else ()
        parts = (Drawing(theme, draw), 4), around, *below
        in_column(..., *parts, ..., on=self, gap=MARGIN_PX, margins=MARGIN_PX)

    def offer_sample(self, offered: bool) -> None:
        if self._sample is not None:
            self._sample.setVisible(offered)

    def say(self, words: str) -> None:
        self._words.setText(words)


class Drawing(QWidget):
    """A schematic result in faint colors. Screen readers read the words below it instead."""

    def __init__(self, theme: Theme, draw: Draw) -> None:
        super().__init__()
        self._theme, self._draw = theme, draw
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        width, height = DRAWING_PX
        scaled(theme, self, QWidget.setMaximumHeight, height)
        scaled(theme, self, QWidget.setMinimumHeight, LEAST_DRAWING_PX)
        self._width = partial(theme.scaled, width)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(self._width(), self.maximumHeight())

    def paintEvent(self, event: QPaintEvent) -> None:
        wide = min(self.width(), self._width())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw(painter, QRectF((self.width() - wide) / 2, 0, wide, self.height()), self._theme)


def _bar(painter: QPainter, theme: Theme, at: QRectF, role: Color = Color.MUTED, opacity: float = DIMMER) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(role, opacity))
    painter.drawRoundedRect(at, GRID_PX / 2, GRID_PX / 2)


def _lines(room: QRectF, count: int, share: float = 0.5) -> list[QRectF]:
    """Return `count` rectangles below each other, each `share` of its line high."""
    step = room.height() / count
    top = room.top() + step * (1 - share) / 2
    return [QRectF(room.left(), top + step * at, room.width(), step * share) for at in range(count)]


def draw_dots(painter: QPainter, room: QRectF, theme: Theme) -> None:
    """Draw variants with their medians and confidence intervals."""
    for line, (low, middle, high) in zip(_lines(room, 4), ((5, 6, 7), (4, 5, 7), (7, 8, 9), (8, 9, 10)), strict=True):
        _bar(painter, theme, QRectF(line.left(), line.top(), line.width() * 0.25, line.height()))
        left, step, at = line.left() + line.width() * 0.3, line.width() * 0.07, line.center().y()
        painter.setPen(QPen(theme.color(Color.DECODE, DIM), 2))
        painter.drawLine(QPointF(left + step * low, at), QPointF(left + step * high, at))
        painter.setBrush(theme.color(Color.DECODE, DIM))
        painter.drawEllipse(QPointF(left + step * middle, at), 4, 4)


def draw_table(painter: QPainter, room: QRectF, theme: Theme) -> None:
    """Draw rows of a table; one is selected."""
    for row, line in enumerate(_lines(room, 6)):
        if row == 2:
            _bar(painter, theme, line.adjusted(-GRID_PX, -GRID_PX, GRID_PX, GRID_PX), Color.ACCENT)
        left = line.left()
        for column, share in enumerate((0.34, 0.16, 0.2, 0.12)):
            wide = line.width() * share * (1 if row == 0 else 0.55 + 0.45 * ((row * 7 + column * 5) % 4) / 3)
            _bar(painter, theme, QRectF(left, line.top(), wide, line.height()), opacity=DIM if row == 0 else DIMMER)
            left += line.width() * (share + 0.05)


def draw_cells(painter: QPainter, room: QRectF, theme: Theme) -> None:
    """Draw layers × tokens; later layers are more certain."""
    rows, columns = 7, 12
    across = room.width() / columns
    for row, line in enumerate(_lines(room, rows, 0.86)):
        for column in range(columns):
            strength = max(0.0, (row - (column * 5) % 4) / (rows - 1))
            at = QRectF(line.left() + across * column, line.top(), across * 0.94, line.height())
            _bar(painter, theme, at, Color.LIKELY, DIMMER / 2 + 0.5 * strength**2)


def draw_words(painter: QPainter, room: QRectF, theme: Theme) -> None:
    """Draw tokens of a text, colored by a value."""
    for row, line in enumerate(_lines(room, 5)):
        left, number = line.left(), 0
        while left < line.right() - GRID_PX:
            wide = min(line.right() - left, line.width() * (0.05 + 0.03 * ((row * 3 + number * 5) % 4)))
            strong = (row * 5 + number * 7) % 6 == 0
            at = QRectF(left, line.top(), wide, line.height())
            _bar(painter, theme, at, Color.TOKEN if strong else Color.MUTED, DIM if strong else DIMMER)
            left, number = left + wide + GRID_PX, number + 1
