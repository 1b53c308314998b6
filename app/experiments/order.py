"""The order of the arms: in turn, and backwards every second round, so that a drift of the machine cancels out."""

from __future__ import annotations

from app.experiments.types import Plan, Step


def steps(plan: Plan) -> tuple[Step, ...]:
    """Every measured run of the plan."""
    arms = range(len(plan.arms))
    order = [(arm, at) for at in range(1, plan.repeats + 1) for arm in (arms if at % 2 else reversed(arms))]
    return tuple(
        Step(arm, plan.arms[arm].name, at, number, len(order)) for number, (arm, at) in enumerate(order, start=1)
    )
