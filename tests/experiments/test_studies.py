"""What no machine may make an experiment say, and what each must be able to: simulated, in the program's sentences.

`make faults POINTS=verdicts` has the long form.
"""

import pytest

from app.experiments.questions import EXPERIMENTS, named
from app.experiments.types import Experiment
from tests.experiments.studies import CLAIM, GAINS, KINDS, study, told_apart, too_many

STUDIES = 4
"""Of each experiment on each kind of machine."""


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_where_nothing_differs_hardly_ever_a_difference_is_told(experiment: Experiment) -> None:
    alarms = sum(told_apart(experiment, kind, STUDIES) for kind in KINDS)
    assert not too_many(alarms, STUDIES * len(KINDS)), f"{alarms} false alarms"


@pytest.mark.parametrize("name", GAINS)
def test_where_something_differs_it_is_told(name: str) -> None:
    experiment = named(name)
    assert experiment is not None
    assert told_apart(experiment, "steady", STUDIES, GAINS[name]) == STUDIES


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_a_round_too_few_tells_no_difference_whatever_it_measures(experiment: Experiment) -> None:
    needed = experiment.rounds(experiment.axes) if experiment.name != "sweep" else 10
    told = study(experiment, "steady", 1, gain=9.0, repeats=max(1, needed - 1))
    assert not CLAIM.search(told) and "turn it off" not in told
    assert needed == 1 or "too few rounds to tell" in told.lower()
