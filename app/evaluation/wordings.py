"""Other wordings of a prompt, to measure how much a verdict depends on the wording. Predefined variants."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from app.engine.types import ENDLESS, ChatPrompt, PromptSource, RawPrompt, Request
from app.evaluation.templates import choices_of, expected_of, prompt_of
from app.evaluation.types import EvaluationVariant, PromptSet, Template, Wording
from app.i18n import tr

EVERYWHERE = frozenset({Wording.AS_WRITTEN, Wording.TRAILING_SPACE})
LONGEST = 20_000
"""The longest prompt, in characters, that is searched for choices."""


def prompt_in(wording: Wording, template: Template, values: Mapping[str, str]) -> ChatPrompt | RawPrompt | None:
    """Return the prompt of a row in this wording; None if the row has no such wording."""
    prompt = prompt_of(template, values)
    words = reworded(wording, last_question(prompt), choices_of(values), expected_of(template, values))
    if words is None:
        return None
    if isinstance(prompt, RawPrompt):
        return RawPrompt(words)
    return ChatPrompt((*prompt.messages[:-1], replace(prompt.messages[-1], text=words)))


def rows_with(wording: Wording, template: Template, prompts: PromptSet) -> Iterator[int]:
    for row in range(len(prompts.rows)):
        if wording in EVERYWHERE or prompt_in(wording, template, prompts.values(row)) is not None:
            yield row


def last_question(prompt: PromptSource) -> str:
    """Return the last question of the row, without earlier turns."""
    return prompt.messages[-1].text if isinstance(prompt, ChatPrompt) else getattr(prompt, "text", "")


def reworded(wording: Wording, text: str, choices: Sequence[str] = (), expected: str = "") -> str | None:
    """Return the text in this wording; None if the wording doesn't exist for it, or changes nothing."""
    match wording:
        case Wording.AS_WRITTEN:
            return text
        case Wording.TRAILING_SPACE:
            return f"{text} "
        case Wording.OTHER_ORDER:
            other = _reversed_choices(text, choices, expected)
        case _:
            change = str.lower if wording is Wording.LOWER_CASE else str.upper
            repeated = expected in text and not choices and change(expected) != expected
            other = None if repeated else change(text)  # the answer must repeat this text, which would change
    return None if other == text else other


def _reversed_choices(text: str, choices: Sequence[str], expected: str) -> str | None:
    """Reverse the order of the choices. Their labels stay in order, so a letter names another choice.

    Return None unless the answer is the text of a choice, and each choice is listed once.
    """
    if (
        len(text) > LONGEST
        or len(choices) < 2
        or any(len(each) < 2 for each in choices)
        or (expected and expected not in choices)
    ):
        return None
    longest = sorted(map(re.escape, choices), key=len, reverse=True)
    listed = list(re.finditer(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)", text))
    if sorted(each[0] for each in listed) != sorted(choices):
        return None
    other = iter([each[0] for each in reversed(listed)])
    return re.sub(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)", lambda _: next(other), text)


BUDGETS = (0, 32, 128, ENDLESS)


def budget_variants(request: Request, budgets: Sequence[int] = BUDGETS) -> tuple[EvaluationVariant, ...]:
    """Return variants with reasoning budgets, for a model that `can.think_budget`."""
    return tuple(
        EvaluationVariant(budget_name(most), replace(request, limits=replace(request.limits, think_budget=most)))
        for most in budgets
    )


def wording_variants(request: Request, template: Template, prompts: PromptSet) -> tuple[EvaluationVariant, ...]:
    """Return a variant for each wording that applies to any row."""
    had = (wording for wording in Wording if next(rows_with(wording, template, prompts), None) is not None)
    return tuple(EvaluationVariant(wording.words, request, wording=wording) for wording in had)


def budget_name(budget: int) -> str:
    if budget == ENDLESS:
        return tr("unlimited reasoning")
    return tr("%n tokens of reasoning", "%n token of reasoning", budget) if budget else tr("no reasoning")
