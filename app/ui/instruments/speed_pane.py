"""Where the speed plot stands: a sentence until there is something to draw, and what is pointed at below the plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStackedLayout, QWidget

from app.definitions import meanings
from app.ui.look.theme import GRID_PX, Size, Theme
from app.ui.widgets.labels import plain_label
from app.ui.widgets.plots.library import PlotLibrary
from app.words import tr

if TYPE_CHECKING:
    from app.ui.instruments.speed_plot import SpeedPlot

EMPTY = tr("The speed of each run will appear here, in tokens per second.")


class SpeedPane(QWidget):
    """Makes the plot when it can; what the mouse does there is told on, in the plot's own numbers."""

    made = Signal()
    """There is a plot now, and nothing on it yet."""
    hovered = Signal(float)
    left = Signal()
    dragged = Signal(float, float)
    clicked = Signal(float, float)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.plot: SpeedPlot | None = None
        self._library = PlotLibrary(self)
        self._library.ready.connect(self._make)
        self._empty = plain_label("", EMPTY, font=theme.font(Size.SMALL), muted=True, wraps=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._readout = self._make_readout()
        self._told = self._brief = ""

    @property
    def seen(self) -> SpeedPlot | None:
        """The plot, if there is one and drawing on it would be seen."""
        return self.plot if self.isVisible() and not self.window().isMinimized() else None

    def show_readout(self, words: str, brief: str = "") -> None:
        """In the place of the axis' name, where there is room for a sentence however small the window is.

        Where there is too little for these, there is for fewer words.
        """
        if words != self._told:
            self._told, self._brief = words, brief or words
            self._readout.setVisible(bool(words))
            self._readout.raise_()
            self._write()

    def prepare(self) -> None:
        if self.plot is None:
            self._library.bring()

    def leave(self) -> None:
        self._library.leave()

    def show_plot(self, drawn: bool) -> None:
        """The plot where something is drawn on it, else the sentence."""
        if self.plot is not None:
            self._stack.setCurrentWidget(self.plot if drawn else self._empty)

    def _make_readout(self) -> QLabel:
        tip = meanings("number", "arrival", "gap", "speed_now")
        label = plain_label("speed_under_pointer", tip=tip, font=self._theme.font(Size.SMALL))
        label.setParent(self)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setAutoFillBackground(True)
        label.setBackgroundRole(QPalette.ColorRole.Base)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        label.hide()
        return label

    def _write(self) -> None:
        metrics, room = QFontMetrics(self._readout.font()), self.width() - 2 * GRID_PX
        fits = metrics.horizontalAdvance(self._told) <= room
        words = self._told if fits else self._brief
        self._readout.setText(metrics.elidedText(words, Qt.TextElideMode.ElideRight, room))

    @Slot()
    def _make(self) -> None:
        if self.plot is None:
            from app.ui.instruments.speed_plot import SpeedPlot

            self.plot = SpeedPlot(self._theme)
            pointer = self.plot.pointer
            pointer.hovered.connect(self.hovered)
            pointer.left.connect(self.left)
            pointer.dragged.connect(self.dragged)
            pointer.clicked.connect(self.clicked)
            self._stack.addWidget(self.plot)
            self.made.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        high = self._readout.fontMetrics().height()
        self._readout.setGeometry(0, self.height() - high, self.width(), high)
        self._write()
