"""Which sampling: a grid over two settings, each cell with several seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import comb
from statistics import median

from app.definitions import meaning
from app.engine.types import KV, Failure, Model, Request
from app.experiments.asking import measured
from app.experiments.figures import spread, values
from app.experiments.judging import judge
from app.experiments.questions.sweep import combinations
from app.experiments.throughput import alone, at_once, compared, one_by_one, same_tokens
from app.experiments.types import Arm, Axis, Basis, Column, Conclusion, Detail, Experiment, Given, Outcome, Plan, Result
from app.experiments.wording import UNMEASURED, beside, differs, doubt, sentence

GRID = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")


def plan(basis: Basis) -> Plan | Failure:
    """The first setting's values are the rows, the second's the columns, and each round has a seed of its own."""
    names = [axis.name.removeprefix("sampling.") for axis in basis.axes]
    if len(set(names)) != 2 or not set(names) <= set(GRID):
        return Failure("A grid has two settings of sampling.", f"Choose two different ones of: {', '.join(GRID)}.")
    request = measured(basis.request)
    cells = combinations(replace(basis, request=request))
    if isinstance(cells, Failure):
        return cells
    arms = tuple(Arm(name, partial(_seeded, request)) for name, request in cells)
    across = len(basis.axes[1].values)
    rows = tuple(tuple(range(start, start + across)) for start in range(0, len(arms), across))
    return EXPERIMENT.of(arms, basis.repeats, rows if across > 1 and _fits_a_batch(basis.model, request.kv) else ())


def conclude(outcome: Outcome) -> Conclusion:
    """The most and the least varied cell, and where the seed makes no difference."""
    varied = {arm: median(found) for arm in outcome.measured() if (found := values(outcome.of(arm), DISTINCT[1]))}
    if not varied:
        return Conclusion(UNMEASURED)
    names = [arm.name for arm in outcome.plan.arms]
    least, most = min(varied, key=varied.__getitem__), max(varied, key=varied.__getitem__)
    low, high = (values(outcome.of(arm), DISTINCT[1]) for arm in (least, most))
    judged = judge(low, high, among=comb(len(varied), 2))
    said = [
        f"the most varied text came with {names[most]} (distinct-2 {varied[most]:.2f})",
        f"the least with {names[least]} ({varied[least]:.2f})" + (doubt(judged) if judged else ""),
    ]
    if varied[most] == varied[least]:
        said = [f"all texts are equally varied (distinct-2 {varied[most]:.2f})"]
    elif judged is not None and not differs(judged):
        said = [f"no difference in variety beyond noise (distinct-2 {varied[least]:.2f}–{varied[most]:.2f})"]
    alike = [names[arm] for arm in outcome.measured() if outcome.plan.repeats > 1 and _alike(outcome.of(arm))]
    same = f"every seed gave the same text with {len(alike)} of {len(names)} settings" if alike else ""
    said = [", ".join(said), same, _gain(outcome)]
    return Conclusion(sentence(said), (*_batches(outcome), _texts(outcome)))


def distinct(ids: Sequence[int], length: int) -> float | None:
    """How many of all stretches of so many tokens are different ones; None for a text that is shorter."""
    stretches = [tuple(ids[at : at + length]) for at in range(len(ids) - length + 1)]
    return len(set(stretches)) / len(stretches) if stretches else None


def _fits_a_batch(model: Model, kv: KV) -> bool:
    return model.can.batch and kv.bits is None and kv.max_size is None


def _seeded(request: Request, given: Given) -> Request:
    """Round by round another seed, and the same ones in every cell."""
    seed = request.sampling.seed + max(0, given.round - 1)
    return replace(request, sampling=replace(request.sampling, seed=seed))


def _alike(runs: Sequence[Result]) -> bool:
    return len(runs) > 1 and len({run.ids for run in runs}) == 1


def _gain(outcome: Outcome) -> str:
    judged = compared(outcome, outcome.batches)
    if judged is None:
        return ""
    cells = len(outcome.batches[0].arms)
    if not differs(judged):
        return f"batches of {cells} make no difference to the speed beyond noise ({judged.low:.2f}–{judged.high:.2f})"
    return f"batches of {cells} were {beside(judged.ratio, 'the same cells one by one')}{doubt(judged)}"


def _batches(outcome: Outcome) -> tuple[Detail, ...]:
    """Tokens a second of each row: its cells one by one, and as one batch."""
    rows = []
    for arms in outcome.plan.batches:
        batches = [batch for batch in outcome.batches if batch.arms == arms]
        single = spread(one_by_one(alone(outcome, batch)) for batch in batches)
        whole = spread(map(at_once, batches))
        if single and whole:
            cells = "; ".join(outcome.plan.arms[arm].name for arm in arms)
            rows.append((cells, single.middle, whole.middle, same_tokens(outcome, batches)))
    return (
        (Detail("Batches", ("Cells", "One by one (tok/s)", "At once (tok/s)", "Same tokens"), tuple(rows)),)
        if rows
        else ()
    )


def _texts(outcome: Outcome) -> Detail:
    rows = tuple(
        (outcome.plan.arms[run.arm].name, run.request.sampling.seed, run.finish.reason.value, run.text)
        for arm in outcome.measured()
        for run in outcome.of(arm)
    )
    return Detail("Texts", ("Cell", "Seed", "Ending", "Text"), rows)


def _distinct_of(length: int, run: Result) -> float | None:
    """The end token says nothing."""
    ids = run.ids if run.finish.stop_id is None else run.ids[:-1]
    return distinct(ids, length)


DISTINCT = tuple(
    Column(f"distinct_{n}", f"Distinct-{n}", "share", partial(_distinct_of, n), meaning(f"distinct_{n}"))
    for n in (1, 2, 3)
)

EXPERIMENT = Experiment(
    "sampling",
    "Which sampling?",
    "How do two settings of sampling change the text, its variety, its length and its ending?",
    plan,
    conclude,
    columns=DISTINCT,
    max_tokens=64,
    repeats=3,
    axes=(Axis("sampling.temperature", (0.3, 0.7, 1.2)), Axis("sampling.top_p", (0.8, 1.0))),
)
