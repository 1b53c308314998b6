"""Which curves the graph has: the one of the run that is shown, and those that its model wrote before."""

from app.engine.meter.frame import Figures, Point
from app.ui.graph.runs import EARLIER_RUNS, KEPT_RUNS, SpeedRuns


def figures(seconds: float) -> Figures:
    return Figures(elapsed=seconds, tokens=10)


def write(runs: SpeedRuns, model: str, seconds: float) -> None:
    """A run that took so long."""
    runs.begin(model)
    runs.shown.extend([Point(seconds, 10, 1.0)], figures(seconds), [0.1, seconds])
    runs.shown.ended = True


def before(runs: SpeedRuns) -> list[float]:
    """How long those took that stand behind."""
    return [curve.figures.elapsed for curve in runs.earlier]


def test_behind_a_run_stand_those_of_the_same_model_alone() -> None:
    runs = SpeedRuns()
    for model, seconds in (("a", 1), ("b", 2), ("a", 3), ("b", 4)):
        write(runs, model, seconds)
    runs.begin("a")
    assert before(runs) == [3, 1]
    runs.begin("c")
    assert before(runs) == []


def test_there_are_few_and_what_wrote_nothing_is_not_among_them() -> None:
    runs = SpeedRuns()
    for seconds in range(KEPT_RUNS + 5):
        write(runs, "a", seconds)
    runs.begin("a")
    runs.begin("a")
    assert before(runs) == [KEPT_RUNS + 4 - place for place in range(EARLIER_RUNS)]


def test_a_run_is_looked_back_at_with_its_own_curve_and_those_before_it() -> None:
    runs = SpeedRuns()
    for seconds in (1, 2, 3):
        write(runs, "a", seconds)
    runs.look_back("a", figures(2))
    assert [point.seconds for point in runs.shown.points] == [2]
    assert before(runs) == [1]
    write(runs, "a", 4)
    assert before(runs) == [3, 2, 1]


def test_one_of_last_time_has_no_points_yet_and_stands_behind_the_next() -> None:
    runs = SpeedRuns()
    write(runs, "a", 1)
    runs.look_back("a", figures(9))
    assert (runs.shown.points, runs.shown.figures, runs.shown.ended) == ([], figures(9), True)
    assert before(runs) == [], "what was written before it is not known"
    runs.shown.extend([Point(9, 10, 1.0)], figures(9), [0.1, 9.0])
    runs.begin("a")
    assert before(runs) == [9, 1]


def test_nothing_is_shown_with_nothing_behind_it() -> None:
    runs = SpeedRuns()
    write(runs, "a", 1)
    write(runs, "a", 2)
    runs.clear()
    assert (runs.shown.points, before(runs)) == ([], [])
    runs.begin("a")
    assert before(runs) == [2, 1]


def test_what_is_watched_again_is_no_run_more() -> None:
    runs = SpeedRuns()
    write(runs, "a", 1)
    write(runs, "a", 2)
    runs.watch("a")
    assert (list(runs.shown.arrivals), before(runs)) == ([], [])
    runs.shown.extend([Point(2, 10, 1.0)], figures(2), [0.1, 2.0])
    runs.look_back("a", figures(2))
    assert before(runs) == [1]
    runs.begin("a")
    assert before(runs) == [2, 1]
