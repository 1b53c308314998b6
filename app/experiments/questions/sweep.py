"""Experiment `sweep`: all combinations of the values of any settings."""

from dataclasses import replace
from functools import partial
from itertools import product
from math import comb, prod
from statistics import median

from app.engine.sampling import check
from app.engine.types import Failure, Request
from app.experiments.conclusion_text import answer, differs, faster, level, row
from app.experiments.metrics import compare_variants, usual, values
from app.experiments.pace import over_shared
from app.experiments.requests import bounded, describe_setting, seeded, with_setting
from app.experiments.texts import DISTINCT, REPETITION, VARIETY, describe_texts, text_table
from app.experiments.types import BaseConfig, Conclusion, Experiment, ExperimentOutcome, Plan, Variant
from app.i18n import tr

MOST_ARMS = 200
SEED = "sampling.seed"


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan a variant for each combination. Prompt cache reuse is off, unless it is varied.

    Sampling settings change the texts, so each round has its own seed.
    """
    cells = combinations(basis)
    if isinstance(cells, Failure):
        return cells
    if not all(axis.name.startswith("sampling.") and axis.name != SEED for axis in basis.axes):
        return EXPERIMENT.of(tuple(Variant(name, request) for name, request in cells), basis.repeats)
    arms = tuple(Variant(name, partial(seeded, request)) for name, request in cells)
    return replace(EXPERIMENT.of(arms, basis.repeats), lead=VARIETY)


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
    """Compare the texts if only sampling settings are varied, else the speed."""
    if outcome.plan.lead == VARIETY:
        headline, *clauses = describe_texts(outcome, _claims(len(outcome.plan.arms))) or [""]
        return answer(outcome, headline, clauses, (text_table(outcome),) if headline else ())
    drafted = any(isinstance(arm.request, Request) and arm.request.speculates for arm in outcome.plan.arms)
    speed, over = over_shared(outcome, outcome.measured(), waiting=drafted)
    speeds = {arm: median(found) for arm in outcome.measured() if (found := values(outcome.of(arm), speed))}
    ends = sorted(speeds, key=speeds.__getitem__) or [0]
    shown = usual("end_to_end" if drafted else "speed_mean")
    judged = compare_variants(outcome, ends[0], ends[-1], speed, _claims(len(outcome.plan.arms)), shown)
    if judged is None or len(ends) < 2:
        return answer(outcome, "")
    slow, fast = (outcome.plan.arms[arm].name for arm in (ends[0], ends[-1]))
    text = tr("{level} between the slowest, {slow}, and the fastest, {fast}")
    text = text.format(level=level(judged), slow=slow, fast=fast)
    if differs(judged):
        text = tr("{arm} is {speed}").format(arm=fast, speed=faster(judged, slow))
    return answer(outcome, row([text, over]))


def _claims(arms: int) -> int:
    return comb(arms, 2)


EXPERIMENT = Experiment(
    "sweep",
    tr("Which temperature or other setting?"),
    tr("How do these settings change speed, memory and text?"),
    plan,
    conclude,
    columns=(*DISTINCT, REPETITION),
    claims=_claims,
    lead="speed_mean",
)
