"""CPU time of other programs during an experiment, where the system reports it."""

import os

from app.experiments.types import ExperimentOutcome, RunResult
from app.i18n import tr
from app.number_format import PERCENT, two_digits

TOLD_SHARE, TOLD_PROCESSORS = 0.1, 0.5
"""The load from which on it is reported: a tenth of all processors, or half of one."""


def share_of_others(*runs: RunResult) -> float | None:
    """Return the share of processor time that other programs used during these runs; None if unknown."""
    known = [(run.others, run.finish.times.ended - run.finish.times.sent) for run in runs if run.others is not None]
    seconds = sum(took for _, took in known) * (os.cpu_count() or 1)
    return min(1.0, max(0.0, sum(had for had, _ in known) / seconds)) if seconds > 0 else None


def sentence_on_others(outcome: ExperimentOutcome) -> str:
    """Return a sentence about the rounds with other busy programs; empty if there are none, or if it is unknown."""
    rounds = sorted({run.round for run in outcome.results})
    shares = {at: share_of_others(*(run for run in outcome.results if run.round == at)) for at in rounds}
    least = min(TOLD_SHARE, TOLD_PROCESSORS / (os.cpu_count() or 1))
    busy = {at: share for at, share in shares.items() if share is not None and share >= least}
    if not busy:
        return ""
    low, high = (two_digits(100 * end(busy.values())) for end in (min, max))
    share = PERCENT.format(number=low if low == high else tr("{low} to {high}").format(low=low, high=high))
    text = tr("Other programs used {share} of the CPU time in every round.")
    if len(busy) < len(rounds):
        text = tr(
            "Other programs used {share} of the CPU time in %n of {all} rounds ({rounds}).",
            "Other programs used {share} of the CPU time in %n of {all} rounds ({rounds}).",
            len(busy),
        )
    return text.format(share=share, all=len(rounds), rounds=", ".join(map(str, busy)))
