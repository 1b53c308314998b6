"""How many tokens a second came out of several runs: one after the other, and at once."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.speeds import rate
from app.experiments.significance import Judgement, judge
from app.experiments.types import Batch, Outcome, Result


def one_by_one(runs: Sequence[Result]) -> float | None:
    """All tokens ÷ the time from Send to the last token, of each run, added up."""
    return rate(sum(len(run.tokens) for run in runs), sum(run.arrivals[-1] for run in runs if run.tokens))


def at_once(batches: Sequence[Batch]) -> float | None:
    """All tokens ÷ the time from the one Send to the very last token, of each batch, added up."""
    lasts = (max((run.arrivals[-1] for run in batch.runs if run.tokens), default=0.0) for batch in batches)
    return rate(sum(len(run.tokens) for batch in batches for run in batch.runs), sum(lasts))


def alone(outcome: Outcome, batch: Batch) -> tuple[Result, ...]:
    """The same arms in the same round, each by itself."""
    found = {run.arm: run for run in outcome.results if run.round == batch.round}
    return tuple(found[arm] for arm in batch.arms if arm in found)


def compared(outcome: Outcome, among: int) -> Judgement | None:
    """The batches of a round beside the same runs one by one; those that are not whole are left out."""
    speeds = []
    for at in sorted({batch.round for batch in outcome.batches}):
        batches = [batch for batch in outcome.batches if batch.round == at and _whole(outcome, batch)]
        single = one_by_one([run for batch in batches for run in alone(outcome, batch)])
        speeds.append((single or 0.0, at_once(batches) or 0.0))
    return judge(speeds, among)


def same_tokens(outcome: Outcome, batches: Sequence[Batch]) -> bool:
    """Whether every run of the batches wrote what it writes alone."""
    return all(
        [run.marks for run in batch.runs] == [run.marks for run in alone(outcome, batch)]
        for batch in batches
        if _whole(outcome, batch)
    )


def _whole(outcome: Outcome, batch: Batch) -> bool:
    runs = alone(outcome, batch)
    return len(runs) == len(batch.arms) and all(run.finish.failure is None for run in (*runs, *batch.runs))
