"""The order of the arms: in turn, and backwards in half of the rounds, so that a drift of the machine cancels out.

It turns round after the first round and then after every two. Were it after each, one arm would stand at both sides of
every turn, and a disturbance that lasts for more than a run would make two rounds say the same.
"""

from __future__ import annotations

from app.experiments.types import Plan, Step
from app.words import tr


def steps(plan: Plan) -> tuple[Step, ...]:
    """Every measured run of the plan; batches count as one each."""
    tasks = [*((arm,) for arm in range(len(plan.arms))), *plan.batches]
    rounds = range(1, plan.repeats + 1)
    order = [(task, at) for at in rounds for task in (reversed(tasks) if at // 2 % 2 else tasks)]
    return tuple(_step(plan, task, at, number, len(order)) for number, (task, at) in enumerate(order, start=1))


def _step(plan: Plan, task: tuple[int, ...], at: int, number: int, total: int) -> Step:
    name = plan.arms[task[0]].name
    if len(task) == 1:
        return Step(task[0], name, at, number, total)
    together = tr("{count} at once, from {arm}").format(count=len(task), arm=name)
    return Step(task[0], together, at, number, total, task)
