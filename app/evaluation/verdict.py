"""Sentences of a verdict: rates, differences with confidence intervals and p-values, and cautions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from app.evaluation.calibration import RowPrediction, calibrate, predictions
from app.evaluation.estimates import smallest, too_few
from app.evaluation.paired_tests import CHANCE, differs, pairs, preferences
from app.evaluation.rates import Tally, rates, scoring_rates, tallies
from app.evaluation.types import (
    Calibration,
    CheckKind,
    EvaluationOutcome,
    EvaluationVerdict,
    PairedComparison,
    Rate,
    Wording,
)
from app.i18n import tr
from app.number_format import PERCENT, duration, minus, p_value, percent

NOTHING = tr("No answer was checked.")
NARROW = 4
"""Width in percentage points: a narrower interval is formatted with one decimal."""
NO_VOTES = tr("Choose the better of two answers under Blind A/B. Reveal shows which variants they are.")


def verdict(
    outcome: EvaluationOutcome, predicted: Sequence[Mapping[int, RowPrediction]] | None = None
) -> EvaluationVerdict:
    """Return the verdict. `predicted`: see `predictions`; None: computed here; empty: without calibration."""
    every = tallies(outcome)
    of_arms, of_pairs, votes = rates(outcome, every), pairs(outcome, every), preferences(outcome.votes)
    by_hand = outcome.study.check.kind is CheckKind.BY_HAND
    text = [sensitivity(outcome, of_arms, of_pairs)]
    text += [] if by_hand else _comparisons(outcome, of_pairs)
    text += [of_votes(outcome, each, len(votes)) for each in votes]
    text += [_of_rate(outcome, each) for each in of_arms]
    sentences = [each for each in text if each] or [NO_VOTES if by_hand and outcome.answers else NOTHING]
    predicted = predictions(outcome) if predicted is None else predicted
    calibrated, calibrated_pairs = calibrate(predicted)
    sentences += [_of_calibration(outcome, each) for each in calibrated]
    sentences += _equal_scores(outcome)
    sentences += _exclusions(outcome, every, () if by_hand else of_pairs)
    return EvaluationVerdict(of_arms, of_pairs, tuple(sentences), scoring_rates(outcome), calibrated, calibrated_pairs)


def _of_rate(outcome: EvaluationOutcome, rate: Rate) -> str:
    """Return a sentence about a variant, with its cost where the reasoning budgets differ."""
    text = tr(
        "{arm}: {rate} of %n rows right (95 % CI {range})", "{arm}: {rate} of %n row right (95 % CI {range})", rate.n
    )
    share, range_ = _share(rate.rate, rate.low, rate.high)
    text = text.format(arm=_name(outcome, rate.arm), rate=share, range=range_)
    if len({arm.request.limits.think_budget for arm in outcome.study.arms}) > 1:
        answers = [each for each in outcome.answers if each.key.arm == rate.arm]
        tokens, seconds = fmean(each.tokens for each in answers), fmean(each.seconds for each in answers)
        costs = tr("{clause}; an answer takes {tokens} tokens and {time}")
        text = costs.format(clause=text, tokens=f"{tokens:,.0f}", time=duration(seconds))
    return f"{text}."


def _of_calibration(outcome: EvaluationOutcome, each: Calibration) -> str:
    """Return a sentence on whether a variant's confidence can be trusted."""
    if each.chance > CHANCE:
        text = tr("{arm}: no significant calibration error: {error} (95 % CI {range}; p-value {p}).")
    elif each.overconfidence.low > 0:
        text = tr("{arm} is overconfident: calibration error {error} (95 % CI {range}; p-value {p}).")
    elif each.overconfidence.high < 0:
        text = tr("{arm} is underconfident: calibration error {error} (95 % CI {range}; p-value {p}).")
    else:
        text = tr("{arm} is not calibrated: calibration error {error} (95 % CI {range}; p-value {p}).")
    error, range_ = (f"{each.ece.middle:.3f}", f"{each.ece.low:.3f}–{each.ece.high:.3f}")
    return text.format(arm=_name(outcome, each.arm), error=error, range=range_, p=p_value(each.chance))


def _equal_scores(outcome: EvaluationOutcome) -> Iterator[str]:
    """Yield a sentence about each variant whose settings don't change the scores of an earlier one."""
    text = tr("{second} has the scores of {first}: only model, adapter, prompt and wording change a score.")
    known: dict[object, int] = {}
    for at, arm in enumerate(outcome.study.arms):
        if arm.by_likelihood:
            strength = arm.request.sampling.adapter_strength
            first = known.setdefault((arm.load or outcome.opened, arm.wording, arm.request.prompt, strength), at)
            if first != at:
                yield text.format(first=_name(outcome, first), second=_name(outcome, at))


def of_pair(outcome: EvaluationOutcome, each: PairedComparison, among: int = 1) -> str:
    """Return a clause that compares two variants. `among`: the number of pairs, for the corrected p-value."""
    first, second, each = _better_last(outcome, each)
    is_different = differs(each)
    clause = tr("{second} is better than {first} by {points}")
    if not is_different:
        clause = tr("No significant difference: {second} minus {first} is {points}")
    text = tr("{clause} (95 % CI {range}), %n pairs", "{clause} (95 % CI {range}), %n pair", each.n)
    points, range_ = _points(each)
    text = text.format(clause=clause.format(first=first, second=second, points=points), range=range_)
    return f"{text}{_significance(each, among, is_different)}."


def of_votes(outcome: EvaluationOutcome, each: PairedComparison, among: int = 1) -> str:
    """Return a clause that compares two variants by votes; a tie counts as half."""
    first, second, each = _better_last(outcome, each)
    is_different = differs(each)
    clause = (
        tr("{second} is preferred to {first}")
        if is_different
        else tr("No significant preference between {first} and {second}")
    )
    text = tr(
        "{clause}: {second} in {rate} of %n rows (95 % CI {range}), ties as half",
        "{clause}: {second} in {rate} of %n row (95 % CI {range}), ties as half",
        each.n,
    )
    share, range_ = _share(*((1 + value) / 2 for value in (each.difference, each.low, each.high)))
    clause = clause.format(first=first, second=second)
    text = text.format(clause=clause, second=second, rate=share, range=range_)
    return f"{text}{_significance(each, among, is_different)}."


def sensitivity(outcome: EvaluationOutcome, of_arms: Sequence[Rate], of_pairs: Sequence[PairedComparison]) -> str:
    """Return a sentence about variants that differ only by wording: range of the rate, and largest change.

    A wording that few rows have is ignored. For a wording that only some rows have, the comparison uses these rows.
    """
    arms = outcome.study.arms
    alike, wordings = {(arm.request, arm.load) for arm in arms}, [arm.wording for arm in arms]
    if len(alike) > 1 or len(set(wordings)) < len(arms) or Wording.AS_WRITTEN not in wordings:
        return ""
    first = wordings.index(Wording.AS_WRITTEN)
    base = next((rate for rate in of_arms if rate.arm == first), None)
    others = [each for each in of_pairs if first in (each.first, each.second) and base and 2 * each.n >= base.n]
    if base is None or not others:
        return ""
    rates = [base.rate, *(base.rate + (1 if each.first == first else -1) * each.difference for each in others)]
    changed, rows, other = max((it.only_first + it.only_second, it.n, it.first + it.second - first) for it in others)
    text = tr(
        "The wording alone moves the rate from {least} to {most}: with {how} %n rows of {rows} change.",
        "The wording alone moves the rate from {least} to {most}: with {how} %n row of {rows} changes.",
        changed,
    )
    least, most = percent(max(0.0, min(rates)), 1), percent(min(1.0, max(rates)), 1)
    return text.format(least=least, most=most, rows=f"{rows:,}", how=wordings[other].words)


def _comparisons(outcome: EvaluationOutcome, of_pairs: Sequence[PairedComparison]) -> list[str]:
    """Return the comparisons as sentences, significant ones first; with several pairs, their number precedes them."""
    ordered = sorted(of_pairs, key=lambda each: (not differs(each), each.corrected))
    text = [of_pair(outcome, each, len(of_pairs)) for each in ordered]
    if len(ordered) > 1:
        count = tr(
            "{count} of %n pairs of variants differ significantly.",
            "{count} of %n pair of variants differs significantly.",
            len(ordered),
        )
        text.insert(0, count.format(count=sum(map(differs, of_pairs))))
    rows = len(outcome.study.prompts.rows)
    if ordered and not any(map(differs, ordered)) and smallest(rows, len(ordered)) is None:
        text.insert(1, too_few(rows))
    return text


def _exclusions(
    outcome: EvaluationOutcome, every: Sequence[Tally], of_pairs: Sequence[PairedComparison]
) -> Iterator[str]:
    failed, by_hand = sum(tally.failed for tally in every), outcome.study.check.kind is CheckKind.BY_HAND
    if failed and by_hand:
        yield tr("%n answers failed.", "%n answer failed.", failed)
    elif failed:
        yield tr("%n answers failed and count as not right.", "%n answer failed and counts as not right.", failed)
    unjudged = sum(tally.unjudged for tally in every)
    if unjudged and not by_hand:
        yield tr(
            "%n answers could not be checked; their rows are excluded.",
            "%n answer could not be checked; its row is excluded.",
            unjudged,
        )
    rows = len(outcome.study.prompts.rows)
    if missing := max((rows - each.n for each in of_pairs), default=0):
        yield tr(
            "%n rows are excluded from a comparison: one of the two variants has no checked answer there.",
            "%n row is excluded from a comparison: one of the two variants has no checked answer there.",
            missing,
        )
    if outcome.stopped or outcome.why:
        yield outcome.why or tr("The evaluation was stopped before its end.")


def _significance(each: PairedComparison, among: int, is_different: bool) -> str:
    """Return a clause with the p-value if there are several pairs, or if it contradicts the interval."""
    if among < 2 and (is_different or each.low <= 0 <= each.high):
        return ""
    corrected = tr("; p-value {p}, Holm-corrected for %n comparisons", "; p-value {p}", among)
    return corrected.format(p=p_value(each.corrected))


def _better_last(outcome: EvaluationOutcome, each: PairedComparison) -> tuple[str, str, PairedComparison]:
    """Return both variants ordered so that the second one is better, and the difference."""
    first, second = _name(outcome, each.first), _name(outcome, each.second)
    if each.difference >= 0:
        return first, second, each
    return second, first, replace(each, difference=-each.difference, low=-each.high, high=-each.low)


def _name(outcome: EvaluationOutcome, arm: int) -> str:
    """Quote variant names that contain spaces."""
    name = outcome.study.arms[arm].name
    return f"“{name}”" if " " in name else name


def _points(each: PairedComparison) -> tuple[str, str]:
    """Format a difference and its interval, with enough digits that only 0 is written as 0."""
    hundred = [100 * value for value in (each.difference, each.low, each.high)]
    narrow = hundred[2] - hundred[1] < NARROW
    digits = next(at for at in range(narrow, 3) if at == 2 or all(round(each, at) or not each for each in hundred))
    middle, low, high = (minus(f"{each:.{digits}f}") for each in hundred)
    unit = tr("{number} point") if middle.strip("−") == "1" else tr("{number} points")
    return unit.format(number=middle), tr("{low} to {high}").format(low=low, high=high)


def _share(rate: float, low: float, high: float) -> tuple[str, str]:
    """Format a rate and its interval, with one decimal if the interval is narrow."""
    digits = int(100 * (high - low) < NARROW)
    share = PERCENT.format(number=f"{100 * rate:.1f}") if digits else percent(rate, 1)
    return share, tr("{low} to {high}").format(low=f"{100 * low:.{digits}f}", high=f"{100 * high:.{digits}f}")
