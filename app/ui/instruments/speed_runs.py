"""The curves that the speed graph has: of the last run, of those before, and of one that is looked back at. No Qt."""

from __future__ import annotations

from collections import deque

from app.ui.instruments.speed_tokens import RunTokens
from app.ui.widgets.plots.speed_curve import SpeedCurve

EARLIER_RUNS = 3


class SpeedRuns:
    """`shown` is the last run's curve, unless tokens of another run are shown."""

    def __init__(self) -> None:
        self.last = SpeedCurve()
        self.past: SpeedCurve | None = None
        """The curve of a run that is not the last one, while its tokens are shown."""
        self.earlier: deque[SpeedCurve] = deque(maxlen=EARLIER_RUNS)

    @property
    def shown(self) -> SpeedCurve:
        return self.past or self.last

    def begin(self) -> None:
        if self.last.points:
            self.earlier.appendleft(self.last)
        self.last, self.past = SpeedCurve(), None

    def look_at(self, tokens: RunTokens | None) -> None:
        """Show the curve of the run that these are the tokens of."""
        self.past = None if tokens is None or tokens.is_run_of(self.last) else tokens.curve()
