"""How a measured difference is said."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from app.experiments.significance import Judgement, Verdict
from app.figures import three_digits, whole_percent
from app.words import tr

TIMES = 1.95
"""From here on people say "twice as fast", below it so many percent."""
LEVEL = 0.005
"""What rounds to no percent at all."""
UNMEASURED = tr("Nothing was measured.")


def level(ratio: float) -> bool:
    return abs(ratio - 1) < LEVEL


def faster(ratio: float) -> str:
    """How the second is, if `ratio` is its speed in speeds of the first."""
    if level(ratio):
        return tr("just as fast")
    if ratio >= TIMES:
        return tr("{times} times as fast").format(times=three_digits(ratio))
    if ratio >= 1:
        return tr("{share} faster").format(share=whole_percent(ratio - 1))
    if ratio <= 1 / TIMES:
        return tr("{times} times as slow").format(times=three_digits(1 / ratio))
    return tr("{share} slower").format(share=whole_percent(1 - ratio))


def beside(ratio: float, other: str) -> str:
    """The same, with what it is compared with."""
    if level(ratio):
        return tr("just as fast as {other}").format(other=other)
    if ratio >= TIMES:
        return tr("{times} times as fast as {other}").format(times=three_digits(ratio), other=other)
    if ratio >= 1:
        return tr("{share} faster than {other}").format(share=whole_percent(ratio - 1), other=other)
    if ratio <= 1 / TIMES:
        return tr("{times} times as slow as {other}").format(times=three_digits(1 / ratio), other=other)
    return tr("{share} slower than {other}").format(share=whole_percent(1 - ratio), other=other)


def noise(judged: Judgement) -> str:
    """A clause for a speed that does not differ; the extremes tell how much the runs scatter."""
    return tr("no difference in speed beyond noise ({range})").format(range=extremes(judged))


def extremes(judged: Judgement) -> str:
    return f"{judged.low:.2f}–{judged.high:.2f}"


def vouched(clause: str, judged: Judgement | None) -> str:
    """A clause that tells a difference; few runs can't vouch for it, and then it says so."""
    return doubtful(clause) if judged is not None and judged.verdict is Verdict.UNSURE else clause


def doubtful(clause: str) -> str:
    return tr("{clause}, in too few runs to tell it from noise").format(clause=clause)


def differs(judged: Judgement) -> bool:
    return judged.verdict is not Verdict.SAME


def sentence(parts: Sequence[str]) -> str:
    """Clauses as one sentence."""
    text = _joined(parts, tr("{clause}; {next}"))
    return f"{text[:1].upper()}{text[1:]}." if text else UNMEASURED


def row(parts: Sequence[str]) -> str:
    """Clauses of one kind as one clause."""
    return _joined(parts, tr("{clause}, {next}"))


def _joined(parts: Sequence[str], template: str) -> str:
    said = [part for part in parts if part]
    return reduce(lambda clause, more: template.format(clause=clause, next=more), said) if said else ""
