"""The speed curves of several runs in one plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.engine.meter.meter import RunMetrics
from app.i18n import tr
from app.number_format import speed
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.labels import caption
from app.ui.widgets.naming import named
from app.ui.widgets.plots.speed_curve import CURVES, SPEED, CurveAxis, PlottedQuantity, PlottedRun, SpeedCurve
from app.ui.widgets.rows import in_column, in_row, layout_widget

if TYPE_CHECKING:
    from app.ui.widgets.plots.overlay_plot import OverlayPlot

RUNS = "runs_"
AXES = {
    CurveAxis.TIME: (tr("Time"), tr("Curves over time")),
    CurveAxis.TOKENS: (tr("Tokens"), tr("Curves over tokens")),
}
"""Label and tooltip of the buttons."""


class SpeedOverlay(QWidget):
    """Shows finished runs."""

    def __init__(self, theme: Theme, name: str = "runs_overlay", axis: CurveAxis = CurveAxis.TIME) -> None:
        super().__init__()
        named(self, name, tr("Speed curves"))
        self._theme = theme
        self._axis = axis
        self._curves: tuple[SpeedCurve, ...] = ()
        self._names: list[str] = []
        self._quantity = SPEED
        self._plot: OverlayPlot | None = None
        self._readout = caption(theme, "")
        self._axes = QButtonGroup(self)
        self._place = in_column()
        self._lay_out()
        theme.changed.connect(self._restyle)

    def show_runs(self, runs: Sequence[PlottedRun], names: Sequence[str], quantity: PlottedQuantity = SPEED) -> None:
        self._quantity = quantity
        self._curves = tuple(_curve(run) for run in runs)
        words = tr("{letter}  {name} · mean {speed}")
        lettered = zip(CURVES, runs, names, strict=False)
        self._names = [words.format(letter=letter, name=name, speed=speed(run.mean)) for letter, run, name in lettered]
        self._describe(names)
        if self._plot is None:
            # pyqtgraph takes half a second to import, so the window is painted first.
            QTimer.singleShot(0, self, self._make_plot)
        self._draw()

    def _lay_out(self) -> None:
        head = in_row((self._readout, 1))
        for number, axis in enumerate(CurveAxis):
            text, tip = AXES[axis]
            name = f"{self.objectName().removeprefix(RUNS)}_over_{axis.value}"
            button = tool_button(name, text, tip, tip, kind="small")
            button.setFont(self._theme.font(Size.SMALL))
            button.setCheckable(True)
            button.setChecked(axis is self._axis)
            self._axes.addButton(button, number)
            head.addWidget(button)
        # Not `clicked`, since a screen reader only toggles.
        self._axes.idToggled.connect(self._choose_axis)
        in_column(head, (layout_widget(self._place), 1), on=self, gap=GRID_PX)

    def _describe(self, names: Sequence[str]) -> None:
        pairs = zip(CURVES, names, self._curves, strict=False)
        words = tr("{letter}, {name}: mean {speed}")
        described = (
            words.format(letter=letter, name=name, speed=self._quantity.spoken(curve.metrics.speed_mean))
            for letter, name, curve in pairs
        )
        self.setAccessibleDescription("; ".join(described))

    def _choose_axis(self, number: int, pressed: bool) -> None:
        if pressed:
            self._axis = list(CurveAxis)[number]
            self._draw()

    def _make_plot(self) -> None:
        if self._plot is None:
            from app.ui.widgets.plots.overlay_plot import OverlayPlot

            self._plot = OverlayPlot(self._theme)
            self._plot.pointed_at.connect(self._readout.setText)
            self._place.addWidget(self._plot)
            self._draw()

    def _draw(self) -> None:
        if self._plot is not None:
            self._plot.draw(self._curves, self._axis, self._names, self._quantity)

    def _restyle(self) -> None:
        if self._plot is not None:
            self._plot.restyle()


def _curve(run: PlottedRun) -> SpeedCurve:
    curve = SpeedCurve(ended=True)
    curve.extend(run.points, RunMetrics(speed_mean=run.mean))
    return curve
