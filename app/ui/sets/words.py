"""Rates, pairs and arms in words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from app.engine.types import Request
from app.experiments.settings import kinds, spoken, told, value_of
from app.figures import PERCENT, chance
from app.sets.export import points, span
from app.sets.types import Answer, Arm, Study, Verdict
from app.ui.sets.rows import short
from app.ui.widgets.plots.dots import Dots
from app.words import tr

RATE_HEAD = (tr("Arm"), tr("Rate (%)"), tr("Interval"), tr("Rows"), tr("Right"))
PAIR_HEAD = (tr("Arms"), tr("Difference (points)"), tr("Interval"), tr("Rows"), tr("Chance"))
RIGHT, WRONG, UNKNOWN = "✓", "✗", "–"
NOT_TOLD = frozenset({"observe", "interval", "sampling.seed"})


def dots(verdict: Verdict, names: Sequence[str]) -> list[Dots]:
    return [
        Dots(
            names[each.arm],
            (each.low, each.high),
            each.rate,
            f"{whole_percent(each.rate)} ({span(each.low, each.high)})",
        )
        for each in verdict.rates
    ]


def rate_rows(verdict: Verdict, names: Sequence[str]) -> list[tuple[str, ...]]:
    return [
        (names[each.arm], points(each.rate), span(each.low, each.high), f"{each.n:,}", f"{each.right:g}")
        for each in verdict.rates
    ]


def pair_rows(verdict: Verdict, names: Sequence[str]) -> list[tuple[str, ...]]:
    arms = tr("{second} less {first}")
    return [
        (
            arms.format(first=names[each.first], second=names[each.second]),
            points(each.difference),
            span(each.low, each.high),
            f"{each.n:,}",
            chance(each.corrected),
        )
        for each in verdict.pairs
    ]


def differs(arm: Arm, base: Arm) -> str:
    """In which settings, wordings and forms an arm is another one than the first."""
    said = [
        spoken(name, value_of(arm.request, name))
        for name in kinds()
        if name not in NOT_TOLD and value_of(arm.request, name) != value_of(base.request, name)
    ]
    if arm.request.form != base.request.form:
        said.append(f"{tr('Form')}: {short(arm.request.form.text)}")
    if arm.wording is not base.wording:
        said.append(arm.wording.words)
    return ", ".join(said)


def mark(answers: Sequence[Answer]) -> str:
    """Of one row of an arm: ✓, ✗, or how many of its repeats are right."""
    known = [each.right for each in answers if each.right is not None]
    if not known:
        return UNKNOWN if answers else ""
    return (RIGHT if known[0] else WRONG) if len(known) == 1 else f"{sum(known)}/{len(known)}"


def whole_percent(share: float) -> str:
    return PERCENT.format(number=f"{100 * share:.0f}")


def command_of(study: Study, called: str, model: str) -> str:
    """What asks the same without a window; `called` is the set's path, or its name among those of the program."""
    check = study.check
    judged = f"--check={check.kind.name.lower()}{f'={check.argument}' if check.argument else ''}"
    arms = [f"--arm={each.name}={_said(each.request)}" for each in study.arms]
    counts = [f"--repeats={study.repeats}", f"--together={study.together}"]
    raw = ["--raw"] if study.template.raw else []
    return shlex.join(["sluice", "run", called, f"--model={model}", *arms, judged, *counts, *raw])


def _said(request: Request) -> str:
    """The settings that are not those of a request by itself, as an arm of the command takes them."""
    usual = Request(request.prompt)
    changed = ((name, value_of(request, name)) for name in kinds() if name not in NOT_TOLD)
    return ",".join(f"{name}={told(value)}" for name, value in changed if value != value_of(usual, name))
