"""What one repaint of the speed graph takes while a run goes on, beside a plot of pyqtgraph with the same curve."""

import time
from collections.abc import Callable

from PySide6.QtWidgets import QApplication, QWidget

from app.engine.meter.curve import Curve
from app.engine.meter.frame import Figures, Point
from app.ui.instruments.controller import INTERVAL_S
from app.ui.instruments.speed_graph import SpeedGraph
from app.ui.look.theme import Theme

SIZE_PX = (850, 190)
LASTS_S, GAP_S, FIRST_S = 30.0, 0.01, 0.3
RUNS = 3
Draw = Callable[[list[Point], Figures, list[float]], None]


def repaints() -> tuple[float, float]:
    """Milliseconds of the window's thread for one of ours, and for one of pyqtgraph's."""
    import pyqtgraph as pg

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    graph = SpeedGraph(Theme(application))
    plot = pg.PlotWidget(enableMenu=False)
    line = pg.PlotCurveItem(skipFiniteCheck=True, antialias=True)
    plot.addItem(line)
    plot.setXRange(0, LASTS_S + 1)
    plot.setYRange(0, 150)
    seen: list[Point] = []

    def ours(points: list[Point], figures: Figures, arrivals: list[float]) -> None:
        graph.take(points, figures, arrivals)
        graph.draw(figures.elapsed)

    def theirs(points: list[Point], figures: Figures, arrivals: list[float]) -> None:
        seen.extend(points)
        line.setData([point.seconds for point in seen], [point.speed for point in seen])

    return _least(graph, ours, graph.begin_run), _least(plot, theirs, seen.clear)


def _least(widget: QWidget, draw: Draw, begin: Callable[[], object]) -> float:
    """Of several runs: what others do on the machine only adds."""
    widget.resize(*SIZE_PX)
    widget.show()
    taken = [_run(draw, begin) for _ in range(RUNS)]
    widget.close()
    widget.deleteLater()
    return min(taken)


def _run(draw: Draw, begin: Callable[[], object]) -> float:
    begin()
    curve, taken, count = Curve(0.0), 0.0, 0
    at = now = FIRST_S
    while now < LASTS_S:
        now += INTERVAL_S
        arrivals = []
        while at < now:
            curve.add(at)
            arrivals.append(at)
            at += GAP_S * (1 + 0.3 * (len(curve.arrivals) % 7 == 0))
        points, curve.points = curve.points, []
        figures = Figures(now, FIRST_S, None, curve.speed(), 1 / GAP_S, None, len(curve.arrivals))
        QApplication.processEvents()
        began = time.thread_time()
        draw(points, figures, arrivals)
        QApplication.processEvents()
        taken += time.thread_time() - began
        count += 1
    return 1000 * taken / count
