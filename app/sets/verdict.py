"""What a study says in sentences: rates, differences with their ranges and chances, and what they rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.figures import PERCENT, chance, minus
from app.sets.pairs import differs, pairs, preferences
from app.sets.rates import rates, tallies
from app.sets.types import CheckKind, Outcome, Pair, Rate, Verdict, Wording
from app.words import tr

NOTHING = tr("Nothing was judged.")
CHANGES = {
    Wording.TRAILING_SPACE: tr("with a trailing space"),
    Wording.LOWER_CASE: tr("in lower case"),
    Wording.UPPER_CASE: tr("in upper case"),
    Wording.OTHER_ORDER: tr("in another order"),
}


def verdict(outcome: Outcome) -> Verdict:
    """Of as much as has been answered so far."""
    of_arms, of_pairs, votes = rates(outcome), pairs(outcome), preferences(outcome.votes)
    by_hand = outcome.study.check.kind is CheckKind.BY_HAND
    said = [sensitivity(outcome, of_arms, of_pairs)]
    said += [] if by_hand else _compared(outcome, of_pairs)
    said += [of_votes(outcome, each, len(votes)) for each in votes]
    said += [of_rate(outcome.study.arms[each.arm].name, each) for each in of_arms]
    sentences = [each for each in said if each] or [NOTHING]
    return Verdict(of_arms, of_pairs, (*sentences, *_rest(outcome, () if by_hand else of_pairs)))


def of_rate(name: str, rate: Rate) -> str:
    """An arm alone."""
    said = tr("{arm}: {rate} of %n rows right ({range})", "{arm}: {rate} of %n row right ({range})", rate.n)
    return said.format(arm=name, rate=_percent(rate.rate), range=_range(rate.low, rate.high, 100)) + "."


def of_pair(outcome: Outcome, each: Pair, among: int = 1) -> str:
    """Two arms, by their rates. `among` so many pairs; of more than one, the corrected chance is told."""
    first, second = (outcome.study.arms[arm].name for arm in (each.first, each.second))
    told, several = differs(each), len(outcome.study.arms) > 2
    if told and each.difference < 0:
        first, second = second, first
        each = replace(each, difference=-each.difference, low=-each.high, high=-each.low)
    if told:
        clause = tr("{second} is better than {first}") if several else tr("{second} is better")
        said = tr("{clause} by {points} ({range}), %n pairs", "{clause} by {points} ({range}), %n pair", each.n)
    else:
        clause = tr("No difference between {first} and {second}") if several else tr("No difference")
        said = tr("{clause}: {points} ({range}), %n pairs", "{clause}: {points} ({range}), %n pair", each.n)
    points, (low, high) = _points(each.difference, each.low, each.high)
    clause = clause.format(first=first, second=second)
    said = said.format(clause=clause, points=points, range=tr("{low} to {high}").format(low=low, high=high))
    return said + _chance(each, among, told) + "."


def of_votes(outcome: Outcome, each: Pair, among: int = 1) -> str:
    """Two arms, by what somebody liked better; a tie counts as half."""
    first, second = (outcome.study.arms[arm].name for arm in (each.first, each.second))
    if each.difference < 0:
        first, second = second, first
        each = replace(each, difference=-each.difference, low=-each.high, high=-each.low)
    told = differs(each)
    clause = tr("{second} is liked better than {first}") if told else tr("No preference between {first} and {second}")
    said = tr(
        "{clause}: {second} in {rate} of %n rows ({range}), ties as half",
        "{clause}: {second} in {rate} of %n row ({range}), ties as half",
        each.n,
    )
    rate, low, high = ((1 + value) / 2 for value in (each.difference, each.low, each.high))
    clause = clause.format(first=first, second=second)
    said = said.format(clause=clause, second=second, rate=_percent(rate), range=_range(low, high, 100))
    return said + _chance(each, among, told) + "."


def sensitivity(outcome: Outcome, of_arms: Sequence[Rate], of_pairs: Sequence[Pair]) -> str:
    """Where arms differ by the wording alone: how far apart that takes them, and which changes most rows."""
    arms = outcome.study.arms
    if len(of_arms) < 2 or len({(arm.request, arm.load) for arm in arms}) > 1:
        return ""
    first = next((at for at, arm in enumerate(arms) if arm.wording is Wording.AS_WRITTEN), None)
    parted = [
        (each.only_first + each.only_second, each.n, CHANGES[arms[other].wording])
        for each in of_pairs
        if first in (each.first, each.second)
        for other in (each.first + each.second - first,)
        if arms[other].wording in CHANGES
    ]
    if not parted:
        return ""
    changed, among, how = max(parted)
    said = tr(
        "How much is the wording: between {least} and {most} of rows right, {changed} rows of %n change {how}.",
        "How much is the wording: between {least} and {most} of rows right, {changed} of %n row changes {how}.",
        among,
    )
    least, most = (_percent(each(rate.rate for rate in of_arms)) for each in (min, max))
    return said.format(least=least, most=most, changed=changed, how=how)


def _compared(outcome: Outcome, of_pairs: Sequence[Pair]) -> list[str]:
    """What differs first; of several pairs, how many there are before them."""
    ordered = sorted(of_pairs, key=lambda each: (not differs(each), each.corrected))
    said = [of_pair(outcome, each, len(of_pairs)) for each in ordered]
    if len(said) > 1:
        told = tr("{count} of %n pairs of arms differ.", "{count} of %n pair of arms differs.", len(said))
        said.insert(0, told.format(count=sum(map(differs, of_pairs))))
    return said


def _rest(outcome: Outcome, of_pairs: Sequence[Pair]) -> Iterator[str]:
    """What was left out, and why."""
    every = tallies(outcome)
    if failed := sum(tally.failed for tally in every):
        yield tr("%n answers failed and count as not right.", "%n answer failed and counts as not right.", failed)
    unjudged = sum(tally.unjudged for tally in every)
    if unjudged and outcome.study.check.kind is not CheckKind.BY_HAND:
        yield tr(
            "%n answers could not be judged; their rows are left out.",
            "%n answer could not be judged; its row is left out.",
            unjudged,
        )
    rows = len(outcome.study.prompts.rows)
    if missing := max((rows - each.n for each in of_pairs), default=0):
        yield tr("%n rows are in no pair or not in all.", "%n row is in no pair or not in all.", missing)
    if outcome.stopped or outcome.why:
        yield outcome.why or tr("It was stopped before its end.")


def _chance(each: Pair, among: int, told: bool) -> str:
    """Where there are several, or a range without 0 is no difference yet."""
    if among < 2 and (told or each.low <= 0 <= each.high):
        return ""
    corrected = tr(
        "; chance tells as much in {chance}, corrected for %n comparisons", "; chance tells as much in {chance}", among
    )
    return corrected.format(chance=chance(each.corrected))


def _points(*values: float) -> tuple[str, tuple[str, str]]:
    """A difference and its range, in as many digits as it takes for none that is not 0 to read as 0."""
    hundred = [100 * value for value in values]
    wide = hundred[2] - hundred[1] >= 4
    digits = next(at for at in range(not wide, 3) if at == 2 or all(round(each, at) or not each for each in hundred))
    middle, low, high = (minus(f"{each:.{digits}f}") for each in hundred)
    unit = tr("{number} point") if middle.strip("−") == "1" else tr("{number} points")
    return unit.format(number=middle), (low, high)


def _range(low: float, high: float, times: int) -> str:
    return tr("{low} to {high}").format(low=f"{times * low:.0f}", high=f"{times * high:.0f}")


def _percent(rate: float) -> str:
    return PERCENT.format(number=f"{100 * rate:.0f}")
