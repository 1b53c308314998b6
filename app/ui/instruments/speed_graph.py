"""The speed graph: tokens per second over time or over tokens, with the runs before faintly behind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from app.engine.curve import Curve
from app.engine.frame import Figures, Point
from app.engine.trace import Trace
from app.ui.instruments.end_curve import Ends
from app.ui.instruments.speed_head import SpeedHead
from app.ui.instruments.speed_pane import SpeedPane
from app.ui.instruments.speed_pointer import SpeedPointer
from app.ui.instruments.speed_runs import SpeedRuns
from app.ui.instruments.speed_table import numbers_of
from app.ui.instruments.speed_tokens import RunTokens
from app.ui.look.palette import Colour
from app.ui.look.theme import GRID_PX, MARGIN_PX, Theme
from app.ui.widgets.naming import named
from app.ui.widgets.numbers_table import Numbers
from app.ui.widgets.plots.speed_curve import Axis, csv, described, nearest, pointed
from app.ui.widgets.rows import in_column
from app.words import tr

THIS_RUN = tr("this run")
INTERVAL_S = 0.1
SPOKEN_INTERVAL_S = 1.0


class SpeedGraph(QWidget):
    """Takes points as they come and draws them ten times a second at most, and never while nobody can see it.

    With a trace it points at tokens: by the pointer, by the arrow keys, and where it is told to.
    """

    copied = Signal(str)
    """What was put on the clipboard."""
    token_pointed = Signal(int)
    """Index of a token in the run that is shown; -1: none any more."""
    token_clicked = Signal(int)
    stretch_chosen = Signal(int, int)
    """First and last token of a stretch; both -1: none any more."""
    eos_switched = Signal(bool)
    """Whether the end probability is to be shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "speed_graph", tr("Speed graph"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme = theme
        self.axis = Axis.TIME
        self._runs = SpeedRuns()
        self._name = THIS_RUN
        self._ends = Ends()
        self._drawn_at = self._spoken_at = float("-inf")
        self._out_of_date = False
        self._head = SpeedHead(theme)
        self._place = SpeedPane(theme)
        self._pointing = SpeedPointer(self)
        self._connect()
        self._lay_out()
        self._show_legend()
        theme.changed.connect(self._wear)
        self._speak()

    @property
    def eos(self) -> bool:
        """Whether the end probability is shown, where it was recorded."""
        return self._ends.on

    def prepare(self) -> None:
        """Bring pyqtgraph in, best while nothing else is going on; points that come meanwhile are drawn then."""
        self._place.prepare()

    def leave(self) -> None:
        """The window goes."""
        self._place.leave()

    def offer(self, act: QAction) -> None:
        """An action of the window that belongs to the graph too: it stands in its menu."""
        self._head.offer(act)

    @property
    def drawn(self) -> bool:
        """Whether the curve of the run that is shown is known."""
        return bool(self._runs.shown.points)

    def begin_run(self, model: str = "", name: str = THIS_RUN) -> None:
        """A new curve begins; those of the same model go behind, and no tokens are shown until they are given."""
        self.prepare()
        self._runs.begin(model)
        self._drawn_at = self._spoken_at = float("-inf")
        self._look(name)

    def show_run(self, figures: Figures, model: str = "", name: str = THIS_RUN) -> None:
        """A run that is over. Where its curve is not known, `show_curve` brings it."""
        self.prepare()
        self._runs.look_back(model, figures)
        self._look(name)

    def show_curve(self, curve: Curve) -> None:
        """Of the run that is shown, whole, where it is not known already."""
        if not self.drawn:
            self._runs.shown.extend(curve.points, self._runs.shown.figures)
            self._draw_all()
            self._speak()

    def clear(self) -> None:
        """There is no run to show."""
        self._runs.clear()
        self._look(THIS_RUN)

    def advance(self, points: Sequence[Point], figures: Figures, now: float) -> None:
        """Points that are new, and the figures as they stand."""
        self._runs.shown.extend(points, figures)
        self._out_of_date = True
        if now - self._drawn_at >= INTERVAL_S:
            self._drawn_at = now
            self._draw()
        if now - self._spoken_at >= SPOKEN_INTERVAL_S:
            self._spoken_at = now
            self._speak()

    def finish_run(self, figures: Figures) -> None:
        """The curve is complete."""
        self._runs.shown.figures = figures
        self._runs.shown.ended = True
        self._out_of_date = True
        self._draw()
        self._speak()

    def show_trace(self, trace: Trace | None, run: int) -> None:
        """The tokens of the run that is shown: they are this run's of the answer."""
        shown = self._pointing.tokens
        if shown is None or trace is None or not shown.shows(trace, run):
            self._show_tokens(RunTokens(trace, run) if trace is not None else None)
            self._draw_all()
            self._speak()

    def point_token(self, index: int | None) -> None:
        """Mark this token of the run that is shown."""
        self._pointing.point(index)

    def mark_stretch(self, first: int | None, last: int | None = None) -> None:
        """Shade these tokens of the run that is shown, both ends included; None: none."""
        self._pointing.mark(first, last)

    def set_axis(self, axis: Axis) -> None:
        """Over time, or over tokens."""
        self.axis = axis
        self._head.set_axis(axis)
        self._pointing.set_axis(axis)
        self._draw_all()

    def set_eos(self, on: bool) -> None:
        """Whether the end probability is shown, where it was recorded."""
        self._ends.on = on
        self._head.set_eos(on)
        self._draw()
        self._speak()

    def copy_picture(self) -> None:
        if self._place.plot is not None:
            QGuiApplication.clipboard().setImage(self._place.plot.image())
            self.copied.emit("picture")

    def copy_csv(self) -> None:
        QGuiApplication.clipboard().setText(csv(self._runs.shown))
        self.copied.emit("CSV")

    def numbers(self) -> Numbers:
        return numbers_of(self._runs.shown)

    def copy_tokens(self) -> None:
        if self._pointing.tokens is not None:
            QGuiApplication.clipboard().setText(self._pointing.tokens.csv())
            self.copied.emit("tokens as CSV")

    def _connect(self) -> None:
        self._place.made.connect(self._draw_all)
        self._place.hovered.connect(self._hover)
        self._place.left.connect(self._leave)
        self._place.dragged.connect(self._pointing.drag)
        self._place.clicked.connect(self._pointing.click)
        self._head.axis_chosen.connect(self.set_axis)
        self._head.eos_switched.connect(self.set_eos)
        self._head.eos_switched.connect(self.eos_switched)
        self._head.picture_wanted.connect(self.copy_picture)
        self._head.csv_wanted.connect(self.copy_csv)
        self._head.tokens_wanted.connect(self.copy_tokens)
        self._pointing.changed.connect(self._mark)
        self._pointing.token_pointed.connect(self.token_pointed)
        self._pointing.token_clicked.connect(self.token_clicked)
        self._pointing.stretch_chosen.connect(self.stretch_chosen)

    def _show_tokens(self, tokens: RunTokens | None) -> None:
        self._pointing.show_tokens(tokens)
        self._ends.show_tokens(tokens)
        self._head.offer_tokens(tokens is not None)

    def _look(self, name: str) -> None:
        """Another run is shown now, under this name; its tokens are not known yet."""
        self._name = name
        self._show_tokens(None)
        self._draw_all()
        self._speak()

    def _lay_out(self) -> None:
        in_column(self._head, (self._place, 1), on=self, gap=GRID_PX, margins=(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX))

    @Slot(float)
    def _hover(self, x: float) -> None:
        if self._pointing.tokens is not None:
            self._pointing.hover(x)
            return
        point = nearest(self._runs.shown.drawn, x, self.axis)
        if point is not None and self._place.plot is not None:
            self._place.plot.marks.point(point.seconds if self.axis is Axis.TIME else point.tokens, point.speed)
            self._place.show_readout(pointed(point))

    @Slot()
    def _leave(self) -> None:
        self._pointing.leave()
        if self._pointing.tokens is None:
            self._mark()

    @Slot()
    def _mark(self) -> None:
        """The token and the stretch, on the plot and in words."""
        pointing = self._pointing
        self._place.show_readout(pointing.told, pointing.brief)
        if self.hasFocus():
            self._speak()
        plot = self._place.seen
        if plot is not None:
            x = pointing.place
            plot.marks.point(x, self._runs.shown.height(x, self.axis) if x is not None else None)
            plot.marks.shade(pointing.shaded)

    def _draw(self) -> None:
        self._head.offer_eos(self._ends.missing)
        self._show_legend()
        plot = self._place.seen
        if plot is None:
            return
        self._out_of_date = False
        plot.draw(self._runs.shown, self.axis, self._ends.curve)
        shown = self._runs.shown
        self._place.show_plot(bool(shown.points or self._runs.earlier or (shown.ended and shown.figures.tokens)))

    @Slot()
    def _draw_all(self) -> None:
        self._out_of_date = True
        plot = self._place.seen
        if plot is not None:
            plot.draw_earlier(self._runs.earlier, self.axis)
        self._draw()
        self._mark()

    def _show_legend(self) -> None:
        entries = [(Colour.DECODE, "━", self._name), (Colour.TEXT, "╌╌", tr("mean"))]
        if self._runs.earlier:
            entries.append((Colour.MUTED, "━", tr("runs before")))
        if self._ends.on and not self._ends.missing:
            entries.append((Colour.END, "◢", tr("end probability")))
        self._head.show_legend(entries)

    def _speak(self) -> None:
        marked = f"{self._pointing.told}." if self._pointing.told else ""
        parts = (marked, described(self._runs.shown), self._ends.told)
        self.setAccessibleDescription(" ".join(filter(None, parts)))

    def _wear(self) -> None:
        if self._place.plot is not None:
            self._place.plot.wear()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._head.copies.popup(event.globalPos())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._leave()
        self._speak()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._pointing.press_key(event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A ring that tells whose the keys are."""
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(self._theme.colour(Colour.ACCENT))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), GRID_PX, GRID_PX)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._out_of_date:
            self._draw_all()
