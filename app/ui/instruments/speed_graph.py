"""The speed graph: tokens per second over time or over tokens, with the runs before faintly behind."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from app.engine.meter.curve import Curve
from app.engine.meter.frame import Figures, Point
from app.engine.meter.trace import Trace
from app.i18n import tr
from app.ui.graph.end_curve import Ends
from app.ui.graph.labels import LaneText
from app.ui.graph.menu import SpeedMenu
from app.ui.graph.plot import Scene, SpeedPlot
from app.ui.graph.runs import SpeedRuns
from app.ui.graph.table import numbers_of
from app.ui.graph.tokens import RunTokens
from app.ui.instruments.speed_pointer import SpeedPointer
from app.ui.instruments.watch_button import WatchButton
from app.ui.look import GAP_PX, GRID_PX, Colour, Size, Theme
from app.ui.widgets import in_column, named
from app.ui.widgets.numbers_table import Numbers
from app.ui.widgets.plots.speed_curve import Axis, Limit, csv, described, nearest, pointed

THIS_RUN = ""
"""What is said of the run that needs no name."""
EMPTY = tr("speed appears here")
DRAG = tr("drag to measure")
SPOKEN_INTERVAL_S = 1.0
LEAST_PX = (120, 40)
CORNER_SHARE = 0.2
"""Of the width: what would take more says it with signs."""


class SpeedGraph(QWidget):
    """Takes what comes, and draws it when it is told to; nothing is painted while nobody can see it.

    With a trace it points at tokens: by the pointer, by the arrow keys, and where it is told to.
    """

    token_pointed = Signal(int)
    """Index of a token in the run that is shown; -1: none any more."""
    token_clicked = Signal(int)
    stretch_chosen = Signal(int, int)
    """First and last token of a stretch; both -1: none any more."""
    eos_switched = Signal(bool)
    """Whether the end probability is to be shown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        named(self, "speed_graph", tr("Speed graph"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme = theme
        self.axis = Axis.TIME
        self.measured = False
        """The user knows that a drag measures."""
        self._runs = SpeedRuns()
        self._name = THIS_RUN
        self._prompt = self._brief = ""
        self._reading_s: float | None = None
        self._ends = Ends()
        self._spoken_at = float("-inf")
        self._plot = SpeedPlot(theme)
        self._menu = SpeedMenu(self)
        self._corner = self._menu.button(theme)
        self.watch = WatchButton(theme)
        self._pointing = SpeedPointer(self)
        self._connect()
        in_column(self._plot, on=self, gap=0)
        for each in (self.watch, self._corner):
            each.setParent(self)
        theme.changed.connect(self._wear)
        self._wear()
        self._draw()
        self._speak()

    @property
    def eos(self) -> bool:
        """Whether the end probability is shown, where it was recorded."""
        return self._ends.on

    def offer(self, *actions: QAction) -> None:
        """Actions of the window that belong to the graph too: they stand in its menu."""
        self._menu.addSeparator()
        self._menu.addActions(actions)

    @property
    def drawn(self) -> bool:
        """Whether the curve of the run that is shown is known."""
        return bool(self._runs.shown.arrivals)

    def begin_run(self, model: str = "", name: str = THIS_RUN) -> None:
        """A new curve begins; those of the same model go behind, and no tokens are shown until they are given."""
        self._runs.begin(model)
        self._look(name)

    def watch_run(self, model: str, name: str) -> None:
        """One that was written before comes once more: its curve grows anew, and is kept no second time."""
        self._runs.watch(model)
        self._look(name)

    def show_run(self, figures: Figures, model: str = "", name: str = THIS_RUN) -> None:
        """A run that is over. Where its curve is not known, `show_curve` brings it."""
        self._runs.look_back(model, figures)
        self._look(name)

    def show_curve(self, curve: Curve) -> None:
        """Of the run that is shown, whole, where it is not known already."""
        if not self.drawn:
            self._runs.shown.extend(curve.points, self._runs.shown.figures, curve.arrivals)
            self._draw()
            self._speak()

    def clear(self) -> None:
        """There is no run to show."""
        self._runs.clear()
        self._look(THIS_RUN)

    def tell_prompt(self, words: str, seconds: float | None = None, brief: str = "") -> None:
        """What is said of the prompt's reading, also where there is little room, and how long it took."""
        self._prompt, self._reading_s, self._brief = words, seconds, brief

    def expect(self, seconds: float) -> None:
        """When the prompt that is being read will have been."""
        self._runs.shown.expected = seconds

    def take(self, points: Sequence[Point], figures: Figures, arrivals: Iterable[float] = ()) -> None:
        """What is new of the run that goes on; `draw` shows it."""
        self._runs.shown.extend(points, figures, arrivals)

    def draw(self, now: float) -> None:
        """Show all that was taken. A screen reader is told more seldom."""
        self._draw()
        if now - self._spoken_at >= SPOKEN_INTERVAL_S:
            self._spoken_at = now
            self._speak()

    def set_limit(self, limit: Limit | None) -> None:
        """The fastest that the run that is shown could be; drawn with what is drawn next."""
        self._runs.shown.limit = limit

    def finish_run(self, figures: Figures) -> None:
        """The curve is complete."""
        self._runs.shown.end(figures)
        self._draw()
        self._speak()

    def show_trace(self, trace: Trace | None, run: int) -> None:
        """The tokens of the run that is shown: they are this run's of the answer."""
        shown = self._pointing.tokens
        if shown is None or trace is None or not shown.shows(trace, run):
            self._show_tokens(RunTokens(trace, run) if trace is not None else None)
            self._draw()
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
        self._menu.set_axis(axis)
        self._pointing.set_axis(axis)
        self._draw()

    def set_eos(self, on: bool) -> None:
        """Whether the end probability is shown, where it was recorded."""
        self._ends.on = on
        self._menu.set_eos(on)
        self._draw()
        self._speak()

    def copy_picture(self) -> None:
        QGuiApplication.clipboard().setImage(self._plot.image())

    def copy_csv(self) -> None:
        QGuiApplication.clipboard().setText(csv(self._runs.shown))

    def numbers(self) -> Numbers:
        return numbers_of(self._runs.shown)

    def copy_tokens(self) -> None:
        if self._pointing.tokens is not None:
            QGuiApplication.clipboard().setText(self._pointing.tokens.csv())

    def _connect(self) -> None:
        self._plot.pointer.hovered.connect(self._hover)
        self._plot.pointer.left.connect(self._leave)
        self._plot.pointer.dragged.connect(self._drag)
        self._plot.pointer.clicked.connect(self._pointing.click)
        self._menu.axis_chosen.connect(self.set_axis)
        self._menu.eos_switched.connect(self.set_eos)
        self._menu.eos_switched.connect(self.eos_switched)
        self._menu.picture_wanted.connect(self.copy_picture)
        self._menu.csv_wanted.connect(self.copy_csv)
        self._menu.tokens_wanted.connect(self.copy_tokens)
        self._pointing.changed.connect(self._mark)
        self._pointing.token_pointed.connect(self.token_pointed)
        self._pointing.token_clicked.connect(self.token_clicked)
        self._pointing.stretch_chosen.connect(self.stretch_chosen)

    def _show_tokens(self, tokens: RunTokens | None) -> None:
        self._pointing.show_tokens(tokens)
        self._ends.show_tokens(tokens)
        self._menu.offer_tokens(tokens is not None)

    def _look(self, name: str) -> None:
        """Another run is shown now, under this name; neither its tokens nor its prompt are known yet."""
        self._name, self._prompt, self._brief, self._reading_s = name, "", "", None
        self._spoken_at = float("-inf")
        self._show_tokens(None)
        self._draw()
        self._speak()

    @Slot(float)
    def _hover(self, x: float) -> None:
        if self._pointing.tokens is not None:
            self._pointing.hover(x)
            return
        point = nearest(self._runs.shown.drawn, x, self.axis)
        if point is not None:
            at = point.seconds if self.axis is Axis.TIME else float(point.tokens)
            said = replace(self._plot.scene.said, note=pointed(point))
            self._plot.point(replace(self._plot.scene, pointed=at, said=said))

    @Slot(float, float)
    def _drag(self, begin: float, x: float) -> None:
        self.measured = True
        self._pointing.drag(begin, x)

    @Slot()
    def _leave(self) -> None:
        self._pointing.leave()
        if self._pointing.tokens is None:
            self._mark()

    @Slot()
    def _mark(self) -> None:
        """The token and the stretch, on the plot and in words."""
        if self.hasFocus():
            self._speak()
        pointing = self._pointing
        scene = self._plot.scene
        self._plot.point(replace(scene, said=self._said(), pointed=pointing.place, shaded=pointing.shaded))

    def _said(self) -> LaneText:
        """The words of the lane; before any run, what will be there."""
        pointing, shown = self._pointing, self._runs.shown
        if Scene(shown, self._runs.earlier).empty:
            return LaneText(prompt=EMPTY)
        stretches = pointing.tokens is not None and shown.ended and len(shown.arrivals) > 1
        hint = DRAG if stretches and not self.measured else ""
        return LaneText(self._name, self._prompt, self._note(), hint, self._reading_s, self._brief)

    def _note(self) -> str:
        """What is pointed at, or else the peak of the EOS probability."""
        pointing, curve = self._pointing, self._ends.curve
        if told := pointing.told:
            room = self._plot.view.areas.lane.width()
            fits = QFontMetricsF(self._theme.font(Size.SMALL)).horizontalAdvance(told) <= room
            return told if fits else pointing.brief or told
        peak = curve.peak if curve is not None else None
        return peak.told if peak is not None and peak.noticed else ""

    def _draw(self) -> None:
        self._menu.offer_eos(self._ends.missing)
        self._ends.catch_up()
        runs, pointing = self._runs, self._pointing
        scene = Scene(runs.shown, runs.earlier, self.axis, self._ends.curve, self._said())
        self._plot.draw(replace(scene, pointed=pointing.place, shaded=pointing.shaded))

    def _speak(self) -> None:
        told = self._pointing.told
        marked = f"{told}." if told else ""
        parts = (marked, described(self._runs.shown), self._ends.told)
        self.setAccessibleDescription(" ".join(filter(None, parts)))

    def _wear(self) -> None:
        self._corner.adjustSize()
        self._place_corner()

    def _place_corner(self) -> None:
        """The menu, and before it the button to watch again: room that is theirs whatever run and numbers are shown."""
        watch, menu = self.watch, self._corner
        watch.fit(CORNER_SHARE * self.width())
        self._plot.fit()
        menu.setVisible(not self._plot.view.areas.sparkline)
        menu.move(QPoint(self.width() - menu.width(), 0))
        right = self.width() if menu.isHidden() else menu.x() - GRID_PX
        watch.setGeometry(right - watch.width(), 0, watch.width(), max(menu.height(), watch.sizeHint().height()))
        self._plot.leave_corner(self.width() - watch.x() + GAP_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(*map(self._theme.scaled, LEAST_PX))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu.popup(event.globalPos())

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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_corner()
