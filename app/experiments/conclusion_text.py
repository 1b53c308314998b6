"""Clauses and sentences about measured differences, different tokens, and missing runs."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce

from app.engine.types import Failure
from app.experiments.metrics import Spread
from app.experiments.significance import SMALLEST, RatioEstimate, Significance
from app.experiments.types import Conclusion, Detail, ExperimentOutcome, RunResult
from app.i18n import tr
from app.number_format import FACTOR, PERCENT, TIMES_FROM, ratio_amount, two_digits
from app.records.comparison import RerunComparison, compare
from app.records.types import TokenRecord

SPEED = tr("speed")
UNMEASURED = tr("Nothing was measured.")


def differs(judged: RatioEstimate) -> bool:
    """Return whether a difference is reported: a significant or a provisional one; if not, use `level`."""
    return judged.verdict in (Significance.HIGHER, Significance.LOWER) or judged.is_provisional


def faster(judged: RatioEstimate, other: str = "") -> str:
    """Return a clause that compares the second speed with the first; `other`: the name of the first one."""
    if judged.ratio >= 1:
        phrase = tr("{amount} faster than {other}") if other else tr("{amount} faster")
    else:
        phrase = tr("{amount} slower than {other}") if other else tr("{amount} slower")
    return ranged(phrase.format(amount=approximate(ratio_amount(judged.ratio), judged), other=other), extremes(judged))


def approximate(amount: str, judged: RatioEstimate) -> str:
    """Mark the amount of a provisional difference."""
    return tr("about {amount}").format(amount=amount) if judged.is_provisional else amount


def level(judged: RatioEstimate, what: str = SPEED) -> str:
    """Return a clause about a difference that is not reported, with its confidence interval."""
    if judged.verdict is Significance.UNSURE:
        ends = signed(100 * (judged.ratio - 1)) if judged.rounds > 1 else ""
        return too_few(what, PERCENT.format(number=ends) if ends else "", extremes(judged), judged.needed)
    phrase = tr("no significant difference in {what}")
    if not judged.low <= 1 <= judged.high and abs(judged.ratio - 1) < SMALLEST:
        phrase = tr("a difference in {what} of less than 3 %")
    return ranged(phrase.format(what=what), extremes(judged))


def too_few(what: str, difference: str, extent: str, needed: int) -> str:
    """Return a clause about a difference in `what` after too few rounds; `difference` is empty for one round."""
    phrase = tr(
        "not significant yet: {difference} ({range}; %n are needed)",
        "not significant yet: {difference} ({range}; %n are needed)",
        needed,
    )
    return phrase.format(difference=f"{what} {difference}".rstrip(), range=extent)


def ranged(clause: str, extent: str) -> str:
    return tr("{clause} ({range})").format(clause=clause, range=extent)


def extremes(judged: RatioEstimate) -> str:
    """Format the interval of a ratio and the rounds: as factors of a large difference, else in percent with signs."""
    if not differs(judged) or 1 / TIMES_FROM < judged.ratio < TIMES_FROM:
        ends = signed(100 * (judged.low - 1)), signed(100 * (judged.high - 1))
        return confirmed(in_rounds(*ends, PERCENT, judged.rounds), judged)
    low, high = sorted(max(end, 1 / end) for end in (judged.low, judged.high))
    return confirmed(in_rounds(two_digits(low), two_digits(high), FACTOR, judged.rounds), judged)


def confirmed(extent: str, judged: RatioEstimate) -> str:
    """Add to a provisional interval how many more rounds can make the difference significant."""
    if not judged.is_provisional:
        return extent
    words = tr(
        "{range}: provisional; %n more can confirm it",
        "{range}: provisional; %n more can confirm it",
        judged.needed - judged.rounds,
    )
    return words.format(range=extent)


def in_rounds(low: str, high: str, unit: str, rounds: int) -> str:
    return tr("{range}, %n rounds", "{range}, %n round", rounds).format(range=span(low, high, unit))


def span(low: str, high: str, unit: str = "{number}") -> str:
    return unit.format(number=low if low == high else tr("{low} to {high}").format(low=low, high=high))


def signed(value: float) -> str:
    """Format a number with its sign and at most one decimal."""
    number = f"{abs(value):.1f}" if abs(value) < 9.95 else two_digits(abs(value))
    return f"{'+' if value > 0 else '−'}{number}" if number != "0.0" else number


def spanned(each: Spread, words: Callable[[float], str]) -> str:
    """Format the median, and the range if the runs differ."""
    low, middle, high = (words(value) for value in (each.least, each.middle, each.most))
    unit = high.partition(" ")[2]
    return middle if low == high else ranged(middle, span(low.removesuffix(f" {unit}"), high))


def answer(
    outcome: ExperimentOutcome, headline: str, parts: Sequence[str] = (), details: Sequence[Detail] = ()
) -> Conclusion:
    """Return a conclusion of clauses; without a headline, it says why nothing was compared."""
    if not headline:
        return Conclusion(_uncompared(outcome))
    return Conclusion(_sentence(headline), _sentence(_joined(parts, tr("{clause}; {next}"))), tuple(details))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""


def row(parts: Sequence[str]) -> str:
    return _joined(parts, tr("{clause}, {next}"))


def _joined(parts: Sequence[str], template: str) -> str:
    phrase = [part for part in parts if part]
    return reduce(lambda clause, more: template.format(clause=clause, next=more), phrase) if phrase else ""


def _uncompared(outcome: ExperimentOutcome) -> str:
    measured = outcome.measured()
    if not measured:
        return UNMEASURED
    lacking = [arm.name for number, arm in enumerate(outcome.plan.arms) if number not in measured]
    if lacking:
        return tr("Nothing can be compared: {arms} has no runs.").format(arms=", ".join(lacking))
    return tr("Nothing can be compared: no round has this value for both variants.")


def differences(outcome: ExperimentOutcome, base: int = 0) -> Detail:
    """Compare the first run of each variant with the first run of the variant `base`."""
    rows = [
        (outcome.plan.arms[arm].name, compared.sentence, None if compared.at is None else compared.at + 1)
        for arm in outcome.measured()
        if arm != base and outcome.of(base)
        for compared in (first_difference(outcome.of(base)[0], outcome.of(arm)[0]),)
    ]
    beside = tr("compared with {arm}").format(arm=outcome.plan.arms[base].name)
    return Detail(tr("Tokens"), (tr("Variant"), beside, tr("First different token")), tuple(rows))


def first_difference(*pair: RunResult) -> RerunComparison:
    texts = any(token.id < 0 for run in pair for token in run.tokens)
    return compare(*(_by_text(pair) if texts else map(_tokens, pair)))


def text_difference(outcome: ExperimentOutcome, base: int, other: int) -> str:
    """Return a clause about the first different token, in the rounds that have both variants.

    The runs of one variant may differ from each other too.
    """
    ours, theirs = ({run.round: run for run in outcome.of(arm)} for arm in (base, other))
    each = [first_difference(ours[at], theirs[at]) for at in sorted(ours.keys() & theirs.keys())]
    positions = [compared.at + 1 for compared in each if compared.at is not None]
    if not each:
        return ""
    if not positions:
        same = tr("the tokens are the same in %n rounds", "the tokens are the same in %n round", len(each))
        further = tr("{clause}, up to the end of the shorter run")
        return same if all(compared.identical for compared in each) else further.format(clause=same)
    if any(len({run.marks for run in runs.values()}) > 1 for runs in (ours, theirs)):
        words = tr(
            "the text differs in {count} of %n rounds, but also within one variant",
            "the text differs in {count} of %n round, but also within one variant",
            len(each),
        )
        return words.format(count=len(positions))
    words = tr(
        "the text differs from token {place} on in %n rounds",
        "the text differs from token {place} on in %n round",
        len(each),
    )
    return words.format(place=min(positions))


def _by_text(runs: Sequence[RunResult]) -> list[list[TokenRecord]]:
    """Replace tokens by their texts, numbered, if the server returns no ids. The end of a run has no text."""
    numbers: dict[str, int] = {}
    written = [[token for token in _tokens(run) if token.text] for run in runs]
    return [[replace(token, id=numbers.setdefault(token.text, len(numbers))) for token in each] for each in written]


def _tokens(run: RunResult) -> list[TokenRecord]:
    return [TokenRecord(token.index, token.id, token.text, token.at) for token in run.tokens]


STOPPED = Failure(tr("The experiment was stopped before a run ended."), "", kind="stopped")
SAMPLE = tr("This is a sample: short answers, few variants and rounds. Start runs the whole experiment.")


def cautions(outcome: ExperimentOutcome) -> list[str]:
    """Return the cautions as sentences; empty if everything ran as planned."""
    text = [SAMPLE] if outcome.plan.is_sample else []
    if tokens := outcome.plan.shortened_to:
        text.append(tr("Quick look: answers of at most %n tokens. Start measures whole answers.", "", tokens))
    if outcome.stopped:
        stopped = tr("Stopped: {done} of %n rounds done.", "Stopped: {done} of %n round done.", outcome.plan.repeats)
        text.append(stopped.format(done=whole_rounds(outcome)))
    if outcome.failure is not None:
        text.append(outcome.failure.sentence)
    return text + _failures(outcome)


def why_nothing(outcome: ExperimentOutcome) -> Failure | None:
    """Return the reason for a lack of measured runs; None if there is one."""
    if outcome.measured():
        return None
    failures = [run.finish.failure for run in outcome.results if run.finish.failure is not None]
    return outcome.failure or (failures[0] if failures else STOPPED)


def _failures(outcome: ExperimentOutcome) -> list[str]:
    """Return one sentence per failure, with its variants and the number of their failed runs, unless all failed."""
    every = [*outcome.results, *(run for batch in outcome.batches for run in batch.runs)]
    total, failed = Counter(run.arm for run in every), dict[str, Counter[int]]()
    for run in every:
        if run.finish.failure is not None:
            failed.setdefault(run.finish.failure.what, Counter())[run.arm] += 1
    some = tr("{arm} ({count} of {all} runs)")
    text = []
    for what, arms in failed.items():
        names = [
            outcome.plan.arms[arm].name
            if count == total[arm]
            else some.format(arm=outcome.plan.arms[arm].name, count=count, all=total[arm])
            for arm, count in sorted(arms.items())
        ]
        text.append(f"{', '.join(names)}: {what}")
    return text


def whole_rounds(outcome: ExperimentOutcome) -> int:
    """Count the rounds that have a run of every variant."""
    done = [run.round for run in outcome.results]
    arms = len(outcome.plan.arms)
    return sum(1 for at in range(1, outcome.plan.repeats + 1) if done.count(at) == arms)
