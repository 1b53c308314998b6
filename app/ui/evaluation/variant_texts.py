"""What a variant is: its name, its model, and the settings in which it differs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.engine.types import LoadRequest, Model, Request
from app.evaluation.types import EvaluationVariant
from app.evaluation.wordings import budget_name
from app.experiments.requests import describe_setting, kinds, value_of, with_setting
from app.i18n import tr
from app.library import cached
from app.ui.evaluation.rows import short

TEMPERATURE, THINK_BUDGET = "sampling.temperature", "limits.think_budget"
SHOWN_OF_BASE = (TEMPERATURE, "limits.max_tokens")
SAME_BY_NATURE = frozenset({"observe", "interval", "sampling.seed"})
LIKELIEST = tr("likeliest choice")


def name_of(variant: EvaluationVariant, variants: Sequence[EvaluationVariant], model: Model | None) -> str:
    """Return its name, or for a variant without one the values of the settings in which the others differ."""
    if variant.name:
        return variant.name
    request = variant.request
    parts = [model_name(variant, model)] if any(each.load for each in variants) else []
    for name in kinds():
        if any(value_of(each.request, name) != value_of(request, name) for each in variants):
            is_budget = name == THINK_BUDGET
            value = value_of(request, name)
            parts.append(budget_name(int(value or 0)) if is_budget else describe_setting(name, value))
    if any(each.request.form != request.form for each in variants):
        parts.append(": ".join((tr("Output format"), short(request.form.text) or tr("none"))))
    if any(each.wording is not variant.wording for each in variants):
        parts.append(variant.wording.words)
    if any(each.by_likelihood is not variant.by_likelihood for each in variants):
        parts.append(LIKELIEST)
    return ", ".join(parts) or model_name(variant, model)


def settings_of(variant: EvaluationVariant, base: EvaluationVariant) -> str:
    """Return the settings in which a variant differs from the first one; of the first one, the main settings."""
    if variant is base and variant.by_likelihood:
        return LIKELIEST
    if variant is base:
        return ", ".join(describe_setting(name, value_of(variant.request, name)) for name in SHOWN_OF_BASE)
    words = [
        describe_setting(name, value_of(variant.request, name))
        for name in kinds()
        if name not in SAME_BY_NATURE and value_of(variant.request, name) != value_of(base.request, name)
    ]
    if variant.request.form != base.request.form:
        words.append(": ".join((tr("Output format"), short(variant.request.form.text))))
    if variant.by_likelihood is not base.by_likelihood:
        words.append(LIKELIEST if variant.by_likelihood else tr("generated answer"))
    if variant.wording is not base.wording:
        words.append(variant.wording.words)
    return ", ".join(words)


def rebased(request: Request, before: Request, base: Request) -> Request:
    """Return `base` with the settings in which the request differed from `before`."""
    found = replace(base, form=request.form if request.form != before.form else base.form)
    for name in kinds():
        if value_of(request, name) != value_of(before, name):
            found = with_setting(found, name, value_of(request, name))
    return found


def identity(variant: EvaluationVariant, opened: LoadRequest | None) -> EvaluationVariant:
    """Return what a variant is without its name."""
    return replace(variant, name="", load=variant.load or opened)


def model_name(variant: EvaluationVariant, model: Model | None) -> str:
    if variant.load is None:
        return model.full_name if model is not None else ""
    name = cached.id_of(variant.load.model) or Path(variant.load.model).name
    return f"{name} + {Path(variant.load.adapter).name}" if variant.load.adapter else name
