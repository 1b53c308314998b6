"""The speed graph: tokens per second over time or over tokens, with the runs before faintly behind."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.engine.frame import Figures, Point
from app.widgets.palette import Colour
from app.widgets.plot_library import PlotLibrary
from app.widgets.speed_curve import Axis, SpeedCurve, csv, described
from app.widgets.theme import GAP_PX, GRID_PX, MARGIN_PX, MUTED_ROLE, Size, Theme

if TYPE_CHECKING:
    from app.widgets.speed_plot import SpeedPlot

INTERVAL_S = 0.1
SPOKEN_INTERVAL_S = 1.0
EARLIER_RUNS = 3
EMPTY = "The speed of each run will appear here, in tokens per second."


class SpeedGraph(QWidget):
    """Takes points as they come and draws them ten times a second at most, and never while nobody can see it."""

    copied = Signal(str)
    """What was put on the clipboard."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("speed_graph")
        self._theme = theme
        self._axis = Axis.TIME
        self._curve = SpeedCurve()
        self._earlier: deque[SpeedCurve] = deque(maxlen=EARLIER_RUNS)
        self._plot: SpeedPlot | None = None
        self._library = PlotLibrary(self)
        self._library.ready.connect(self._make_plot)
        self._drawn_at = self._spoken_at = float("-inf")
        self._out_of_date = False
        self._empty = QLabel(EMPTY)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._readout = QLabel()
        self._readout.setObjectName("speed_under_pointer")
        self._legend = QLabel()
        self._legend.setTextFormat(Qt.TextFormat.RichText)
        self._axes = self._axis_buttons()
        self._copies = self._copy_menu()
        self._place = QStackedLayout()
        self._lay_out()
        self._wear()
        theme.changed.connect(self._wear)
        self._speak()

    @property
    def axis(self) -> Axis:
        return self._axis

    def prepare(self) -> None:
        """Bring pyqtgraph in, best while nothing else is going on; points that come meanwhile are drawn then."""
        if self._plot is None:
            self._library.bring()

    def leave(self) -> None:
        """The window goes."""
        self._library.leave()

    def begin_run(self) -> None:
        """A new curve begins; the one that was goes behind."""
        self.prepare()
        if self._curve.points:
            self._earlier.appendleft(self._curve)
        self._curve = SpeedCurve()
        self._drawn_at = self._spoken_at = float("-inf")
        self._draw_all()
        self._speak()

    def advance(self, points: Sequence[Point], figures: Figures, now: float) -> None:
        """Points that are new, and the figures as they stand."""
        self._curve.extend(points, figures)
        self._out_of_date = True
        if now - self._drawn_at >= INTERVAL_S:
            self._drawn_at = now
            self._draw()
        if now - self._spoken_at >= SPOKEN_INTERVAL_S:
            self._spoken_at = now
            self._speak()

    def finish_run(self, figures: Figures) -> None:
        """The curve is complete."""
        self._curve.figures = figures
        self._curve.ended = True
        self._out_of_date = True
        self._draw()
        self._speak()

    def clear_runs(self) -> None:
        """As if there had been no run."""
        self._earlier.clear()
        self._curve = SpeedCurve()
        self._place.setCurrentWidget(self._empty)
        self._draw_all()
        self._speak()

    def set_axis(self, axis: Axis) -> None:
        """Over time, or over tokens."""
        self._axis = axis
        self._axes.button(list(Axis).index(axis)).setChecked(True)
        self._draw_all()

    def copy_picture(self) -> None:
        if self._plot is not None:
            QGuiApplication.clipboard().setImage(self._plot.image())
            self.copied.emit("picture")

    def copy_csv(self) -> None:
        QGuiApplication.clipboard().setText(csv(self._curve))
        self.copied.emit("CSV")

    @Slot()
    def _make_plot(self) -> None:
        if self._plot is None:
            from app.widgets.speed_plot import SpeedPlot

            self._plot = SpeedPlot(self._theme)
            self._plot.pointed_at.connect(self._readout.setText)
            self._place.addWidget(self._plot)
            self._draw_all()

    def _axis_buttons(self) -> QButtonGroup:
        group = QButtonGroup(self)
        for number, axis in enumerate(Axis):
            button = QToolButton()
            button.setObjectName(f"speed_over_{axis.value}")
            button.setAccessibleName(f"Speed over {axis.value}")
            button.setToolTip(f"Speed over {axis.value}")
            button.setText(axis.value.capitalize())
            button.setFont(self._theme.font(Size.SMALL))
            button.setProperty("kind", "small")
            button.setCheckable(True)
            group.addButton(button, number)
        group.button(0).setChecked(True)
        group.idClicked.connect(self._choose_axis)
        return group

    def _copy_menu(self) -> QMenu:
        menu = QMenu(self)
        for name, text, act in (
            ("copy_speed_picture", "Copy as picture", self.copy_picture),
            ("copy_speed_csv", "Copy as CSV", self.copy_csv),
        ):
            action = QAction(text, menu)
            action.setObjectName(name)
            action.triggered.connect(act)
            menu.addAction(action)
        return menu

    def _copy_button(self) -> QToolButton:
        button = QToolButton()
        button.setObjectName("copy_speed")
        button.setAccessibleName("Copy the speed graph")
        button.setToolTip("Copy the speed graph")
        button.setText("Copy")
        button.setFont(self._theme.font(Size.SMALL))
        button.setProperty("kind", "small")
        button.setMenu(self._copies)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(GAP_PX)
        for label in (self._legend, self._readout, self._empty):
            label.setFont(self._theme.font(Size.SMALL))
            label.setForegroundRole(MUTED_ROLE)
        self._legend.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred)
        self._readout.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._legend)
        head.addWidget(self._readout, 1)
        for button in self._axes.buttons():
            head.addWidget(button)
        head.addWidget(self._copy_button())
        self._place.addWidget(self._empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(MARGIN_PX, GRID_PX, MARGIN_PX, GRID_PX)
        whole.setSpacing(GRID_PX)
        whole.addLayout(head)
        whole.addLayout(self._place, 1)
        self._empty.setWordWrap(True)
        self._empty.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def _choose_axis(self, number: int) -> None:
        self.set_axis(list(Axis)[number])

    def _visible_plot(self) -> SpeedPlot | None:
        """The plot, if there is one and drawing on it would be seen."""
        return self._plot if self.isVisible() and not self.window().isMinimized() else None

    def _draw(self) -> None:
        plot = self._visible_plot()
        if plot is None:
            return
        self._out_of_date = False
        plot.draw(self._curve, self._axis)
        if self._curve.points or self._earlier:
            self._place.setCurrentWidget(plot)

    def _draw_all(self) -> None:
        self._out_of_date = True
        plot = self._visible_plot()
        if plot is not None:
            plot.draw_earlier(list(self._earlier), self._axis)
        self._draw()
        self._show_legend()

    def _show_legend(self) -> None:
        entries = [(Colour.DECODE, "━", "this run"), (Colour.TEXT, "╌╌", "mean")]
        if self._earlier:
            entries.append((Colour.MUTED, "━", "runs before"))
        marks = [f'<span style="color:{self._theme.hex(role)}">{mark}</span> {name}' for role, mark, name in entries]
        self._legend.setText(" &nbsp; ".join(marks))

    def _speak(self) -> None:
        sentence = described(self._curve)
        self.setAccessibleName("Speed graph")
        self.setAccessibleDescription(sentence)

    def _wear(self) -> None:
        self._show_legend()
        if self._plot is not None:
            self._plot.wear()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._copies.popup(event.globalPos())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._out_of_date:
            self._draw_all()
