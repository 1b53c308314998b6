"""The speed curves of several runs over each other, each with its name at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.engine.meter.frame import Figures
from app.i18n import tr
from app.number_format import speed, spoken_speed
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.labels import caption
from app.ui.widgets.naming import named
from app.ui.widgets.plots.compared import CURVES, Compared
from app.ui.widgets.plots.library import PlotLibrary
from app.ui.widgets.plots.speed_curve import Axis, SpeedCurve
from app.ui.widgets.rows import held, in_column, in_row

if TYPE_CHECKING:
    from app.ui.widgets.plots.overlay_plot import OverlayPlot

RUNS = "runs_"
AXES = {Axis.TIME: (tr("Time"), tr("Curves over time")), Axis.TOKENS: (tr("Tokens"), tr("Curves over tokens"))}
"""What the button of each says, and what it does."""


class SpeedOverlay(QWidget):
    """Takes whole runs; nothing in it moves by itself."""

    def __init__(self, theme: Theme, name: str = "runs_overlay", axis: Axis = Axis.TIME) -> None:
        super().__init__()
        named(self, name, tr("Speed curves"))
        self._theme = theme
        self._axis = axis
        self._curves: tuple[SpeedCurve, ...] = ()
        self._names: list[str] = []
        self._plot: OverlayPlot | None = None
        self._library = PlotLibrary(self)
        self._library.ready.connect(self._make_plot)
        self._readout = caption(theme, "")
        self._axes = QButtonGroup(self)
        self._place = in_column()
        self._lay_out()
        theme.changed.connect(self._wear)

    def show_runs(self, runs: Sequence[Compared], names: Sequence[str]) -> None:
        """`names` say which run is which, beside its letter."""
        self._curves = tuple(_curve(run) for run in runs)
        words = tr("{letter}  {name} · mean {speed}")
        told = zip(CURVES, runs, names, strict=False)
        self._names = [words.format(letter=letter, name=name, speed=speed(run.mean)) for letter, run, name in told]
        self._speak(names)
        self._library.bring()
        self._draw()

    def leave(self) -> None:
        """The window goes."""
        self._library.leave()

    def _lay_out(self) -> None:
        head = in_row((self._readout, 1))
        for number, axis in enumerate(Axis):
            text, tip = AXES[axis]
            name = f"{self.objectName().removeprefix(RUNS)}_over_{axis.value}"
            button = tool_button(name, text, tip, tip, kind="small")
            button.setFont(self._theme.font(Size.SMALL))
            button.setCheckable(True)
            button.setChecked(axis is self._axis)
            self._axes.addButton(button, number)
            head.addWidget(button)
        # Not clicked: a screen reader toggles.
        self._axes.idToggled.connect(self._choose_axis)
        in_column(head, (held(self._place), 1), on=self, gap=GRID_PX)

    def _speak(self, names: Sequence[str]) -> None:
        pairs = zip(CURVES, names, self._curves, strict=False)
        words = tr("{letter}, {name}: mean {speed}")
        told = (
            words.format(letter=letter, name=name, speed=spoken_speed(curve.figures.speed_mean))
            for letter, name, curve in pairs
        )
        self.setAccessibleDescription("; ".join(told))

    @Slot(int, bool)
    def _choose_axis(self, number: int, pressed: bool) -> None:
        if pressed:
            self._axis = list(Axis)[number]
            self._draw()

    @Slot()
    def _make_plot(self) -> None:
        if self._plot is None:
            from app.ui.widgets.plots.overlay_plot import OverlayPlot

            self._plot = OverlayPlot(self._theme)
            self._plot.pointed_at.connect(self._readout.setText)
            self._place.addWidget(self._plot)
            self._draw()

    def _draw(self) -> None:
        if self._plot is not None:
            self._plot.draw(self._curves, self._axis, self._names)

    @Slot()
    def _wear(self) -> None:
        if self._plot is not None:
            self._plot.wear()


def _curve(run: Compared) -> SpeedCurve:
    curve = SpeedCurve(ended=True)
    curve.extend(run.points, Figures(speed_mean=run.mean))
    return curve
