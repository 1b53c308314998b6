"""What the KV cache buys: with it, and in a bare loop that reads everything again for each token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import Failure
from app.experiments.comparing import differences, first_difference, parted
from app.experiments.figures import values
from app.experiments.pace import AT_END, at
from app.experiments.requests import endless, measured
from app.experiments.significance import Judgement, judge
from app.experiments.types import Arm, Basis, Column, Conclusion, Detail, Experiment, Outcome, Plan
from app.experiments.wording import UNMEASURED, differs, faster, noise, sentence, vouched
from app.words import tr

BARE, CACHED = 0, 1
PLACE = 100


def plan(basis: Basis) -> Plan | Failure:
    """The bare loop and the cache, over the same tokens; the text runs to its limit."""
    if not basis.model.can.bare_loop:
        why = dict(basis.model.can.refusals).get("bare_loop", tr("This model can't run without its cache."))
        return Failure(why, tr("Choose another model."))
    cached = endless(measured(basis.request), basis.model)
    bare = replace(cached, kv=replace(cached.kv, enabled=False))
    return EXPERIMENT.of((Arm(tr("bare loop"), bare), Arm(tr("with the cache"), cached)), basis.repeats)


def conclude(outcome: Outcome) -> Conclusion:
    """The gain at token 100 and at the end, and whether both wrote the same."""
    if len(outcome.measured()) < 2:
        return Conclusion(UNMEASURED)
    last = min(len(run.tokens) for arm in (BARE, CACHED) for run in outcome.of(arm))
    places = [(PLACE, at(PLACE))] if last > PLACE else []
    gains = [(token, judged) for token, column in (*places, (last, AT_END)) if (judged := _gain(outcome, column))]
    rows = tuple((token, judged.ratio, judged.low, judged.high) for token, judged in gains)
    gain = Detail(tr("Gain"), (tr("At token"), tr("Times as fast"), tr("At least"), tr("At most")), rows)
    same = parted(first_difference(outcome, BARE, CACHED))
    return Conclusion(sentence([_told(gains), same]), (gain, differences(outcome)))


def _told(gains: Sequence[tuple[int, Judgement]]) -> str:
    """All that differ have the same cause, and the same doubt, since they are places of the same runs."""
    faster_at, level_at = tr("{speed} at token {place}"), tr("{level} at token {place}")
    made = [faster_at.format(speed=faster(judged.ratio), place=token) for token, judged in gains if differs(judged)]
    level = [level_at.format(level=noise(judged), place=token) for token, judged in gains if not differs(judged)]
    cause = tr("the cache made this {speeds}").format(speeds=_both(made)) if made else ""
    return _both([vouched(cause, gains[0][1]), *level] if made else level)


def _both(clauses: Sequence[str]) -> str:
    """There are two at most."""
    return (
        tr("{clause}, and {next}").format(clause=clauses[0], next=clauses[1]) if len(clauses) == 2 else "".join(clauses)
    )


def _gain(outcome: Outcome, column: Column) -> Judgement | None:
    return judge(values(outcome.of(BARE), column), values(outcome.of(CACHED), column))


EXPERIMENT = Experiment(
    "cache",
    tr("What does the KV cache buy?"),
    tr("How much faster is a model that keeps the keys and values of what it has read, and how does that grow?"),
    plan,
    conclude,
    columns=(at(PLACE), AT_END),
    max_tokens=200,
    repeats=3,
)
