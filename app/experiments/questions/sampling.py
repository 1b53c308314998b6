"""Which sampling: a grid over two settings, each cell with several seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import comb
from statistics import median

from app.definitions import meaning
from app.engine.ranges import LARGEST_SEED
from app.engine.types import KV, Failure, Model, Request
from app.experiments.figures import spread, values
from app.experiments.questions.sweep import combinations
from app.experiments.requests import measured
from app.experiments.significance import Judgement, judge
from app.experiments.throughput import alone, at_once, compared, one_by_one, same_tokens
from app.experiments.types import Arm, Axis, Basis, Column, Conclusion, Detail, Experiment, Given, Outcome, Plan, Result
from app.experiments.wording import UNMEASURED, beside, differs, extremes, row, sentence, vouched
from app.words import tr

GRID = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")


def plan(basis: Basis) -> Plan | Failure:
    """The first setting's values are the rows, the second's the columns, and each round has a seed of its own."""
    names = [axis.name.removeprefix("sampling.") for axis in basis.axes]
    if len(set(names)) != 2 or not set(names) <= set(GRID):
        todo = tr("Choose two different ones of: {names}.").format(names=", ".join(GRID))
        return Failure(tr("A grid has two settings of sampling."), todo)
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
    alike = [arm for arm in outcome.measured() if outcome.plan.repeats > 1 and _alike(outcome.of(arm))]
    same = tr("every seed gave the same text with {count} of {all} settings") if alike else ""
    said = [
        _variety((names[least], varied[least]), (names[most], varied[most]), judged),
        same.format(count=len(alike), all=len(names)),
        _gain(outcome),
    ]
    return Conclusion(sentence(said), (*_batches(outcome), _texts(outcome)))


def _variety(least: tuple[str, float], most: tuple[str, float], judged: Judgement | None) -> str:
    """Of the two cells, each with its distinct-2."""
    low, high = f"{least[1]:.2f}", f"{most[1]:.2f}"
    if most[1] == least[1]:
        return tr("all texts are equally varied (distinct-2 {value})").format(value=high)
    if judged is not None and not differs(judged):
        return tr("no difference in variety beyond noise (distinct-2 {low}–{high})").format(low=low, high=high)
    varied = tr("the most varied text came with {cell} (distinct-2 {value})").format(cell=most[0], value=high)
    return row([varied, vouched(tr("the least with {cell} ({value})").format(cell=least[0], value=low), judged)])


def distinct(ids: Sequence[int | str], length: int) -> float | None:
    """How many of all stretches of so many tokens are different ones; None for a text that is shorter."""
    stretches = [tuple(ids[at : at + length]) for at in range(len(ids) - length + 1)]
    return len(set(stretches)) / len(stretches) if stretches else None


def _fits_a_batch(model: Model, kv: KV) -> bool:
    return model.can.batch and kv.bits is None and kv.max_size is None


def _seeded(request: Request, given: Given) -> Request:
    """Round by round another seed, and the same ones in every cell; behind the largest one comes 0."""
    seed = (request.sampling.seed + max(0, given.round - 1)) % (LARGEST_SEED + 1)
    return replace(request, sampling=replace(request.sampling, seed=seed))


def _alike(runs: Sequence[Result]) -> bool:
    return len(runs) > 1 and len({run.marks for run in runs}) == 1


def _gain(outcome: Outcome) -> str:
    judged = compared(outcome, outcome.batches)
    if judged is None:
        return ""
    cells = len(outcome.batches[0].arms)
    if not differs(judged):
        said = tr("batches of {count} make no difference to the speed beyond noise ({range})")
        return said.format(count=cells, range=extremes(judged))
    said = tr("batches of {count} were {speed}")
    speed = beside(judged.ratio, tr("the same cells one by one"))
    return vouched(said.format(count=cells, speed=speed), judged)


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
        (
            Detail(
                tr("Batches"),
                (tr("Cells"), tr("One by one (tok/s)"), tr("At once (tok/s)"), tr("Same tokens")),
                tuple(rows),
            ),
        )
        if rows
        else ()
    )


def _texts(outcome: Outcome) -> Detail:
    rows = tuple(
        (outcome.plan.arms[run.arm].name, run.request.sampling.seed, run.finish.reason.words, run.text)
        for arm in outcome.measured()
        for run in outcome.of(arm)
    )
    return Detail(tr("Texts"), (tr("Cell"), tr("Seed"), tr("Ending"), tr("Text")), rows)


def _distinct_of(length: int, run: Result) -> float | None:
    """The end token says nothing."""
    marks = run.marks if run.finish.stop_id is None else run.marks[:-1]
    return distinct(marks, length)


DISTINCT = tuple(
    Column(
        f"distinct_{n}",
        tr("Distinct-{length}").format(length=n),
        "share",
        partial(_distinct_of, n),
        meaning(f"distinct_{n}"),
    )
    for n in (1, 2, 3)
)

EXPERIMENT = Experiment(
    "sampling",
    tr("Which sampling?"),
    tr("How do two settings of sampling change the text, its variety, its length and its ending?"),
    plan,
    conclude,
    columns=DISTINCT,
    max_tokens=64,
    repeats=3,
    axes=(Axis("sampling.temperature", (0.3, 0.7, 1.2)), Axis("sampling.top_p", (0.8, 1.0))),
)
