"""The texts of variants that differ in sampling: their variety, repetition, length, and agreement between seeds."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from statistics import median
from typing import NamedTuple

from app.definitions import meaning
from app.experiments.conclusion_text import differs, extremes, level, ranged, span
from app.experiments.metrics import spread
from app.experiments.significance import judge
from app.experiments.types import Detail, ExperimentOutcome, MetricColumn, RunResult
from app.i18n import tr
from app.number_format import two_digits, two_percent

VARIETY = "distinct_2"
"""The key of the column that answers a question about texts."""
REPEATED = 4
"""Length of a repeated n-gram."""
REPORTED_REPETITION = 0.05
MOST_NAMED = 3


class VariantTexts(NamedTuple):
    """A row of the table of texts: medians over the variant's runs, and the agreement of all runs."""

    name: str
    runs: int
    length: float
    variety: float | None
    repetition: float | None
    agreement: float | None


def ids_without_eos(run: RunResult) -> tuple[int | str, ...]:
    """Return token ids without the EOS token; texts if the server returns no ids."""
    return run.marks if run.finish.stop_id is None else run.marks[:-1]


def distinct(ids: Sequence[int | str], length: int) -> float | None:
    """Return the share of distinct n-grams; None if the text is too short."""
    ngrams = _ngrams(ids, length)
    return len(set(ngrams)) / len(ngrams) if ngrams else None


def _ngrams(ids: Sequence[int | str], length: int) -> list[tuple[int | str, ...]]:
    return [tuple(ids[at : at + length]) for at in range(len(ids) - length + 1)]


def repetition(run: RunResult) -> float | None:
    """Return the share of 4-grams that occurred before in the same text."""
    share = distinct(ids_without_eos(run), REPEATED)
    return None if share is None else 1 - share


def agreement(texts: Sequence[Sequence[int | str]]) -> float | None:
    """Return the mean share of bigrams that two texts have in common, over all pairs (Jaccard)."""
    sets = [set(_ngrams(text, 2)) for text in texts]
    shares = [len(one & other) / len(one | other) for one, other in combinations(sets, 2) if one | other]
    return sum(shares) / len(shares) if shares else None


def _distinct_of(length: int, run: RunResult) -> float | None:
    return distinct(ids_without_eos(run), length)


DISTINCT = tuple(
    MetricColumn(f"distinct_{n}", title, "share", partial(_distinct_of, n), meaning(f"distinct_{n}"))
    for n, title in enumerate((tr("Distinct tokens"), tr("Distinct bigrams"), tr("Distinct trigrams")), 1)
)
REPETITION = MetricColumn("repetition", tr("Repetition"), "share", repetition, meaning("repetition"))


def describe_texts(outcome: ExperimentOutcome, among: int) -> list[str]:
    """Return clauses about variety, agreement and repetition of the texts. A difference in variety comes first."""
    rows = _rows(outcome)
    variety, is_different = _variety(outcome, among)
    same = _same_texts(outcome)
    clauses = [variety, same] if is_different else [same, variety]
    agreeing = {row.name: row.agreement for row in rows if row.agreement is not None and row.agreement < 1}
    if len(set(agreeing.values())) > 1:
        words = tr("the seeds agree more with {most} ({high} of the bigrams) than with {least} ({low})")
        if len(agreeing) > 2:
            words = tr("the seeds agree most with {most} ({high} of the bigrams) and least with {least} ({low})")
        most, least = (end(agreeing, key=agreeing.__getitem__) for end in (max, min))
        high, low = two_percent(agreeing[most]), two_percent(agreeing[least])
        clauses.append(words.format(most=most, high=high, least=least, low=low))
    repeating = max(rows, key=lambda row: row.repetition or 0.0, default=None)
    if repeating is not None and (repeating.repetition or 0.0) >= REPORTED_REPETITION:
        words = tr("{arm} repeats itself most: {share} of its 4-grams occurred before")
        clauses.append(words.format(arm=repeating.name, share=two_percent(repeating.repetition or 0.0)))
    return [clause for clause in clauses if clause]


def text_table(outcome: ExperimentOutcome) -> Detail:
    head = (
        tr("Variant"),
        tr("Runs", "Number of runs of the variant"),
        tr("Tokens"),
        tr("Distinct bigrams"),
        tr("Repetition"),
        tr("Agreement of the seeds"),
    )
    return Detail(tr("Texts by variant"), head, tuple(_rows(outcome)))


def _rows(outcome: ExperimentOutcome) -> list[VariantTexts]:
    varied = by_variety(outcome)
    rows = []
    for arm in outcome.measured():
        runs = outcome.of(arm)
        texts = [ids_without_eos(run) for run in runs]
        repeated = spread(map(repetition, runs))
        length = median(len(run.tokens) for run in runs)
        name = outcome.plan.arms[arm].name
        share = repeated.middle if repeated else None
        rows.append(VariantTexts(name, len(runs), length, varied.get(arm), share, agreement(texts)))
    return rows


def by_variety(outcome: ExperimentOutcome) -> dict[int, float]:
    """Return the share of distinct bigrams of each variant, over as many tokens as the shortest variant has."""
    texts = {arm: [ids_without_eos(run) for run in outcome.of(arm)] for arm in outcome.measured()}
    length = int(min((median(map(len, each)) for each in texts.values()), default=0))
    shares = {arm: spread(distinct(text[:length], 2) for text in each) for arm, each in texts.items()}
    return {arm: share.middle for arm, share in shares.items() if share is not None}


def _variety(outcome: ExperimentOutcome, among: int) -> tuple[str, bool]:
    """Return a clause about the variety, and whether it reports a difference."""
    varied = by_variety(outcome)
    if len(varied) < 2:
        return "", False
    least, *_, most = sorted(varied, key=varied.__getitem__)
    rounds = _over_shared(outcome, least, most)
    judged = judge(rounds, among)
    if judged is None:
        return "", False
    medians = [median(shares) for shares in zip(*rounds, strict=True)]
    if set(medians) == {1.0}:
        return tr("no bigram is repeated in the length that the texts share"), False
    low, high = map(two_digits, medians)
    first, second = (outcome.plan.arms[arm].name for arm in (least, most))
    if not differs(judged) or judged.ratio < 1 or medians[0] >= medians[1]:
        words = tr("{level} between {least} and {most}: {shares} of the bigrams are distinct")
        shares = span(*map(two_digits, sorted(medians)))
        level_words = level(judged, tr("variety"))
        return words.format(level=level_words, least=first, most=second, shares=shares), False
    words = tr("{most} gives the most varied text, {least} the least: {high} and {low} of the bigrams are distinct")
    return ranged(words.format(most=second, least=first, high=high, low=low), extremes(judged)), True


def _over_shared(outcome: ExperimentOutcome, *cells: int) -> list[tuple[float, float]]:
    """Return pairs of distinct-bigram shares, over the common length of both runs: a shorter text repeats less."""
    one, other = ({run.round: ids_without_eos(run) for run in outcome.of(cell)} for cell in cells)
    shared = [(one[at], other[at], min(len(one[at]), len(other[at]))) for at in sorted(one.keys() & other.keys())]
    shares = [(distinct(text[:length], 2), distinct(beside[:length], 2)) for text, beside, length in shared]
    return [(first, second) for first, second in shares if first is not None and second is not None]


def _same_texts(outcome: ExperimentOutcome) -> str:
    """Name the variants whose texts are the same with all seeds."""
    written = {arm: [run.marks for run in outcome.of(arm)] for arm in outcome.measured()}
    rounds = max(map(len, written.values()), default=0)
    alike = [arm for arm, marks in written.items() if len(marks) == rounds > 1 and len(set(marks)) == 1]
    if not alike:
        return ""
    same = tr("all %n seeds gave the same text with {arms}", "", rounds)
    if all(run.request.sampling.temperature == 0 for arm in alike for run in outcome.of(arm)):
        same = tr("the text is the same in each run with {arms}")
    names = ", ".join(outcome.plan.arms[arm].name for arm in alike)
    if len(alike) > MOST_NAMED:
        names = tr("{count} of {all} settings").format(count=len(alike), all=len(outcome.plan.arms))
    return same.format(arms=names)
