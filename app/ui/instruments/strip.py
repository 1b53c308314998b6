"""The strip along the bottom: the graph has most of it, the read-outs a column beside it, as far as there is room."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.ui.instruments.context_gauge import ContextGauge
from app.ui.instruments.memory_gauge import MemoryGauge
from app.ui.instruments.readouts import ReadOuts
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look import GAP_PX, MARGIN_PX, Colour, Theme
from app.ui.widgets import named

HEIGHT_PX, LEAST_PX = 220, 60
GRAPH_SHARE = 0.66
"""Of the strip's width, at least."""
SHARE_OF_WINDOW = 0.36
"""Of the window's height: as much as large text makes it at the most."""
SIDE_PX = 2 * GAP_PX
HERO_LETTERS = 7
"""A column that is narrower has no room for a number with its unit."""


class Strip(QWidget):
    """Its parts change all the time, and nothing outside of it is laid out anew for that."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "instruments")
        self._theme = theme
        self.graph = SpeedGraph(theme)
        self.memory = MemoryGauge(theme)
        self.context = ContextGauge(theme)
        self.readouts = ReadOuts(theme, (self.memory, self.context))
        for part in (self.graph, self.readouts):
            part.setParent(self)
        theme.changed.connect(self.place)

    def place(self) -> None:
        """The graph first; a column that would be too narrow for the speed leaves it all."""
        above = MARGIN_PX if self.height() > 2 * self.minimumSizeHint().height() else GAP_PX
        inner = self.rect().adjusted(SIDE_PX, above, -SIDE_PX, -above)
        column = min(self.readouts.wanted, int((1 - GRAPH_SHARE) * self.width()) - 3 * SIDE_PX)
        if column < HERO_LETTERS * self.fontMetrics().horizontalAdvance("0"):
            column = 0
        self.readouts.setVisible(bool(column))
        gap = SIDE_PX if column else 0
        self.graph.setGeometry(inner.adjusted(0, 0, -column - gap, 0))
        self.readouts.setGeometry(inner.right() + 1 - column, inner.top(), column, inner.height())
        self.readouts.place()

    def sizeHint(self) -> QSize:
        return QSize(0, self._theme.scaled(HEIGHT_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._theme.scaled(LEAST_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A hairline parts it from what is above."""
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), 1, self._theme.colour(Colour.LINE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()
