"""Verdicts: whole experiments on machines that are made up; a difference is told only where there is one."""

from app.experiments.questions import EXPERIMENTS
from app.experiments.types import Experiment
from tests.experiments.studies import GAINS, KINDS, told_apart, too_many
from tests.faults.table import Row

POINT = "verdicts"
STUDIES = 500
"""Of each experiment on each kind of machine; one in twenty of 3,000 is known to four in a thousand."""
FOUND = 0.95


def rows() -> list[Row]:
    """In full: some ten minutes."""
    return [nothing(each) for each in EXPERIMENTS] + [something(each) for each in EXPERIMENTS if each.name in GAINS]


def nothing(experiment: Experiment, studies: int = STUDIES) -> Row:
    """No arm differs from another; the machine alone is never the same."""
    alarms = {kind: told_apart(experiment, kind, studies) for kind in KINDS}
    every, times = sum(alarms.values()), studies * len(KINDS)
    lost = [
        f"{count} of {studies} on a machine that is {kind}"
        for kind, count in alarms.items()
        if too_many(count, studies)
    ]
    lost += [f"{every} of {times}"] * too_many(every, times)
    return Row(POINT, f"{experiment.name}, no difference: {every / times:.1%} tell one", times, tuple(lost))


def something(experiment: Experiment, studies: int = STUDIES) -> Row:
    """One arm differs, on a machine that does nothing else."""
    gain = GAINS[experiment.name]
    share = told_apart(experiment, "steady", studies, gain) / studies
    lost = () if share >= FOUND else (f"only {share:.1%} tell it",)
    return Row(POINT, f"{experiment.name}, {gain} times: {share:.1%} tell it", studies, lost)
