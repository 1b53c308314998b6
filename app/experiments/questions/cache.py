"""What the KV cache buys: with it, and in a bare loop that reads everything again for each token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import Failure
from app.experiments.asking import endless, measured
from app.experiments.comparing import differences, first_difference, parted
from app.experiments.figures import values
from app.experiments.judging import Judgement, judge
from app.experiments.pace import AT_END, at
from app.experiments.types import Arm, Basis, Column, Conclusion, Detail, Experiment, Outcome, Plan
from app.experiments.wording import UNMEASURED, differs, doubt, faster, noise, sentence

BARE, CACHED = 0, 1
PLACE = 100


def plan(basis: Basis) -> Plan | Failure:
    """The bare loop and the cache, over the same tokens; the text runs to its limit."""
    if not basis.model.can.bare_loop:
        return Failure("This model can't run without its cache.", "Choose another model.")
    cached = endless(measured(basis.request), basis.model)
    bare = replace(cached, kv=replace(cached.kv, enabled=False))
    return EXPERIMENT.of((Arm("bare loop", bare), Arm("with the cache", cached)), basis.repeats)


def conclude(outcome: Outcome) -> Conclusion:
    """The gain at token 100 and at the end, and whether both wrote the same."""
    if len(outcome.measured()) < 2:
        return Conclusion(UNMEASURED)
    last = min(len(run.tokens) for arm in (BARE, CACHED) for run in outcome.of(arm))
    places = [(PLACE, at(PLACE))] if last > PLACE else []
    gains = [(token, judged) for token, column in (*places, (last, AT_END)) if (judged := _gain(outcome, column))]
    rows = tuple((token, judged.ratio, judged.low, judged.high) for token, judged in gains)
    gain = Detail("Gain", ("At token", "Times as fast", "At least", "At most"), rows)
    same = parted(first_difference(outcome, BARE, CACHED))
    return Conclusion(sentence([_told(gains), same]), (gain, differences(outcome)))


def _told(gains: Sequence[tuple[int, Judgement]]) -> str:
    """All that differ have the same cause, and the same doubt, since they are places of the same runs."""
    made = [f"{faster(judged.ratio)} at token {token}" for token, judged in gains if differs(judged)]
    level = [f"{noise(judged)} at token {token}" for token, judged in gains if not differs(judged)]
    cause = [f"the cache made this {', and '.join(made)}{doubt(gains[0][1])}"] if made else []
    return ", and ".join(cause + level)


def _gain(outcome: Outcome, column: Column) -> Judgement | None:
    return judge(values(outcome.of(BARE), column), values(outcome.of(CACHED), column))


EXPERIMENT = Experiment(
    "cache",
    "What does the KV cache buy?",
    "How much faster is a model that keeps the keys and values of what it has read, and how does that grow?",
    plan,
    conclude,
    columns=(at(PLACE), AT_END),
    max_tokens=200,
    repeats=3,
)
