"""Short forms of an experiment: a sample, which takes seconds, and a quick look, which takes about two minutes."""

from dataclasses import replace

from app.engine.types import Failure
from app.experiments.duration import KnownSpeed, expected_seconds, longest_answer
from app.experiments.requests import limited
from app.experiments.types import Axis, BaseConfig, Experiment, Plan

TOKENS, VARIANTS, ROUNDS = 40, 4, 3
QUICK_ROUNDS = 3
"""Of three rounds without a real difference, fewer than 4 % look like one, even on a busy computer."""
QUICK_S = 100.0
QUICK_TOKENS = 24
"""Minimum for the longest answer of a quick look."""


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


def quick_look(experiment: Experiment, basis: BaseConfig, known: KnownSpeed | None) -> Plan | Failure:
    """Return the plan of a quick look, with shorter answers if it would take too long. It has the rounds of `basis`."""
    whole = experiment.plan(basis)
    if known is None or isinstance(whole, Failure):
        return whole
    longest = longest_answer(whole, basis.model)
    seconds = expected_seconds(replace(whole, repeats=QUICK_ROUNDS), basis.model, known)
    if seconds <= QUICK_S or longest <= QUICK_TOKENS:
        return whole
    tokens = max(QUICK_TOKENS, int(longest * QUICK_S / seconds))
    shorter = experiment.plan(replace(basis, request=limited(basis.request, tokens)))
    if isinstance(shorter, Failure) or longest_answer(shorter, basis.model) > tokens:
        return whole  # the variants set their own limits
    return replace(shorter, shortened_to=tokens)
