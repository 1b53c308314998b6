"""Clauses and sentences about measured differences."""

from collections.abc import Callable, Sequence
from functools import reduce

from app.experiments.figures import Spread
from app.experiments.significance import Judgement, Significance
from app.experiments.types import ExperimentOutcome
from app.i18n import tr
from app.number_format import PERCENT, two_digits, two_percent

TIMES = 1.95
"""Ratios from here on are written as a factor, smaller ones in percent."""
SPEED = tr("speed")
UNMEASURED = tr("Nothing was measured.")


def differs(judged: Judgement) -> bool:
    """Return whether the difference is significant; if not, use the clause of `level`."""
    return judged.verdict in (Significance.HIGHER, Significance.LOWER)


def faster(judged: Judgement, other: str = "") -> str:
    """Return a clause that compares the second speed with the first; `other`: the name of the first one."""
    ratio = judged.ratio
    if ratio >= TIMES:
        phrase = tr("{times} times as fast as {other}") if other else tr("{times} times as fast")
    elif ratio >= 1:
        phrase = tr("{share} faster than {other}") if other else tr("{share} faster")
    elif ratio > 1 / TIMES:
        phrase = tr("{share} slower than {other}") if other else tr("{share} slower")
    else:
        phrase = tr("{times} times as slow as {other}") if other else tr("{times} times as slow")
    phrase = phrase.format(times=two_digits(max(ratio, 1 / ratio)), share=two_percent(abs(ratio - 1)), other=other)
    return ranged(phrase, extremes(judged))


def level(judged: Judgement, what: str = SPEED) -> str:
    """Return a clause about a difference that is not significant, with its confidence interval."""
    if judged.verdict is Significance.UNSURE:
        return too_few(tr("a difference in {what}").format(what=what), extremes(judged), judged.needed)
    phrase = tr("no significant difference in {what}")
    if not judged.low <= 1 <= judged.high:
        phrase = tr("a difference in {what} of less than 3 %")
    return ranged(phrase.format(what=what), extremes(judged))


def too_few(what: str, extent: str, needed: int) -> str:
    """Return a clause that there are too few rounds, and how many are needed."""
    phrase = tr(
        "too few rounds for {what} to be significant ({range}; %n are needed)",
        "too few rounds for {what} to be significant ({range}; %n are needed)",
        needed,
    )
    return phrase.format(what=what, range=extent)


def ranged(clause: str, extent: str) -> str:
    return tr("{clause} ({range})").format(clause=clause, range=extent)


def extremes(judged: Judgement) -> str:
    """Format the interval of a ratio and the number of rounds: in percent near 1, else as factors."""
    low, high = judged.low, judged.high
    if 1 / TIMES < judged.ratio < TIMES:
        return in_rounds(signed(100 * (low - 1)), signed(100 * (high - 1)), PERCENT, judged.rounds)
    if judged.ratio < 1:
        low, high = 1 / high, 1 / low
    return in_rounds(two_digits(low), two_digits(high), tr("{number} times"), judged.rounds)


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


def sentence(parts: Sequence[str], outcome: ExperimentOutcome) -> str:
    """Join clauses to a sentence; without clauses, return the reason why nothing was compared."""
    text = _joined(parts, tr("{clause}; {next}"))
    return f"{text[:1].upper()}{text[1:]}." if text else _uncompared(outcome)


def row(parts: Sequence[str]) -> str:
    """Join clauses of the same kind with commas."""
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
