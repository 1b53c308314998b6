"""Runs by the arrivals of their tokens, for the tests of the speed graph."""

from collections.abc import Sequence

from app.engine.meter.meter import Figures
from app.engine.meter.speeds import Point
from app.engine.meter.trace import Trace
from app.engine.types import Alternative, Token, TokenLogprobs
from app.ui.graph.tokens import RunTokenView
from app.ui.instruments.speed_graph import SpeedGraph

SENT = 100.0


def observed(ends: float) -> TokenLogprobs:
    chosen = Alternative(1, "a", -0.5, 1.0)
    return TokenLogprobs(chosen, 0, (chosen,), 1.0, ends, 0.1)


def extend(trace: Trace, arrivals: Sequence[float], ends: Sequence[float] = ()) -> None:
    """Tokens that came at these seconds after Send."""
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


def figures_of(arrivals: list[float], mean: float = 100) -> Figures:
    return Figures(arrivals[-1], first_token=arrivals[0], speed_mean=mean, tokens=len(arrivals))


def look_back(graph: SpeedGraph, arrivals: list[float], name: str) -> None:
    """A run that was read back."""
    trace = traced(arrivals)
    graph.show_run(figures_of(arrivals, 50), "", name)
    graph.show_curve(RunTokenView(trace, 0).curve())
    graph.show_trace(trace, 0)


def run(graph: SpeedGraph, arrivals: list[float], *, ended: bool = True) -> None:
    """The run that such a trace is of."""
    graph.begin_run()
    figures = figures_of(arrivals)
    points = [Point(at, index + 1, 100.0) for index, at in enumerate(arrivals) if index % 10 == 1]
    graph.scene.curve.extend(points, figures, arrivals)
    graph.draw(arrivals[-1])
    if ended:
        graph.finish_run(figures)
