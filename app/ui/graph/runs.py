"""The curves that the speed graph has: of the run that is shown, and of those before it. No Qt."""

from typing import NamedTuple

from app.engine.meter.frame import Figures
from app.ui.widgets.plots.speed_curve import SpeedCurve

EARLIER_RUNS = 3
KEPT_RUNS = 20


class Written(NamedTuple):
    """A run whose curve is known."""

    model: str
    curve: SpeedCurve
    here: bool
    """It was written while the window was open, so what was written before it is known too."""


class SpeedRuns:
    """`shown` is the curve of the run that is shown, `earlier` are those that its model wrote before it."""

    def __init__(self) -> None:
        self.shown = SpeedCurve()
        self.earlier: tuple[SpeedCurve, ...] = ()
        """The latest first."""
        self._model = ""
        self._written: list[Written] = []
        """In the order of writing."""

    def begin(self, model: str) -> None:
        """A run begins; what was shown was written before it."""
        if self.shown.arrivals and not any(each.curve is self.shown for each in self._written):
            self._written.append(Written(self._model, self.shown, False))
        self._show(Written(model, SpeedCurve(), True))
        self._written = [*self._written[-KEPT_RUNS:], Written(model, self.shown, True)]

    def look_back(self, model: str, figures: Figures) -> None:
        """A run that is over: its curve, where it is known, else one that has no points yet."""
        known = (each for each in self._written if each.curve.ended and each.curve.figures == figures)
        self._show(next(known, Written(model, SpeedCurve(figures=figures, ended=True), False)))

    def watch(self, model: str) -> None:
        """A run that was written before comes once more; nothing stands behind it."""
        self._show(Written(model, SpeedCurve(), False))

    def clear(self) -> None:
        """No run is shown."""
        self._model, self.shown, self.earlier = "", SpeedCurve(), ()

    def _show(self, run: Written) -> None:
        place = next((at for at, each in enumerate(self._written) if each.curve is run.curve), len(self._written))
        before = self._written[:place] if run.here else []
        curves = [each.curve for each in before if each.model == run.model and each.curve.arrivals]
        self._model, self.shown, self.earlier = run.model, run.curve, tuple(curves[: -EARLIER_RUNS - 1 : -1])
