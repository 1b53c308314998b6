"""A sample of an experiment: short answers, few variants and few rounds, so that it ends within seconds."""

from dataclasses import replace

from app.experiments.requests import limited
from app.experiments.types import Axis, BaseConfig, Plan

TOKENS, VARIANTS, ROUNDS = 40, 4, 3


def sample_basis(basis: BaseConfig) -> BaseConfig:
    """Return the input of a sample: short answers, and the first and the last value of each varied setting."""
    request = limited(basis.request, min(basis.request.limits.max_tokens, TOKENS))
    axes = (Axis(axis.name, tuple(dict.fromkeys((axis.values[0], axis.values[-1])))) for axis in basis.axes)
    return replace(basis, request=request, axes=tuple(axes))


def sample_plan(plan: Plan) -> Plan:
    """Return the plan of a sample: of many variants, the first one, and the last ones that need the same model."""
    chosen = list(range(len(plan.arms)))
    if len(chosen) > VARIANTS:
        first, *others = (arm for arm in chosen if plan.arms[arm].load == plan.arms[0].load)
        chosen = [first, *others[1 - VARIANTS :]]
    number = {arm: position for position, arm in enumerate(chosen)}
    return replace(
        plan,
        arms=tuple(plan.arms[arm] for arm in chosen),
        repeats=min(plan.repeats, ROUNDS),
        batches=tuple(tuple(number[arm] for arm in batch) for batch in plan.batches if set(batch) <= set(chosen)),
        is_sample=True,
    )
