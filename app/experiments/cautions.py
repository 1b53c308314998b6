"""Cautions of a conclusion: the reasons for less data than planned."""

from collections import Counter

from app.engine.types import Failure
from app.experiments.types import ExperimentOutcome
from app.i18n import tr

STOPPED = Failure(tr("The experiment was stopped before a run ended."), "", kind="stopped")


def cautions(outcome: ExperimentOutcome) -> list[str]:
    """Return the cautions as sentences; empty if everything ran as planned."""
    text = []
    if outcome.stopped:
        stopped = tr("Stopped: {done} of %n rounds done.", "Stopped: {done} of %n round done.", outcome.plan.repeats)
        text.append(stopped.format(done=_whole_rounds(outcome)))
    if outcome.failure is not None:
        text.append(outcome.failure.sentence)
    return text + _failures(outcome)


def why_nothing(outcome: ExperimentOutcome) -> Failure | None:
    """Return the reason for a lack of measured runs; None if there is one."""
    if outcome.measured():
        return None
    failures = [run.finish.failure for run in outcome.results if run.finish.failure is not None]
    return outcome.failure or (failures[0] if failures else STOPPED)


def _failures(outcome: ExperimentOutcome) -> list[str]:
    """Return one sentence per failure, with its variants and the number of their failed runs, unless all failed."""
    every = [*outcome.results, *(run for batch in outcome.batches for run in batch.runs)]
    total, failed = Counter(run.arm for run in every), dict[str, Counter[int]]()
    for run in every:
        if run.finish.failure is not None:
            failed.setdefault(run.finish.failure.what, Counter())[run.arm] += 1
    some = tr("{arm} ({count} of {all} runs)")
    text = []
    for what, arms in failed.items():
        names = [
            outcome.plan.arms[arm].name
            if count == total[arm]
            else some.format(arm=outcome.plan.arms[arm].name, count=count, all=total[arm])
            for arm, count in sorted(arms.items())
        ]
        text.append(f"{', '.join(names)}: {what}")
    return text


def _whole_rounds(outcome: ExperimentOutcome) -> int:
    """Count the rounds that have a run of every variant."""
    done = [run.round for run in outcome.results]
    arms = len(outcome.plan.arms)
    return sum(1 for at in range(1, outcome.plan.repeats + 1) if done.count(at) == arms)
