"""A thin bar of colored parts below a headline; the tooltip explains the colors."""

from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.i18n import tr
from app.number_format import DASH
from app.ui.look import GRID_PX, Color, Size, Theme, tint
from app.ui.widgets.labels import OneLine, plain_label
from app.ui.widgets.naming import named
from app.ui.widgets.rows import in_column, in_row
from app.ui.widgets.table import Numbers

BAR_PX = 4
TICK_PX = 2
NOTHING = tr("nothing yet")


@dataclass(frozen=True, slots=True)
class GaugeSegment:
    """A part of the bar; its length is a share of the bar's."""

    name: str
    share: float
    color: Color
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of a gauge."""

    headline: str
    brief: str = ""
    """The headline for little room."""
    shorter: str = ""
    """The headline for medium room."""
    parts: tuple[GaugeSegment, ...] = ()
    tick: float | None = None
    legend: str = ""
    spoken: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    """The name and value of every number."""
    warning: str = ""
    measured: bool = True
    """False: there is no total, so the bar is empty and its frame dashed."""


class Gauge(QWidget):
    """Shows a reading; it repaints only when the reading changes."""

    def __init__(self, theme: Theme, name: str, title: str, empty: str, meaning: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._theme = theme
        self._title = title
        self._empty = empty
        self._meaning = meaning
        self._reading: Reading | None = None
        self._name = plain_label(f"{name}_title", title, font=theme.font(Size.NORMAL), muted=True)
        self._headline = named(OneLine(), f"{name}_headline", font=theme.font(Size.NORMAL))
        self._headline.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._bar = GaugeBar(theme)
        self._warning = named(OneLine(), f"{name}_warning", font=theme.font(Size.SMALL))
        in_column(in_row(self._name, ..., self._headline), self._bar, self._warning, on=self, gap=GRID_PX)
        theme.changed.connect(self._wear)
        self._wear()
        self.clear()

    def clear(self) -> None:
        self.show_reading(Reading("", legend=self._empty, spoken=self._empty))

    def show_reading(self, reading: Reading) -> None:
        if reading == self._reading:
            return
        self._reading = reading
        self.setAccessibleName(f"{self._title}: {reading.headline or NOTHING}")
        self.setAccessibleDescription(" ".join(filter(None, (reading.spoken, reading.warning))))
        self._bar.show_parts(reading.parts if reading.measured else (), reading.tick, reading.measured)
        self._warning.setVisible(bool(reading.warning))
        self._warning.setText(f"⚠ {reading.warning}")
        self._fit()
        self.setToolTip(self._explained(reading))

    def numbers(self) -> Numbers:
        return Numbers(self._title, (tr("Name"), tr("Value")), self._reading.rows if self._reading is not None else ())

    def _fit(self) -> None:
        """Show the longest headline that fits."""
        reading = self._reading
        if reading is not None:
            room = self.width() - self._name.sizeHint().width() - 2 * GRID_PX
            metrics = self._headline.fontMetrics()
            texts = (text for text in (reading.headline, reading.shorter) if metrics.horizontalAdvance(text) <= room)
            self._headline.setText(next(filter(None, texts), reading.brief) or reading.headline or DASH)

    def _explained(self, reading: Reading) -> str:
        """Return the meaning of the bar's colors, then the values."""
        lines = [
            f"{self._mark(part) if reading.measured else ''}{escape(part.name, quote=False)}" for part in reading.parts
        ]
        lines += [escape(each, quote=False) for each in (reading.legend, reading.warning) if each]
        return f"<p>{'<br>'.join(lines)}</p><p>{escape(self._meaning, quote=False).replace(chr(10), '<br>')}</p>"

    def _mark(self, part: GaugeSegment) -> str:
        return f'<span style="color:{self._theme.hex(part.color)}">{"▨" if part.hatched else "■"}</span> '

    def _wear(self) -> None:
        tint(self._warning, self._theme, Color.WARNING)
        self._bar.update()
        if self._reading is not None:
            self.setToolTip(self._explained(self._reading))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


class GaugeBar(QWidget):
    """The painted bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: tuple[GaugeSegment, ...] = ()
        self._tick: float | None = None
        self._measured = True
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: tuple[GaugeSegment, ...], tick: float | None, measured: bool = True) -> None:
        if (parts, tick, measured) != (self._parts, self._tick, self._measured):
            self._parts, self._tick, self._measured = parts, tick, measured
            self.update()

    def _fill(self, part: GaugeSegment) -> QBrush:
        style = Qt.BrushStyle.Dense4Pattern if part.hatched else Qt.BrushStyle.SolidPattern
        return QBrush(self._theme.color(part.color), style)

    def sizeHint(self) -> QSize:
        return QSize(120, self._theme.scaled(BAR_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            whole = QRectF(self.rect())
            if self._measured:
                painter.fillRect(whole, self._theme.color(Color.LINE))
            else:
                painter.setPen(QPen(self._theme.color(Color.OUTLINE), 1, Qt.PenStyle.DashLine))
                painter.drawLine(0, self.height() // 2, self.width(), self.height() // 2)
            left = 0.0
            for part in self._parts:
                width = min(part.share * whole.width(), whole.right() - left)
                painter.fillRect(QRectF(left, 0, width, whole.height()), self._fill(part))
                left += width
            if self._tick is not None:
                at = min(1.0, self._tick) * (whole.width() - TICK_PX)
                painter.fillRect(QRectF(at, 0, TICK_PX, whole.height()), self._theme.color(Color.MUTED))
