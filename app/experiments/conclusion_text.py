"""How a measured difference is said."""

from collections.abc import Callable, Sequence
from functools import reduce

from app.experiments.figures import Spread
from app.experiments.significance import Judgement, Significance
from app.experiments.types import Outcome
from app.i18n import tr
from app.number_format import PERCENT, two_digits, two_percent

TIMES = 1.95
"""From here on people say "twice as fast", below it so many percent."""
SPEED = tr("speed")
UNMEASURED = tr("Nothing was measured.")


def differs(judged: Judgement) -> bool:
    """Whether it may be said that there is a difference; otherwise `level` says what there is."""
    return judged.verdict in (Significance.HIGHER, Significance.LOWER)


def faster(judged: Judgement, other: str = "") -> str:
    """How the second is beside the first, or beside `other`, if they differ: in speeds of the first."""
    ratio = judged.ratio
    if ratio >= TIMES:
        said = tr("{times} times as fast as {other}") if other else tr("{times} times as fast")
    elif ratio >= 1:
        said = tr("{share} faster than {other}") if other else tr("{share} faster")
    elif ratio > 1 / TIMES:
        said = tr("{share} slower than {other}") if other else tr("{share} slower")
    else:
        said = tr("{times} times as slow as {other}") if other else tr("{times} times as slow")
    said = said.format(times=two_digits(max(ratio, 1 / ratio)), share=two_percent(abs(ratio - 1)), other=other)
    return ranged(said, extremes(judged))


def level(judged: Judgement, what: str = SPEED) -> str:
    """A clause on what can't be said to differ; the range tells what may still be."""
    if judged.verdict is Significance.UNSURE:
        return too_few(tr("a difference in {what}").format(what=what), extremes(judged), judged.needed)
    said = tr("no significant difference in {what}")
    if not judged.low <= 1 <= judged.high:
        said = tr("a difference in {what} of less than 3 %")
    return ranged(said.format(what=what), extremes(judged))


def too_few(what: str, extent: str, needed: int) -> str:
    """A clause for rounds that can't tell anything from noise, whatever they say."""
    said = tr(
        "too few rounds for {what} to be significant ({range}; %n are needed)",
        "too few rounds for {what} to be significant ({range}; %n are needed)",
        needed,
    )
    return said.format(what=what, range=extent)


def ranged(clause: str, extent: str) -> str:
    """A clause with the range of what it tells."""
    return tr("{clause} ({range})").format(clause=clause, range=extent)


def extremes(judged: Judgement) -> str:
    """The range of a ratio, and of how many rounds: in percent near 1, else in times of the slower one."""
    low, high = judged.low, judged.high
    if 1 / TIMES < judged.ratio < TIMES:
        return in_rounds(signed(100 * (low - 1)), signed(100 * (high - 1)), PERCENT, judged.rounds)
    if judged.ratio < 1:
        low, high = 1 / high, 1 / low
    return in_rounds(two_digits(low), two_digits(high), tr("{number} times"), judged.rounds)


def in_rounds(low: str, high: str, unit: str, rounds: int) -> str:
    """A range, and of how many rounds it is."""
    return tr("{range}, %n rounds", "{range}, %n round", rounds).format(range=span(low, high, unit))


def span(low: str, high: str, unit: str = "{number}") -> str:
    """Two ends of a range, or what is all there is."""
    return unit.format(number=low if low == high else tr("{low} to {high}").format(low=low, high=high))


def signed(value: float) -> str:
    """A number that can go either way, with one digit behind the point at most."""
    number = f"{abs(value):.1f}" if abs(value) < 9.95 else two_digits(abs(value))
    return f"{'+' if value > 0 else '−'}{number}" if number != "0.0" else number


def spanned(each: Spread, words: Callable[[float], str]) -> str:
    """The median, and the range where the runs differ."""
    low, middle, high = (words(value) for value in (each.least, each.middle, each.most))
    unit = high.partition(" ")[2]
    return middle if low == high else ranged(middle, span(low.removesuffix(f" {unit}"), high))


def sentence(parts: Sequence[str], outcome: Outcome) -> str:
    """Clauses as one sentence, or why there is nothing to tell of the runs that there are."""
    text = _joined(parts, tr("{clause}; {next}"))
    return f"{text[:1].upper()}{text[1:]}." if text else _uncompared(outcome)


def row(parts: Sequence[str]) -> str:
    """Clauses of one kind as one clause."""
    return _joined(parts, tr("{clause}, {next}"))


def _joined(parts: Sequence[str], template: str) -> str:
    said = [part for part in parts if part]
    return reduce(lambda clause, more: template.format(clause=clause, next=more), said) if said else ""


def _uncompared(outcome: Outcome) -> str:
    measured = outcome.measured()
    if not measured:
        return UNMEASURED
    lacking = [arm.name for number, arm in enumerate(outcome.plan.arms) if number not in measured]
    if lacking:
        return tr("Nothing can be compared: there is no run of {arms}.").format(arms=", ".join(lacking))
    return tr("Nothing can be compared: no round has this number in both variants.")
