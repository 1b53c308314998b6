"""Experiment `sampling`: a grid of two settings, several seeds per cell."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import comb
from statistics import median

from app.definitions import meaning
from app.engine.catalogue import SETTINGS, PanelSection, names_in
from app.engine.ranges import LARGEST_SEED
from app.engine.types import Failure, Request
from app.experiments.conclusion_text import differs, extremes, faster, level, ranged, sentence
from app.experiments.metrics import (
    batch_throughput,
    compare_batches,
    same_tokens,
    single_runs,
    single_throughput,
    spread,
)
from app.experiments.questions.sweep import combinations
from app.experiments.requests import measured
from app.experiments.significance import Significance, judge
from app.experiments.types import (
    Axis,
    BaseConfig,
    Conclusion,
    Detail,
    Experiment,
    ExperimentOutcome,
    MetricColumn,
    Plan,
    RunContext,
    RunResult,
    Variant,
)
from app.i18n import tr
from app.number_format import two_digits

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
    """Compare the most with the least varied cell, and count the cells in which all seeds give the same text."""
    arms = outcome.measured()
    rounds = max((len(outcome.of(arm)) for arm in arms), default=0)
    written = {arm: [run.marks for run in outcome.of(arm)] for arm in arms}
    alike = [arm for arm, marks in written.items() if len(marks) == rounds > 1 and len(set(marks)) == 1]
    same = tr(
        "all %n seeds gave the same text with {count} of {all} settings",
        "all %n seeds gave the same text with {count} of {all} settings",
        rounds,
    )
    words = [
        _variety(outcome),
        same.format(count=len(alike), all=len(outcome.plan.arms)) if alike else "",
        _gain(outcome),
    ]
    return Conclusion(sentence(words, outcome), (*_batches(outcome), _texts(outcome)) if arms else ())


def _claims(arms: int) -> int:
    return comb(arms, 2) + 1


def _variety(outcome: ExperimentOutcome) -> str:
    varied = _by_variety(outcome)
    if len(varied) < 2:
        return ""
    least, *_, most = sorted(varied, key=varied.__getitem__)
    rounds = _over_shared(outcome, least, most)
    judged = judge(rounds, _claims(len(outcome.plan.arms)))
    if judged is None:
        return ""
    low, high = (two_digits(median(shares)) for shares in zip(*rounds, strict=True))
    if judged.verdict is not Significance.HIGHER:
        words = tr("{level}: {low} to {high} of the bigrams are distinct")
        return words.format(level=level(judged, tr("variety")), low=low, high=high)
    words = tr("the text was more varied with {most} than with {least}: {high} and {low} of the bigrams are distinct")
    first, second = (outcome.plan.arms[arm].name for arm in (most, least))
    return ranged(words.format(most=first, least=second, high=high, low=low), extremes(judged))


def _by_variety(outcome: ExperimentOutcome) -> dict[int, float]:
    """Return the share of distinct bigrams of each cell, over as many tokens as the shortest cell has."""
    texts = {arm: [_ids_without_eos(run) for run in outcome.of(arm)] for arm in outcome.measured()}
    length = int(min((median(map(len, each)) for each in texts.values()), default=0))
    shares = {arm: spread(distinct(text[:length], 2) for text in each) for arm, each in texts.items()}
    return {arm: share.middle for arm, share in shares.items() if share is not None}


def _over_shared(outcome: ExperimentOutcome, *cells: int) -> list[tuple[float, float]]:
    """Return pairs of distinct-bigram shares, over the common length of both runs: a shorter text repeats less."""
    one, other = ({run.round: _ids_without_eos(run) for run in outcome.of(cell)} for cell in cells)
    shared = [(one[at], other[at], min(len(one[at]), len(other[at]))) for at in sorted(one.keys() & other.keys())]
    shares = [(distinct(text[:length], 2), distinct(beside[:length], 2)) for text, beside, length in shared]
    return [(first, second) for first, second in shares if first is not None and second is not None]


def distinct(ids: Sequence[int | str], length: int) -> float | None:
    """Return the share of distinct n-grams; None if the text is too short."""
    stretches = [tuple(ids[at : at + length]) for at in range(len(ids) - length + 1)]
    return len(set(stretches)) / len(stretches) if stretches else None


def seeded(request: Request, given: RunContext) -> Request:
    """Return the request with the seed of the round, which is the same in all cells; 0 follows the largest seed."""
    seed = (request.sampling.seed + max(0, given.round - 1)) % (LARGEST_SEED + 1)
    return replace(request, sampling=replace(request.sampling, seed=seed))


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


def _ids_without_eos(run: RunResult) -> tuple[int | str, ...]:
    """Return token ids without the EOS token; texts if the server returns no ids."""
    return run.marks if run.finish.stop_id is None else run.marks[:-1]


def _distinct_of(length: int, run: RunResult) -> float | None:
    return distinct(_ids_without_eos(run), length)


DISTINCT = tuple(
    MetricColumn(f"distinct_{n}", title, "share", partial(_distinct_of, n), meaning(f"distinct_{n}"))
    for n, title in enumerate((tr("Distinct tokens"), tr("Distinct bigrams"), tr("Distinct trigrams")), 1)
)

EXPERIMENT = Experiment(
    "sampling",
    tr("Which sampling?"),
    tr("How do two sampling settings change the text: its variety, length and finish reason?"),
    plan,
    conclude,
    columns=DISTINCT,
    max_tokens=64,
    temperature=0.7,
    claims=_claims,
    axes=(Axis("sampling.temperature", (0.3, 0.7, 1.2)), Axis("sampling.top_p", (0.8, 1.0))),
    lead="distinct_2",
)
