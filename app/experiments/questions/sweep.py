"""Any settings, each value with each other, as often as wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from math import prod
from statistics import median

from app.engine.sampling import check
from app.engine.types import Failure, Request
from app.experiments.figures import usual, values
from app.experiments.requests import bounded
from app.experiments.settings import put, spoken
from app.experiments.significance import judge
from app.experiments.types import Arm, Axis, Basis, Column, Conclusion, Experiment, Outcome, Plain, Plan
from app.experiments.wording import UNMEASURED, beside, differs, noise, sentence, vouched
from app.words import tr

MOST_ARMS = 200
SPEED = usual("speed_mean")


def plan(basis: Basis) -> Plan | Failure:
    """An arm for every combination. No run reuses the cache of the one before, unless that is what is varied."""
    cells = combinations(basis)
    if isinstance(cells, Failure):
        return cells
    return EXPERIMENT.of(tuple(Arm(name, request) for name, request in cells), basis.repeats)


def combinations(basis: Basis) -> tuple[tuple[str, Request], ...] | Failure:
    """Names and requests; a value that the engine would refuse is refused here."""
    count = prod(len(axis.values) for axis in basis.axes)
    if not basis.axes or count > MOST_ARMS:
        what = tr("{count} combinations are too many.") if basis.axes else tr("No setting is varied.")
        todo = tr("Vary one setting or more, in at most {most} combinations.").format(most=MOST_ARMS)
        return Failure(what.format(count=count), todo)
    request = bounded(basis.request)
    request = replace(request, kv=replace(request.kv, reuse=False))
    found = []
    for chosen in product(*(axis.values for axis in basis.axes)):
        changed = request
        for axis, value in zip(basis.axes, chosen, strict=True):
            changed = put(changed, axis.name, value)
        if (refused := check(changed, basis.model.vocabulary)) is not None:
            return refused
        found.append((_name(basis.axes, chosen), changed))
    return tuple(found)


def conclude(outcome: Outcome) -> Conclusion:
    """The fastest beside the slowest: whether any of it changes the speed."""
    speed = _speed(outcome.plan)
    speeds = {arm: found for arm in outcome.measured() if (found := values(outcome.of(arm), speed))}
    if len(speeds) < 2:
        return Conclusion(UNMEASURED)
    slow, *_, fast = sorted(speeds, key=lambda arm: median(speeds[arm]))
    judged = judge(speeds[slow], speeds[fast], among=len(speeds) * (len(speeds) - 1) // 2)
    names = [outcome.plan.arms[arm].name for arm in (slow, fast)]
    if judged is None:
        return Conclusion(UNMEASURED)
    if not differs(judged):
        said = tr("{level} between the slowest, {slow}, and the fastest, {fast}")
        return Conclusion(sentence([said.format(level=noise(judged), slow=names[0], fast=names[1])]))
    said = tr("{arm} is {speed}").format(arm=names[1], speed=beside(judged.ratio, names[0]))
    return Conclusion(sentence([vouched(said, judged)]))


def _speed(plan: Plan) -> Column:
    """Drafts come in bursts, the first one with the first token, which would flatter the mean speed."""
    drafted = any(isinstance(arm.request, Request) and arm.request.draft_tokens for arm in plan.arms)
    return usual("end_to_end") if drafted else SPEED


def _name(axes: Sequence[Axis], chosen: Sequence[Plain]) -> str:
    return ", ".join(spoken(axis.name, value) for axis, value in zip(axes, chosen, strict=True))


EXPERIMENT = Experiment(
    "sweep",
    tr("A sweep of settings"),
    tr("What do these settings change?"),
    plan,
    conclude,
)
