"""Experiment `sampling`: a grid of two settings, several seeds per cell."""

from dataclasses import replace
from functools import partial
from math import comb

from app.engine.catalogue import SETTINGS, PanelSection, names_in
from app.engine.types import Failure
from app.experiments.conclusion_text import answer, differs, faster, level
from app.experiments.metrics import (
    batch_throughput,
    compare_batches,
    same_tokens,
    single_runs,
    single_throughput,
    spread,
)
from app.experiments.questions.sweep import combinations
from app.experiments.requests import measured, seeded
from app.experiments.texts import DISTINCT, REPETITION, VARIETY, describe_texts, text_table
from app.experiments.types import (
    Axis,
    BaseConfig,
    Conclusion,
    Detail,
    Experiment,
    ExperimentOutcome,
    Plan,
    Variant,
)
from app.i18n import tr

SECTIONS = (PanelSection.MAIN, PanelSection.SAMPLING, PanelSection.PENALTIES)
GRID = tuple(name for name in names_in(*SECTIONS) if SETTINGS[name].needs in ("", "temperature"))
"""Settings that have an effect by themselves, unlike windows and thresholds of other settings."""


def plan(basis: BaseConfig) -> Plan | Failure:
    """Plan a grid with one setting for the rows and one for the columns; each round has its own seed."""
    names = [axis.name.removeprefix("sampling.") for axis in basis.axes]
    if len(set(names)) != 2 or not set(names) <= set(GRID):
        todo = tr("Choose two different ones of: {names}.").format(names=", ".join(GRID))
        return Failure(tr("A grid needs two sampling settings."), todo)
    request = measured(basis.request)
    cells = combinations(replace(basis, request=request))
    if isinstance(cells, Failure):
        return cells
    arms = tuple(Variant(name, partial(seeded, request)) for name, request in cells)
    across = len(basis.axes[1].values)
    rows = tuple(tuple(range(start, start + across)) for start in range(0, len(arms), across))
    fits = basis.model.can.batch and request.kv.bits is None and request.kv.max_size is None
    return EXPERIMENT.of(arms, basis.repeats, rows if across > 1 and fits else ())


def conclude(outcome: ExperimentOutcome) -> Conclusion:
    """Compare the most with the least varied cell, and the texts of all cells."""
    clauses = [each for each in (*describe_texts(outcome, _claims(len(outcome.plan.arms))), _gain(outcome)) if each]
    details = (text_table(outcome), *_batches(outcome), _texts(outcome))
    return answer(outcome, clauses[0] if clauses else "", clauses[1:], details if outcome.measured() else ())


def _claims(arms: int) -> int:
    return comb(arms, 2) + 1


def _gain(outcome: ExperimentOutcome) -> str:
    judged = compare_batches(outcome, _claims(len(outcome.plan.arms)))
    if judged is None:
        return ""
    cells = len(outcome.batches[0].arms)
    if not differs(judged):
        return level(judged, tr("speed between batches of {count} and one by one").format(count=cells))
    words = tr("batches of {count} were {speed}")
    return words.format(count=cells, speed=faster(judged, tr("the same cells one by one")))


def _batches(outcome: ExperimentOutcome) -> tuple[Detail, ...]:
    """Return a table of the speed of each row's cells: one by one, and as one batch."""
    rows = []
    for arms in outcome.plan.batches:
        batches = [batch for batch in outcome.batches if batch.arms == arms]
        single = spread(single_throughput(single_runs(outcome, batch)) for batch in batches)
        whole = spread(batch_throughput([batch]) for batch in batches)
        if single and whole:
            cells = "; ".join(outcome.plan.arms[arm].name for arm in arms)
            rows.append((cells, single.middle, whole.middle, same_tokens(outcome, batches)))
    head = tr("Cells"), tr("One by one (tok/s)"), tr("At once (tok/s)"), tr("Same tokens")
    return (Detail(tr("Batches"), head, tuple(rows)),) if rows else ()


def _texts(outcome: ExperimentOutcome) -> Detail:
    rows = tuple(
        (outcome.plan.arms[run.arm].name, run.request.sampling.seed, run.finish.reason.plain_words, run.text)
        for arm in outcome.measured()
        for run in outcome.of(arm)
    )
    return Detail(tr("Texts"), (tr("Cell"), tr("Seed"), tr("Ending"), tr("Text")), rows)


EXPERIMENT = Experiment(
    "sampling",
    tr("Which sampling?"),
    tr("How do two sampling settings change the text: its variety, length and finish reason?"),
    plan,
    conclude,
    columns=(*DISTINCT, REPETITION),
    max_tokens=64,
    temperature=0.7,
    claims=_claims,
    axes=(Axis("sampling.temperature", (0.3, 0.7, 1.2)), Axis("sampling.top_p", (0.8, 1.0))),
    lead=VARIETY,
)
