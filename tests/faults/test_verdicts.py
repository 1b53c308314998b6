"""Simulated studies in the thousands: verdicts tell a difference where there is one, and hardly ever elsewhere.

tests/experiments/test_studies.py and tests/evaluation/test_simulated.py have the short form.
"""

import pytest

from app.experiments.questions import EXPERIMENTS
from app.experiments.types import Experiment
from tests.experiments.studies import GAINS, KINDS, told_apart, too_many
from tests.faults.full import IS_FULL
from tests.faults.set_verdicts import rows

STUDIES = 500
"""Of each experiment on each kind of machine; one in twenty of 3,000 is known to four in a thousand."""
FOUND = 0.95

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not IS_FULL, reason="it takes minutes: make faults POINTS=verdicts")]


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_verdicts_of_an_experiment_have_few_false_alarms_and_find_a_gain(experiment: Experiment) -> None:
    alarms = {kind: told_apart(experiment, kind, STUDIES) for kind in KINDS}
    assert {kind: count for kind, count in alarms.items() if too_many(count, STUDIES)} == {}
    assert not too_many(sum(alarms.values()), STUDIES * len(KINDS))
    if experiment.name in GAINS:
        assert told_apart(experiment, "steady", STUDIES, GAINS[experiment.name]) / STUDIES >= FOUND


def test_set_verdicts_hold_what_they_promise() -> None:
    assert [(row.tried, row.lost) for row in rows(10_000) if not row.held] == []
