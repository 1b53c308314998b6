"""The speed curves of several runs in one plot. pyqtgraph is imported on a thread, which takes half a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QButtonGroup, QWidget

from app.engine.meter.frame import Figures
from app.i18n import tr
from app.number_format import speed, spoken_speed
from app.ui.look import GRID_PX, Size, Theme
from app.ui.widgets.buttons import tool_button
from app.ui.widgets.labels import caption
from app.ui.widgets.naming import named
from app.ui.widgets.plots.speed_curve import CURVES, Compared, CurveAxis, SpeedCurve
from app.ui.widgets.rows import held, in_column, in_row

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
        self._plot: OverlayPlot | None = None
        self._library = PlotLibrary(self)
        self._library.ready.connect(self._make_plot)
        self._readout = caption(theme, "")
        self._axes = QButtonGroup(self)
        self._place = in_column()
        self._lay_out()
        theme.changed.connect(self._restyle)

    def show_runs(self, runs: Sequence[Compared], names: Sequence[str]) -> None:
        self._curves = tuple(_curve(run) for run in runs)
        words = tr("{letter}  {name} · mean {speed}")
        lettered = zip(CURVES, runs, names, strict=False)
        self._names = [words.format(letter=letter, name=name, speed=speed(run.mean)) for letter, run, name in lettered]
        self._describe(names)
        self._library.bring()
        self._draw()

    def leave(self) -> None:
        """Stop, since the program ends."""
        self._library.leave()

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
        in_column(head, (held(self._place), 1), on=self, gap=GRID_PX)

    def _describe(self, names: Sequence[str]) -> None:
        pairs = zip(CURVES, names, self._curves, strict=False)
        words = tr("{letter}, {name}: mean {speed}")
        described = (
            words.format(letter=letter, name=name, speed=spoken_speed(curve.figures.speed_mean))
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
            self._plot.draw(self._curves, self._axis, self._names)

    def _restyle(self) -> None:
        if self._plot is not None:
            self._plot.restyle()


def _curve(run: Compared) -> SpeedCurve:
    curve = SpeedCurve(ended=True)
    curve.extend(run.points, Figures(speed_mean=run.mean))
    return curve


LIBRARY = "pyqtgraph"
QT_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtOpenGL", "QtTest")
SLICE_S = 0.004
PAUSE_MS = 8


class PlotLibrary(QObject):
    """Imports pyqtgraph on a thread.

    PySide creates a class at its first use, and pyqtgraph uses all of them at import. Two threads that create classes
    at the same time crash the process (4 of 280 starts), so the UI thread creates all of them first, a few at a time.
    """

    ready = Signal()
    """pyqtgraph is imported."""
    _imported = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._classes = _all_classes()
        self._is_left = False
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._make_some)
        self._thread = threading.Thread(target=self._import, name=LIBRARY)
        self._imported.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    def bring(self) -> None:
        """Start the import at the first call. Emits `ready` at once if pyqtgraph is already imported."""
        if self._is_left:
            return
        if not self._thread.is_alive() and LIBRARY in sys.modules:
            self.ready.emit()
        elif self._thread.ident is None and not self._timer.isActive():
            self._timer.start()

    def leave(self) -> None:
        """Wait for an import that is running: it can't be stopped."""
        self._is_left = True
        self._timer.stop()
        self._imported.disconnect(self._finish)
        if self._thread.ident is not None:
            self._thread.join()

    def _make_some(self) -> None:
        enough = time.perf_counter() + SLICE_S
        for _ in self._classes:
            if time.perf_counter() >= enough:
                return
        self._timer.stop()
        self._thread.start()

    def _import(self) -> None:
        import_module(LIBRARY)
        self._imported.emit()

    def _finish(self) -> None:
        # The thread emits as its last step, so this takes no time.
        self._thread.join()
        self.ready.emit()


def _all_classes() -> Iterator[object]:
    for name in QT_MODULES:
        module = import_module(f"PySide6.{name}")
        for each in dir(module):
            yield getattr(module, each)
