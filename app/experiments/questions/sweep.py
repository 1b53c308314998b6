"""Experiment `sweep`: all combinations of the values of any settings."""

from dataclasses import replace
from itertools import product
from math import comb, prod
from statistics import median

from app.engine.sampling import check
from app.engine.types import Failure, Request
from app.experiments.conclusion_text import differs, faster, level, row, sentence
from app.experiments.metrics import pairs, values
from app.experiments.pace import over_shared
from app.experiments.requests import bounded, describe_setting, with_setting
from app.experiments.significance import judge
from app.experiments.types import BaseConfig, Conclusion, Experiment, ExperimentOutcome, Plan, Variant
from app.i18n import tr

MOST_ARMS = 200


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan a variant for each combination. Prompt cache reuse is off, unless it is varied."""
    cells = combinations(basis)
    if isinstance(cells, Failure):
        return cells
    return EXPERIMENT.of(tuple(Variant(name, request) for name, request in cells), basis.repeats)


def combinations(basis: BaseConfig) -> tuple[tuple[str, Request], ...] | Failure:
    """Return the names and requests of all combinations; refuse values that the engine would refuse."""
    count = prod(len(axis.values) for axis in basis.axes)
    if not basis.axes or count > MOST_ARMS:
        what = tr("{count} combinations exceed the limit.") if basis.axes else tr("No setting has several values.")
        todo = tr("Vary one setting or more, in at most {most} combinations.").format(most=MOST_ARMS)
        return Failure(what.format(count=count), todo)
    request = bounded(basis.request)
    request = replace(request, kv=replace(request.kv, reuse=False))
    found = []
    for chosen in product(*(axis.values for axis in basis.axes)):
        changed = request
        for axis, value in zip(basis.axes, chosen, strict=True):
            changed = with_setting(changed, axis.name, value)
        if (refused := check(changed, basis.model.vocabulary)) is not None:
            return refused
        names = (describe_setting(axis.name, value) for axis, value in zip(basis.axes, chosen, strict=True))
        found.append((", ".join(names), changed))
    return tuple(found)


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    drafted = any(isinstance(arm.request, Request) and arm.request.speculates for arm in outcome.plan.arms)
    speed, over = over_shared(outcome, outcome.measured(), waiting=drafted)
    speeds = {arm: median(found) for arm in outcome.measured() if (found := values(outcome.of(arm), speed))}
    ends = sorted(speeds, key=speeds.__getitem__) or [0]
    judged = judge(pairs(outcome, ends[0], ends[-1], speed), _claims(len(outcome.plan.arms)))
    if judged is None or len(ends) < 2:
        return Conclusion(sentence((), outcome))
    slow, fast = (outcome.plan.arms[arm].name for arm in (ends[0], ends[-1]))
    text = tr("{level} between the slowest, {slow}, and the fastest, {fast}")
    text = text.format(level=level(judged), slow=slow, fast=fast)
    if differs(judged):
        text = tr("{arm} is {speed}").format(arm=fast, speed=faster(judged, slow))
    return Conclusion(sentence([row([text, over])], outcome))


def _claims(arms: int) -> int:
    return comb(arms, 2)


EXPERIMENT = Experiment(
    "sweep",
    tr("Settings sweep"),
    tr("How do these settings change speed, memory and text?"),
    plan,
    conclude,
    claims=_claims,
    lead="speed_mean",
)
