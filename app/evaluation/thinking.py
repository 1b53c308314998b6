"""Predefined variants: reasoning budgets and wordings."""

from collections.abc import Sequence
from dataclasses import replace

from app.engine.types import ENDLESS, Request
from app.evaluation.types import EvaluationVariant, PromptSet, Template, Wording
from app.evaluation.wordings import rows_with
from app.i18n import tr

BUDGETS = (0, 32, 128, ENDLESS)


def arms(request: Request, budgets: Sequence[int] = BUDGETS) -> tuple[EvaluationVariant, ...]:
    """Return variants with reasoning budgets, for a model that `can.think_budget`."""
    return tuple(
        EvaluationVariant(_name(most), replace(request, limits=replace(request.limits, think_budget=most)))
        for most in budgets
    )


def sensitivity_arms(request: Request, template: Template, prompts: PromptSet) -> tuple[EvaluationVariant, ...]:
    """Return a variant for each wording that applies to any row."""
    had = (wording for wording in Wording if next(rows_with(wording, template, prompts), None) is not None)
    return tuple(EvaluationVariant(wording.words, request, wording=wording) for wording in had)


def _name(budget: int) -> str:
    if budget == ENDLESS:
        return tr("unlimited reasoning")
    return tr("%n tokens of reasoning", "%n token of reasoning", budget) if budget else tr("no reasoning")
