"""Ready-made arms: what is thinking worth, and how much of a verdict is the wording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import ENDLESS, Request
from app.figures import duration
from app.sets.rates import rates
from app.sets.types import Arm, Outcome, Wording
from app.sets.verdict import of_rate
from app.words import tr

BUDGETS = (0, 32, 128, ENDLESS)
WORDINGS = {
    Wording.AS_WRITTEN: tr("as written"),
    Wording.TRAILING_SPACE: tr("trailing space"),
    Wording.LOWER_CASE: tr("lower case"),
    Wording.UPPER_CASE: tr("upper case"),
    Wording.OTHER_ORDER: tr("other order"),
}


def arms(request: Request, budgets: Sequence[int] = BUDGETS) -> tuple[Arm, ...]:
    """What is thinking worth? The same rows with less and more of it, of a model that `can.think_budget`."""
    return tuple(
        Arm(_name(most), replace(request, limits=replace(request.limits, think_budget=most))) for most in budgets
    )


def sensitivity_arms(request: Request) -> tuple[Arm, ...]:
    """How much is the wording? The same rows said in other ways."""
    return tuple(Arm(name, request, wording=wording) for wording, name in WORDINGS.items())


def worth(outcome: Outcome) -> tuple[str, ...]:
    """What each arm costs beside what it gets right: a sentence for each, in tokens and seconds a row."""
    said = []
    for rate in rates(outcome):
        answers = [each for each in outcome.answers if each.place.arm == rate.arm]
        tokens = sum(each.tokens for each in answers) / len(answers)
        seconds = sum(each.seconds for each in answers) / len(answers)
        costs = tr("{sentence} It takes {tokens} tokens and {seconds} an answer.")
        sentence = of_rate(outcome.study.arms[rate.arm].name, rate)
        said.append(costs.format(sentence=sentence, tokens=f"{tokens:.0f}", seconds=duration(seconds)))
    return tuple(said)


def _name(budget: int) -> str:
    if budget == ENDLESS:
        return tr("thinks as long as it likes")
    return tr("thinks %n tokens", "thinks %n token", budget) if budget else tr("thinks no tokens")
