"""Rates, pairs and arms in words."""

from collections.abc import Sequence

from app.evaluation.export import points, span
from app.evaluation.types import EvaluationAnswer, EvaluationVariant, EvaluationVerdict
from app.experiments.settings import kinds, spoken, value_of
from app.i18n import tr
from app.number_format import PERCENT
from app.ui.evaluation.rows import short
from app.ui.widgets.plots.dots import Dots

RIGHT, WRONG, UNKNOWN = "✓", "✗", "–"
NOT_TOLD = frozenset({"observe", "interval", "sampling.seed"})


def dots(verdict: EvaluationVerdict, names: Sequence[str]) -> list[Dots]:
    return [
        Dots(
            names[each.arm],
            (each.low, each.high),
            each.rate,
            f"{PERCENT.format(number=points(each.rate))} ({span(each.low, each.high)})",
        )
        for each in verdict.rates
    ]


def differs(arm: EvaluationVariant, base: EvaluationVariant) -> str:
    """In which settings, wordings and forms an arm is another one than the first."""
    said = [
        spoken(name, value_of(arm.request, name))
        for name in kinds()
        if name not in NOT_TOLD and value_of(arm.request, name) != value_of(base.request, name)
    ]
    if arm.request.form != base.request.form:
        said.append(": ".join((tr("Output format"), short(arm.request.form.text))))
    if arm.wording is not base.wording:
        said.append(arm.wording.words)
    return ", ".join(said)


def mark(answers: Sequence[EvaluationAnswer]) -> str:
    """Of one row of an arm: ✓, ✗, or how many of its repeats are right."""
    known = [each.right for each in answers if each.right is not None]
    if not known:
        return UNKNOWN if answers else ""
    return (RIGHT if known[0] else WRONG) if len(known) == 1 else f"{sum(known)}/{len(known)}"
