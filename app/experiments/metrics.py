"""The numbers of an experiment: minimum, median and maximum for each variant, as values and as text."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from statistics import median

from app.definitions import meaning
from app.engine.meter.speeds import acceptance, rate, tokens_per_step
from app.engine.types import Reason
from app.experiments.significance import RatioEstimate, Significance, judge
from app.experiments.types import Batch, ExperimentOutcome, MetricColumn, Plain, RunResult
from app.i18n import tr
from app.number_format import DASH, PERCENT, measured_duration, size, three_digits, two_digits

REPORTED_SHARE, REPORTED_PROCESSORS = 0.1, 0.5
"""The load from which on it is reported: a tenth of all processors, or half of one."""


def share_of_others(*runs: RunResult) -> float | None:
    """Return the share of processor time that other programs used during these runs; None if unknown."""
    known = [(run.others, run.finish.times.ended - run.finish.times.sent) for run in runs if run.others is not None]
    seconds = sum(took for _, took in known) * (os.cpu_count() or 1)
    return min(1.0, max(0.0, sum(had for had, _ in known) / seconds)) if seconds > 0 else None


def sentence_on_others(outcome: ExperimentOutcome) -> str:
    """Return a sentence about the rounds with other busy programs; empty if there are none, or if it is unknown."""
    rounds = sorted({run.round for run in outcome.results})
    shares = {at: share_of_others(*(run for run in outcome.results if run.round == at)) for at in rounds}
    least = min(REPORTED_SHARE, REPORTED_PROCESSORS / (os.cpu_count() or 1))
    busy = {at: share for at, share in shares.items() if share is not None and share >= least}
    if not busy:
        return ""
    low, high = (two_digits(100 * end(busy.values())) for end in (min, max))
    share = PERCENT.format(number=low if low == high else tr("{low} to {high}").format(low=low, high=high))
    text = tr("Other programs used {share} of the CPU time in every round.")
    if len(busy) < len(rounds):
        text = tr(
            "Other programs used {share} of the CPU time in %n of {all} rounds ({rounds}).",
            "Other programs used {share} of the CPU time in %n of {all} rounds ({rounds}).",
            len(busy),
        )
    return text.format(share=share, all=len(rounds), rounds=", ".join(map(str, busy)))


@dataclass(frozen=True, slots=True)
class Spread:
    least: float
    middle: float
    most: float


@dataclass(frozen=True, slots=True)
class VariantMetrics:
    """The table row of one variant. `spreads` has the order of the columns; None if no run has the number."""

    arm: str
    runs: int
    spreads: tuple[Spread | None, ...]
    endings: tuple[tuple[Reason, int], ...]
    """Finish reasons of its runs, with their counts."""


@dataclass(frozen=True, slots=True)
class MetricsTable:
    """The table of an experiment, without columns in which no run has a number."""

    columns: tuple[MetricColumn, ...]
    rows: tuple[VariantMetrics, ...]


def _acceptance(run: RunResult) -> float | None:
    return acceptance(run.finish.drafted) if run.finish.drafted else None


def _tokens_per_step(run: RunResult) -> float | None:
    return tokens_per_step(run.finish.tokens, run.finish.drafted) if run.finish.drafted else None


def _tokens(run: RunResult) -> float | None:
    """Return the number of tokens; None for a server that doesn't count tokens."""
    metrics = run.summary.figures
    return None if metrics.pieces else metrics.tokens


def _visible(run: RunResult) -> float | None:
    metrics = run.summary.figures
    return None if metrics.pieces else metrics.visible


def _pieces(run: RunResult) -> float | None:
    metrics = run.summary.figures
    return metrics.tokens if metrics.pieces else None


def _metric(key: str, title: str, unit: str) -> MetricColumn:
    return MetricColumn(key, title, unit, attrgetter(f"summary.figures.{key}"), meaning(key))


def _memory(part: str, title: str) -> MetricColumn:
    key = f"memory_{part}"
    return MetricColumn(
        key, title, "bytes", lambda run: getattr(run.memory, part) if run.memory else None, meaning(key)
    )


def _kv(run: RunResult) -> float | None:
    """Return the bytes of the KV cache. Without one, the cache in memory is that of the run before."""
    return run.memory.kv if run.memory and run.request.kv.enabled else None


COLUMNS = (
    _metric("speed_mean", tr("Mean speed"), "tok/s"),
    _metric("first_token", tr("Time to first token"), "s"),
    _metric("prompt_speed", tr("Prefill speed"), "tok/s"),
    _metric("end_to_end", tr("End to end"), "tok/s"),
    MetricColumn("tokens", tr("Tokens"), "", _tokens, meaning("token_count")),
    MetricColumn("visible", tr("Visible tokens"), "", _visible, meaning("visible")),
    MetricColumn("pieces", tr("Pieces"), "", _pieces, meaning("pieces")),
    _memory("peak", tr("Memory peak")),
    MetricColumn("memory_kv", tr("KV cache"), "bytes", _kv, meaning("memory_kv")),
    MetricColumn("acceptance", tr("Draft acceptance rate"), "share", _acceptance, meaning("acceptance")),
    MetricColumn("tokens_per_step", tr("Tokens per step"), "", _tokens_per_step, meaning("tokens_per_step")),
    MetricColumn("others", tr("Other programs"), "share", share_of_others, meaning("others")),
)
"""The columns, with the same definitions as in the window."""


def usual(key: str) -> MetricColumn:
    return next(column for column in COLUMNS if column.key == key)


def table(outcome: ExperimentOutcome, more: Sequence[MetricColumn] = ()) -> MetricsTable:
    """Return the table of the measured runs, without warm-ups and failed runs."""
    every = (*COLUMNS, *more)
    columns = tuple(column for column in every if any(column.of(run) is not None for run in outcome.results))
    return MetricsTable(columns, tuple(_row(outcome, arm, columns) for arm in range(len(outcome.plan.arms))))


def spread(values: Iterable[float | None]) -> Spread | None:
    known = [value for value in values if value is not None]
    return Spread(min(known), median(known), max(known)) if known else None


def values(runs: Iterable[RunResult], column: MetricColumn) -> list[float]:
    """Return a column's numbers of a variant, without runs that don't have it."""
    return [value for run in runs if (value := column.of(run)) is not None]


def pairs(outcome: ExperimentOutcome, first: int, second: int, column: MetricColumn) -> list[tuple[float, float]]:
    """Return pairs of a column's numbers of two variants, for the rounds that have both."""
    one, other = (
        {run.round: value for run in outcome.of(arm) if (value := column.of(run)) is not None}
        for arm in (first, second)
    )
    return [(one[at], other[at]) for at in sorted(one.keys() & other.keys())]


def compare_variants(
    outcome: ExperimentOutcome,
    first: int,
    second: int,
    column: MetricColumn,
    among: int = 1,
    shown: MetricColumn | None = None,
) -> RatioEstimate | None:
    """Compare two variants by round, among `among` comparisons; None if no round has both.

    A difference is not significant if the medians in the table show none or the opposite. After too few rounds, the
    ratio is that of these medians. `shown`: the table's column, if it isn't `column`.
    """
    judged = judge(pairs(outcome, first, second, column), among)
    if judged is None:
        return None
    known = [values(outcome.of(arm), shown or column) or values(outcome.of(arm), column) for arm in (first, second)]
    medians = [median(each) for each in known]
    is_confirmed = medians[0] != medians[1] and (medians[0] < medians[1]) is (judged.ratio > 1)
    if judged.verdict is Significance.UNSURE:
        as_shown = replace(judged, ratio=medians[1] / medians[0] if medians[0] > 0 else 0.0)
        is_within = judged.low <= as_shown.ratio <= judged.high
        if is_within and as_shown.is_provisional is judged.is_provisional:
            judged = as_shown
    if is_confirmed or (judged.verdict is Significance.UNSURE and not judged.is_provisional):
        return judged
    return replace(judged, verdict=Significance.SAME)


def _row(outcome: ExperimentOutcome, arm: int, columns: Sequence[MetricColumn]) -> VariantMetrics:
    runs = outcome.of(arm)
    endings = Counter(each.finish.reason for each in outcome.results if each.arm == arm)
    spreads = tuple(spread(map(column.of, runs)) for column in columns)
    return VariantMetrics(outcome.plan.arms[arm].name, len(runs), spreads, tuple(endings.items()))


def single_throughput(runs: Sequence[RunResult]) -> float | None:
    """Return tokens per second of single runs: all tokens ÷ the sum of the times from Send to the last token."""
    return rate(sum(len(run.tokens) for run in runs), sum(run.arrivals[-1] for run in runs if run.tokens))


def batch_throughput(batches: Sequence[Batch]) -> float | None:
    """Return tokens per second of batches: all tokens ÷ the sum of the times from Send to the last token."""
    lasts = (max((run.arrivals[-1] for run in batch.runs if run.tokens), default=0.0) for batch in batches)
    return rate(sum(len(run.tokens) for batch in batches for run in batch.runs), sum(lasts))


def single_runs(outcome: ExperimentOutcome, batch: Batch) -> tuple[RunResult, ...]:
    """Return the runs of a batch's variants one by one, in the same round."""
    found = {run.arm: run for run in outcome.results if run.round == batch.round}
    return tuple(found[arm] for arm in batch.arms if arm in found)


def compare_batches(outcome: ExperimentOutcome, among: int) -> RatioEstimate | None:
    """Compare the speed of batches with the speed of the same runs one by one, for each complete round."""
    speeds = []
    for at in sorted({batch.round for batch in outcome.batches}):
        batches = [batch for batch in outcome.batches if batch.round == at and _is_complete(outcome, batch)]
        single = single_throughput([run for batch in batches for run in single_runs(outcome, batch)])
        speeds.append((single or 0.0, batch_throughput(batches) or 0.0))
    return judge(speeds, among)


def same_tokens(outcome: ExperimentOutcome, batches: Sequence[Batch]) -> bool:
    """Return whether every run has the same tokens in its batch as alone."""
    return all(
        [run.marks for run in batch.runs] == [run.marks for run in single_runs(outcome, batch)]
        for batch in batches
        if _is_complete(outcome, batch)
    )


def _is_complete(outcome: ExperimentOutcome, batch: Batch) -> bool:
    runs = single_runs(outcome, batch)
    return len(runs) == len(batch.arms) and all(run.finish.failure is None for run in (*runs, *batch.runs))


BYTES, SHARE, SECONDS = "bytes", "share", "s"
UNITS = {"tok/s": tr("tok/s"), "tok/s per 100 tokens": tr("tok/s per 100 tokens")}


def heading(column: MetricColumn) -> str:
    """Return a column's title with its unit, unless the cells contain units."""
    if column.unit in ("", BYTES, SHARE, SECONDS):
        return column.title
    return f"{column.title} ({UNITS.get(column.unit, column.unit)})"


def cell(column: MetricColumn, each: Spread | None) -> str:
    """Format the median, and the range if the runs differ."""
    if each is None:
        return DASH
    values = (each.least, each.middle, each.most)
    if isinstance(each.least, int) and isinstance(each.most, int) and each.middle == int(each.middle):
        values = (each.least, int(each.middle), each.most)
    least, middle, most = (number(column, value) for value in values)
    if least == most:
        return middle
    units = {words.partition(" ")[2] for words in (least, middle, most)}
    if len(units) > 1 or units == {""}:
        return f"{middle} ({least}–{most})"
    least, middle, most = (words.partition(" ")[0] for words in (least, middle, most))
    return f"{middle} ({least}–{most}) {units.pop()}"


def number(column: MetricColumn, value: float) -> str:
    if column.unit == BYTES:
        return size(value)
    if column.unit == SECONDS:
        return measured_duration(value)
    return str(value) if isinstance(value, int) else three_digits(value) if value >= 0 else f"−{three_digits(-value)}"


def endings(row: VariantMetrics, name: Callable[[Reason], str] = lambda reason: reason.plain_words) -> str:
    if len(row.endings) == 1:
        return name(row.endings[0][0])
    return ", ".join(f"{count} × {name(reason)}" for reason, count in row.endings)


def format_plain(value: Plain) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return f"{value:.2f}" if isinstance(value, float) else str(value)
