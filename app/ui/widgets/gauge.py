"""A painted bar of named parts, of which both gauges are made; each part is also told in words."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.ui.look.palette import Colour
from app.ui.look.theme import GRID_PX, MARGIN_PX, MUTED_ROLE, Size, Theme, tint
from app.ui.widgets.naming import named
from app.ui.widgets.numbers_table import Numbers
from app.ui.widgets.rows import in_column
from app.words import tr

BAR_PX = 12
TICK_PX = 2
LEGEND_LINES = 2
NOTHING = tr("nothing yet")
WRAPPED_PX = 440
"""A headline is one line, unless that were longer than this."""


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of the bar, as a share of its whole length."""

    name: str
    share: float
    colour: Colour
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a gauge shows."""

    headline: str
    parts: tuple[Part, ...] = ()
    tick: float | None = None
    legend: str = ""
    spoken: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    """Every figure with its name."""
    warning: str = ""
    measured: bool = True
    """False: there is nothing to draw the parts against, so the bar stays empty and its frame is broken."""


class Gauge(QWidget):
    """Shows one reading, and paints only when it is another one."""

    def __init__(self, theme: Theme, name: str, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._title = title
        self._empty = empty
        self._reading: Reading | None = None
        self._measured: tuple[object, ...] = ()
        """How wide the words were when room was made for them."""
        self._headline = _label(theme, f"{name}_headline", Size.NORMAL)
        self._bar = Bar(theme)
        self._legend = _label(theme, f"{name}_legend", Size.SMALL)
        self._legend.setForegroundRole(MUTED_ROLE)
        self._legend.setWordWrap(True)
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self._warning = _label(theme, f"{name}_warning", Size.SMALL)
        self._warning.setWordWrap(True)
        self._lay_out()
        theme.changed.connect(self._wear)
        self._wear()
        self.clear()

    def clear(self) -> None:
        """Nothing is known."""
        self.show_reading(Reading("", legend=self._empty, spoken=self._empty))

    def show_reading(self, reading: Reading) -> None:
        if reading == self._reading:
            return
        self._reading = reading
        self.setAccessibleName(f"{self._title}: {reading.headline or NOTHING}")
        self.setAccessibleDescription(" ".join(filter(None, (reading.spoken, reading.warning))))
        self._bar.show_parts(reading.parts if reading.measured else (), reading.tick, reading.measured)
        self._warning.setVisible(bool(reading.warning))
        self._write(reading)

    def numbers(self) -> Numbers:
        """All that is drawn, as a table."""
        return Numbers(
            self._title, (tr("What"), tr("How much")), self._reading.rows if self._reading is not None else ()
        )

    def _lay_out(self) -> None:
        self._headline.setWordWrap(True)
        self._legend.setAlignment(Qt.AlignmentFlag.AlignTop)
        in_column(
            self._headline,
            self._bar,
            self._legend,
            self._warning,
            ...,
            on=self,
            gap=GRID_PX,
            margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX),
        )

    def _wear(self) -> None:
        tint(self._warning, self._theme, Colour.WARNING)
        self._bar.update()
        if self._reading is not None:
            self._write(self._reading)
            self._make_room()

    def _write(self, reading: Reading) -> None:
        headline = f"{self._title}  {reading.headline}".rstrip()
        wide = self._headline.fontMetrics().horizontalAdvance(headline)
        self._headline.setText(headline)
        self._headline.setMinimumWidth(min(WRAPPED_PX, wide + 1))
        self._legend.setText(self._legend_of(reading))
        self._warning.setText(f"⚠ {reading.warning}")
        measured = (wide, *self._widths(reading), reading.warning)
        if measured != self._measured:
            self._measured = measured
            self._make_room()

    def _widths(self, reading: Reading) -> tuple[object, ...]:
        """Of what the legend's lines are made of: as long as they are the same, so are the lines."""
        if not reading.parts:
            return (reading.legend,)
        metrics = self._legend.fontMetrics()
        return tuple(
            metrics.horizontalAdvance(words) for words in (*(part.name for part in reading.parts), reading.legend)
        )

    def _make_room(self) -> None:
        """A wrapped label asks for one line; the layout would cut the others off."""
        width = self.contentsRect().width() - 2 * MARGIN_PX
        least = LEGEND_LINES * self._legend.fontMetrics().lineSpacing()
        for label, height in ((self._headline, 0), (self._legend, least), (self._warning, 0)):
            label.setMinimumHeight(0)  # or it would want no less than it has
            label.setMinimumHeight(max(height, label.heightForWidth(width)))

    def _legend_of(self, reading: Reading) -> str:
        if not reading.parts:
            return reading.legend
        marks = [f"{self._mark(part) if reading.measured else ''}{part.name}" for part in reading.parts]
        entries = [*marks, *([reading.legend] if reading.legend else [])]
        return "&nbsp;&nbsp; ".join(f'<span style="white-space:nowrap">{entry}</span>' for entry in entries)

    def _mark(self, part: Part) -> str:
        return f'<span style="color:{self._theme.hex(part.colour)}">{"▨" if part.hatched else "■"}</span> '

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()


class Bar(QWidget):
    """The painted part."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: tuple[Part, ...] = ()
        self._tick: float | None = None
        self._measured = True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: tuple[Part, ...], tick: float | None, measured: bool = True) -> None:
        if (parts, tick, measured) != (self._parts, self._tick, self._measured):
            self._parts, self._tick, self._measured = parts, tick, measured
            self.update()

    def _fill(self, part: Part) -> QBrush:
        style = Qt.BrushStyle.BDiagPattern if part.hatched else Qt.BrushStyle.SolidPattern
        return QBrush(self._theme.colour(part.colour), style)

    def sizeHint(self) -> QSize:
        return QSize(120, BAR_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.fillRect(frame, self._theme.colour(Colour.SURFACE))
        left = frame.left()
        for part in self._parts:
            width = min(part.share * frame.width(), frame.right() - left)
            painter.fillRect(QRectF(left, frame.top(), width, frame.height()), self._fill(part))
            left += width
        line = Qt.PenStyle.SolidLine if self._measured else Qt.PenStyle.DashLine
        painter.setPen(QPen(self._theme.colour(Colour.OUTLINE), 1, line))
        painter.drawRect(frame)
        if self._tick is not None:
            at = frame.left() + min(1.0, self._tick) * (frame.width() - TICK_PX)
            painter.fillRect(QRectF(at, 0, TICK_PX, self.height()), self._theme.colour(Colour.TEXT))


def _label(theme: Theme, name: str, size: Size) -> QLabel:
    return named(QLabel(), name, font=theme.font(size))
