"""Runs by the arrivals of their tokens, and a mouse over the speed graph, moved in units of its x axis."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.engine.meter.meter import RunMetrics
from app.engine.meter.speeds import Point
from app.engine.meter.trace import Trace
from app.engine.types import Alternative, Token, TokenLogprobs
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.speed_graph.plot import SpeedPlot

SENT = 100.0


def observed(ends: float) -> TokenLogprobs:
    chosen = Alternative(1, "a", -0.5, 1.0)
    return TokenLogprobs(chosen, 0, (chosen,), 1.0, ends, 0.1)


def extend(trace: Trace, arrivals: Sequence[float], ends: Sequence[float] = ()) -> None:
    """Append tokens that arrived at these seconds after Send."""
    for index, at in enumerate(arrivals):
        seen = observed(ends[index]) if index < len(ends) else None
        trace.extend([Token(index, 50 + index, "a", (), SENT + at, observed=seen)])


def traced(arrivals: Sequence[float], ends: Sequence[float] = ()) -> Trace:
    trace = Trace()
    trace.begin_run(SENT)
    extend(trace, arrivals, ends)
    return trace


def steady(count: int, gap: float = 0.01, first: float = 0.5) -> list[float]:
    return [first + gap * index for index in range(count)]


def slow_at(slow: int, count: int = 100) -> list[float]:
    """One token that took 50 ms more."""
    return [at + (0.05 if index >= slow else 0.0) for index, at in enumerate(steady(count))]


def metrics_of(arrivals: list[float], mean: float = 100) -> RunMetrics:
    return RunMetrics(arrivals[-1], first_token=arrivals[0], speed_mean=mean, tokens=len(arrivals))


def run(graph: SpeedGraph, arrivals: list[float], *, ended: bool = True) -> None:
    """Draw a run with these arrivals."""
    graph.begin_run()
    metrics = metrics_of(arrivals)
    points = [Point(at, index + 1, 100.0) for index, at in enumerate(arrivals) if index % 10 == 1]
    graph.scene.curve.extend(points, metrics, arrivals)
    graph.draw(arrivals[-1])
    if ended:
        graph.finish_run(metrics)


def plot_of(within: QWidget) -> SpeedPlot:
    return within.findChildren(SpeedPlot)[0]


LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


class Mouse:
    """A mouse at half the height of the plot."""

    def __init__(self, around: QWidget) -> None:
        self._plot = plot_of(around)
        self._held = NONE

    def pixels(self, x: float) -> float:
        """How far from the left edge."""
        return self._plot.view.x(x)

    def move(self, x: float) -> None:
        self._send(QEvent.Type.MouseMove, x, NONE)

    def press(self, x: float) -> None:
        self._held = LEFT
        self._send(QEvent.Type.MouseButtonPress, x, LEFT)

    def release(self, x: float) -> None:
        self._held = NONE
        self._send(QEvent.Type.MouseButtonRelease, x, LEFT)

    def leave(self) -> None:
        QApplication.sendEvent(self._plot, QEvent(QEvent.Type.Leave))

    def _send(self, kind: QEvent.Type, x: float, button: Qt.MouseButton) -> None:
        QApplication.processEvents()
        at = QPointF(self.pixels(x), self._plot.hit_area.center().y())
        window = QPointF(self._plot.mapToGlobal(at))
        event = QMouseEvent(kind, at, window, button, self._held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(self._plot, event)
