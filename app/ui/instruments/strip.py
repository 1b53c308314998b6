"""The strip along the bottom of the window: the graph, and a column of figures if there is room."""

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
"""Minimum share of the strip's width."""
SHARE_OF_WINDOW = 0.36
"""Maximum share of the window's height, also with large text."""
SIDE_PX = 2 * GAP_PX
HERO_LETTERS = 7
"""Minimum width of the column in large digits, for the speed with its unit."""


class Strip(QWidget):
    """The strip. It lays out its parts itself, so that their frequent changes don't lay out the window again."""

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
        """Lay out the parts. The graph gets its share first; a column that is too narrow for the speed is hidden."""
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
        """Draw a hairline at the top."""
        with QPainter(self) as painter:
            painter.fillRect(0, 0, self.width(), 1, self._theme.colour(Colour.LINE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()
